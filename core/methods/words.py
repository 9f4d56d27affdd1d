"""Comparison of two texts by words, across line breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavediff.core.base.numbers import count, number
from wavediff.core.jobs import KernelModules, Rates
from wavediff.core.methods.base import WORD, Measure
from wavediff.core.methods.lines import LineJob, Lines


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WordJob(LineJob):
    """Comparison of the words of ``a`` with those of ``b``; blank lines and line breaks are white space."""

    modules = KernelModules(cpu="wavediff.core.kernels.words.run")
    rates = Rates(2e7)


class Words(Lines):
    """Words, punctuation and white space of two texts."""

    id, name, long_name = "words", "Words", "comparison by words"
    tip = "Words of two texts wherever their lines end: an LCS of words and signs; white space counts least"
    job_type = WordJob
    options = tuple(one for one in Lines.options if one.id in ("traceback", "ignore_space", "ignore_matching"))
    unknown = "no changes yet"
    unit = WORD

    def value(self, result: Any) -> int:
        return int(result.n_changes)

    def same(self, result: Any, n_a: int, n_b: int) -> bool:  # noqa: ARG002
        return not result.kinds.size

    def sizes(self, result: Any, n_a: int, n_b: int) -> tuple[int, int]:  # noqa: ARG002
        return result.counts.a, result.counts.b

    def headline(self, result: Any, n_a: int, n_b: int) -> str:
        if self.value(result):
            return self.answer(result, n_a, n_b)
        if not result.kinds.size:
            return super().headline(result, n_a, n_b)
        return f"White space only: {count(result.kinds.size, 'place', 'places')}{result.ignore.text}"

    def answer(self, result: Any, n_a: int, n_b: int) -> str:  # noqa: ARG002
        signs, (changed, added, removed) = result.n_signs, result.words.sum(axis=0).tolist()
        parts = [(added, "added"), (removed, "removed"), (changed, "changed")]
        texts = [f"{number(n)} {what}" for n, what in parts if n]
        if texts:
            n, what = texts[0].split(" ", 1)
            texts[0] = f"{n} {'word' if n == '1' else 'words'} {what}"
        texts += [f"signs in {count(signs, 'place', 'places')}"] if signs else []
        return f"{count(self.value(result), 'change', 'changes')}: {', '.join(texts)}{result.ignore.text}"

    def remarks(self, result: Any) -> list[str]:
        spaces, facts = result.n_spaces, [count(result.counts.equal, "equal word", "equal words")]
        if spaces and self.value(result):
            facts.append(f"white space differs in {count(spaces, 'place', 'places')}")
        elif spaces:
            first, last = result.rows.starts_a[:-1].searchsorted(result.changes[[0, -1], 0], "right").clip(1).tolist()
            facts.append(f"in line{f's {number(first)} to' * (first < last)} {number(last)} of A")
        return [*facts, *([] if self._only_line_ends(result) else self._line_ends(result)), "exact"]

    def explanation(self, result: Any) -> str:  # noqa: ARG002
        return (
            "A word is a run of letters, digits and underscores, or one Chinese character or kana; each other sign "
            "stands alone. Words: the most words and signs (tokens on the map) that both have in the same order, then "
            "white space; in one change as many words are changed as both have, and the others are added or removed."
        )

    def summary(self, result: Any, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:  # noqa: ARG002
        return [self.answer(result, n_a, n_b) if self.value(result) else "changes: 0"]

    def measures(self, result: Any) -> list[Measure]:
        counts, spaces, words = result.counts, result.n_spaces, result.words.sum(axis=0).tolist()
        return [
            Measure("changes", "Changes", "runs of words or signs that are not equal", self.value(result)),
            Measure("words_equal", "Equal words", "words in A and B in the same order", counts.equal),
            Measure("words_changed", "Changed words", "words of A that other words of B replace", words[0]),
            Measure("words_added", "Added words", "words only in B", words[1]),
            Measure("words_removed", "Removed words", "words only in A", words[2]),
            Measure("sign_changes", "Changes of signs", "changes without a letter or digit", result.n_signs),
            Measure("space_changes", "Changes of white space", "places where only white space differs", spaces),
        ]


WORDS = Words()
