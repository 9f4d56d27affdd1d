"""Ranges of A and B as a pair, and the return to the whole pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wavediff.app.ui.pair import Side
from wavediff.app.window.pair.pair_state import PairState
from wavediff.app.window.pair.sequence_loader import ReadItem, ReadSequence
from wavediff.core.base.file_names import split_name
from wavediff.core.base.numbers import RANGE_SIGN, position
from wavediff.core.reading.files import is_pipe
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True)
class WholePair:
    """Stored whole pair while a range of it is compared: sources, state, answers."""

    read: Mapping[Side, ReadSequence]
    state: PairState
    kept: Any

    def is_of(self, state: PairState | None) -> bool:
        """Return whether ``state`` belongs to this pair, or to a range of it."""
        while state is not None and state.sources != self.state.sources:
            state = state.whole
        return state is not None


def range_item(want: ReadItem, side: Side, sequence: Sequence, start: int, end: int) -> ReadItem:
    """Return the request to read a range of ``sequence`` (file coordinates) for ``side``.

    Args:
        want: what read all of it. start, end: 0-based, half open; ``end`` is not behind ``start`` where the letters of
            a circle go on with the first one.
    """
    file = None if want.path is None else split_name(want.path)
    if file is None or start >= end or is_pipe(file.file):
        letters = sequence.letters.tobytes()
        taken = letters[start:end] if start < end else letters[start:] + letters[:end]
        header = f"{'_'.join(sequence.name.split())}:{start + 1}-{end} {sequence.description}".rstrip()
        text = f">{header}\n{taken.decode('latin-1')}\n"
        return ReadItem(side, text=text, read_as=ReadAs.FASTA, alphabet=sequence.alphabet, remember=False)
    path, record, before = Path(file.file), want.record, 0
    if file.part is not None:  # a range already
        name, _, letters_there = file.part.rpartition(":")
        path, before = Path(f"{file.file}:{name}") if name else path, position(RANGE_SIGN.split(letters_there)[0]) - 1
    return replace(want, side=side, path=path, record=record, letters=(before + start, before + end), note="")
