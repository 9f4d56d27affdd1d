"""Words, punctuation and white space of two texts, numbered so that equal tokens have equal numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Generator, Iterator
from itertools import count
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts, Letters, letter_type
from wavediff.core.jobs.events import Event
from wavediff.core.kernels.lines.text_lines import MATCH, STEP_SECONDS, Keys, text_lines, text_of
from wavediff.core.methods.lines import LineJob
from wavediff.core.sequences.words import WORD

PIECE_LETTERS = 1 << 16  # of a text that become words between two reports
_BREAK = re.compile(r"(?<!\s)\s")


class Tokens(NamedTuple):
    """Words, punctuation and white space runs of a text, shape (n,) each.

    Attributes:
        numbers: equal tokens have equal numbers, of the narrowest type.
        read: numbers that ignore only case.
        space, line_end, word: bool: whether the token is white space, has a line end, has a letter or digit.
        starts: int64, shape (n + 1,): start of each token, then the number of letters.
    """

    numbers: Letters
    read: Letters
    space: npt.NDArray[np.bool_]
    line_end: npt.NDArray[np.bool_]
    word: npt.NDArray[np.bool_]
    starts: Counts


def tokens_of(job: LineJob, keys: Keys) -> Generator[Event, None, tuple[Tokens, Tokens]]:
    """Return the tokens of both texts in the case of the comparison."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    numbered = []
    for lines in text_lines(job, fold_case=job.fold_case):
        read, since = [np.empty(0, np.uint32)], perf_counter()
        for tokens in _pieces(text_of(lines.letters, lines.characters), keys):
            read.append(np.fromiter(map(numbers.__getitem__, tokens), np.uint32, len(tokens)))
            yield job.step.done("words", since)
            since = perf_counter()
        numbered.append(np.concatenate(read))
    since, names = perf_counter(), [*numbers]
    kind = letter_type(len(names))
    matched = np.array([name[0] == MATCH for name in names], bool)
    space = np.array([name.isspace() for name in names], bool)
    line_end = space & np.array(["\n" in name for name in names], bool)
    word = np.array([name[0].isalnum() or name[0] in (MATCH, "_") for name in names], bool)
    table = np.arange(len(names), dtype=kind)
    for same in (matched, space) if keys.ignore.space else (matched,):
        table[same] = np.flatnonzero(same)[0] if same.any() else 0
    sizes, texts = np.array([len(name) for name in names], np.int64) - len(MATCH) * matched, []
    for these in numbered:
        starts = np.concatenate(([0], np.cumsum(sizes[these])))
        texts.append(Tokens(table[these], these.astype(kind), space[these], line_end[these], word[these], starts))
    yield job.step.done("words", since)
    return texts[0], texts[1]


def _pieces(text: str, keys: Keys) -> Iterator[list[str]]:
    """Yield the tokens of a text in chunks; ``MATCH`` precedes each match of the pattern."""
    if keys.ignore.matching:
        yield from _matched_lines(text, keys)
        return
    at = 0
    while at < len(text):
        space = _BREAK.search(text, at + PIECE_LETTERS)
        end = space.start() if space else len(text)
        yield WORD.findall(text, at, end)
        at = end


def _matched_lines(text: str, keys: Keys) -> Iterator[list[str]]:
    space, words, n, since = "", [], 0, perf_counter()
    lines = text.split("\n")
    for k, line in enumerate(lines):
        tokens, kinds = keys.tokens(line)
        named = [MATCH + token if kind == MATCH else token for token, kind in zip(tokens, kinds, strict=True)]
        for token in [*named, "\n" if k + 1 < len(lines) else ""]:
            if token.isspace():
                space += token
            elif token:
                words += [space, token] if space else [token]
                space = ""
        n += len(line)
        if n > PIECE_LETTERS or perf_counter() - since > STEP_SECONDS:
            yield words
            words, n, since = [], 0, perf_counter()
    yield [*words, space] if space else words
