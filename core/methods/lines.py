"""Comparison of two texts by lines: hunks, changed lines, moved blocks."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from wavediff.core.base.errors import WavediffError, capitalized
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs import KernelModules, Rates
from wavediff.core.jobs.ignore import Ignore
from wavediff.core.methods.base import LINE, Measure, Method, PairJob, TracebackMethod
from wavediff.core.methods.common_options import path_option
from wavediff.core.methods.options import Flag, Option, Options, Text

if TYPE_CHECKING:
    from wavediff.core.base.arrays import Letters
    from wavediff.core.jobs.line_result import LineResult
    from wavediff.core.sequences.sequence import Sequence

BINARY = "This is binary data. Compare it as Letters (bytes)."
NOT_COMPARED = "line ends not compared"
LINE_ENDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


def _ignoring(id: str, label: str, text: str, short: str = "") -> Flag:
    return Flag(id=id, label=label, tip=capitalized(text), help=text, default=False, short=short, advanced=False)


def check_pattern(text: str) -> None:
    """Raise an error for an invalid regular expression.

    Raises:
        ValueError: invalid; the message names problem and letter.
    """
    import regex  # which finds the matches

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what may mean something else in future
            re.compile(text)
            regex.compile(text)
    except (re.error, regex.error) as error:
        at = "" if error.pos is None else f" at letter {error.pos + 1}"
        raise ValueError(f"'{text}' is no regular expression: {error.msg}{at}") from None
    except (OverflowError, RecursionError) as error:
        raise ValueError(f"'{text}' is no regular expression: {error}") from None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LineJob(PairJob):
    """Comparison of the lines of ``a`` with those of ``b``.

    Attributes:
        characters: characters of the codes, see ``wavediff.core.sequences.characters``.
        line_ends: number of line ends in ``a`` and in ``b``; None: counted on demand.
        empty: whether A has no line, and whether B has none.
        ignore_space, ignore_blank, ignore_breaks, ignore_matching: see ``Ignore``; its case is ``fold_case``.
    """

    modules = KernelModules(cpu="wavediff.core.kernels.lines.run")
    rates = Rates(2e7)

    characters: str = ""
    line_ends: tuple[int, int] | None = None
    empty: tuple[bool, bool] = (False, False)
    ignore_space: bool = False
    ignore_blank: bool = False
    ignore_breaks: bool = False
    ignore_matching: str = ""

    @property
    def ignore(self) -> Ignore:
        return Ignore(self.ignore_space, self.ignore_blank, self.ignore_breaks, self.fold_case, self.ignore_matching)

    @property
    def n_lines(self) -> tuple[int, int]:
        """Numbers of lines in A and B."""
        import numpy as np  # not for the help

        a, b = self.line_ends or tuple(np.count_nonzero(one == ord("\n")) for one in (self.a, self.b))
        return int(a) + (not self.empty[0]), int(b) + (not self.empty[1])

    @property
    def n_cells(self) -> int:
        """Number of letters, which determine the time."""
        return self.n_letters


class Lines(Method):
    """Comparison by lines, then by words within changed lines."""

    id, name, long_name = "lines", "Lines", "comparison by lines"
    tip = "Lines of two texts: an LCS of whole lines, then words inside lines that changed; blocks that moved"
    job_type = LineJob
    options: ClassVar[tuple[Option, ...]] = (
        path_option(TracebackMethod.BLOCKS, TracebackMethod.NONE),
        _ignoring("ignore_space", "White space", "lines that differ only in white space are equal", "-w"),
        _ignoring("ignore_blank", "Blank lines", "blank lines in only one text are not reported", "-B"),
        _ignoring("ignore_breaks", "Line breaks", "lines with the same words, broken at other places, are equal"),
        Text(
            id="ignore_matching",
            label="Pattern",
            tip="A regular expression whose matches are equal, e.g. \\d\\d:\\d\\d for times",
            help="a regular expression of Python whose matches are equal, such as times of a log",
            default="",
            names=(),
            check=check_pattern,
            what="REGEX",
            short="-I",
            advanced=False,
        ),
    )
    unknown = "no hunks yet"
    unit = LINE

    def arguments(self, values: Options, a: Sequence, b: Sequence) -> dict[str, Any]:
        if any(one.format == "bytes" for one in (a, b)):
            raise WavediffError(BINARY)
        empty = tuple(not len(one) and not (one.line_ends and one.line_ends.at_end) for one in (a, b))
        ends = tuple(int(one.counts[ord("\n")]) for one in (a, b))
        return Method.arguments(self, values, a, b) | {"characters": a.characters, "line_ends": ends, "empty": empty}

    def letters(self, a: Sequence, b: Sequence, fold_case: bool) -> tuple[Letters, Letters]:  # noqa: ARG002
        return a.letters, b.letters  # whose case the kernel folds, as lines are shown as they were read

    def value(self, result: LineResult) -> int:
        return result.rows.n_hunks

    def same(self, result: LineResult, n_a: int, n_b: int) -> bool:  # noqa: ARG002
        return result.rows.n_hunks == 0

    def sizes(self, result: LineResult, n_a: int, n_b: int) -> tuple[int, int]:  # noqa: ARG002
        return result.rows.starts_a.size - 1, result.rows.starts_b.size - 1

    def headline(self, result: LineResult, n_a: int, n_b: int) -> str:
        if result.rows.n_hunks:
            answer = self.answer(result, n_a, n_b)
            return f"White space only: {answer}" if result.n_spaces == self._n_unlike(result) else answer
        ends = self._only_line_ends(result)
        opening = f"Line ends only: {', '.join(self._line_ends(result))}" if ends else "No differences"
        return f"{opening}{result.ignore.text}"

    def answer(self, result: LineResult, n_a: int, n_b: int) -> str:  # noqa: ARG002
        kinds = self._kinds(result)
        parts = [f"{number(kinds['lines_changed'])} changed"] if kinds["lines_changed"] else []
        added, removed = kinds["lines_added"], kinds["lines_removed"]
        parts = [f"{number(removed)} removed", *parts] if removed else parts
        parts = [f"{number(added)} added", *parts] if added else parts
        if parts:
            n, verb = parts[0].split(" ", 1)
            parts[0] = f"{n} {'line' if n == '1' else 'lines'} {verb}"
        if kinds["blocks_moved"]:
            parts.append(f"{count(kinds['blocks_moved'], 'block', 'blocks')} moved")
        return f"{count(kinds['hunks'], 'hunk', 'hunks')}: {', '.join(parts)}{result.ignore.text}"

    def remarks(self, result: LineResult) -> list[str]:
        facts = [count(self._kinds(result)["lines_equal"], "equal line", "equal lines")]
        if 0 < result.n_spaces < self._n_unlike(result):
            facts.append(f"{count(result.n_spaces, 'line differs', 'lines differ')} in white space alone")
        return [*facts, *([] if self._only_line_ends(result) else self._line_ends(result)), "exact"]

    def _n_unlike(self, result: LineResult) -> int:
        return sum(self._kinds(result)[f"lines_{kind}"] for kind in ("added", "removed", "changed")) + len(result.moved)

    @staticmethod
    def _line_ends(result: LineResult) -> list[str]:
        """Return how the line ends of the texts differ; they are not part of the lines."""
        ends = [one.line_ends for one in result.read or () if len(one) or one.line_ends is None or one.line_ends.at_end]
        if result.ignore.space or len(ends) < 2:
            return []
        a, b = ends
        if a is None or b is None:
            return [NOT_COMPARED]
        facts = [f"{LINE_ENDS[a.sign]} in A, {LINE_ENDS[b.sign]} in B"] if a.sign != b.sign else []
        return [*facts, f"{'AB'[a.at_end]} has no line end at its end"] if a.at_end != b.at_end else facts

    def _only_line_ends(self, result: LineResult) -> bool:
        return result.rows.n_hunks == 0 and self._line_ends(result) not in ([], [NOT_COMPARED])

    def explanation(self, result: LineResult) -> str:  # noqa: ARG002
        return (
            "Lines: the most lines that both have in the same order, blank ones last; a hunk is a run of other lines, "
            "and a block that moved is one hunk."
        )

    def summary(self, result: LineResult, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:  # noqa: ARG002
        return [self.answer(result, n_a, n_b) if result.rows.n_hunks else "hunks: 0"]

    def measures(self, result: LineResult) -> list[Measure]:
        kinds = self._kinds(result)
        texts = {
            "hunks": ("Hunks", "runs of lines that are not equal; a block that moved is one"),
            "lines_equal": ("Equal lines", "lines in A and B in the same order"),
            "lines_changed": ("Changed lines", "lines of A and of B that are more than half alike"),
            "lines_added": ("Added lines", "lines only in B"),
            "lines_removed": ("Removed lines", "lines only in A"),
            "blocks_moved": ("Moved blocks", "blocks of three lines or more that B has elsewhere"),
        }
        return [Measure(key, *texts[key], kinds[key]) for key in texts]

    def fields(self, result: LineResult) -> dict[str, Any]:
        return {one.key: one.value for one in self.measures(result)} | {"ignored": list(result.ignore.texts)}

    @staticmethod
    def _kinds(result: LineResult) -> dict[str, int]:
        from wavediff.core.jobs.line_result import LineKind

        rows = result.rows
        return {
            "hunks": rows.n_hunks,
            "lines_equal": rows.count(LineKind.EQUAL),
            "lines_changed": rows.count(LineKind.CHANGED),
            "lines_added": rows.count(LineKind.ADDED),
            "lines_removed": rows.count(LineKind.REMOVED),
            "blocks_moved": len(result.moved),
        }


LINES = Lines()
