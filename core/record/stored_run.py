"""A run as a file has it: what was compared, how, and when each thing was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from wavediff.core.jobs.events import Recorded


class StoredSequence(NamedTuple):
    """One of the two sequences, without its letters.

    Attributes:
        sha256: hexadecimal, of the letters as they were compared; of a text in UTF-8. Empty: the run is of now, and its
            letters are at hand.
    """

    name: str
    length: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StoredRun:
    """A comparison that was run, on whatever machine.

    Attributes:
        versions: of the program that ran it (``wavediff``) and of what it uses.
        method: id of a ``wavediff.core.methods.base.Method``; may be one that this program does not have.
        options: as typed on the command line, by their ids.
        value: the answer, a length, distance or score.
        when: it began, in ISO 8601 with its offset from UTC.
        machine: name of the processor and number of its cores.
        recorded: its times; of one that was read, it began at 0.
    """

    versions: Mapping[str, str]
    method: str
    options: Mapping[str, str]
    fold_case: bool
    threads: int
    a: StoredSequence
    b: StoredSequence
    value: float
    when: str
    machine: str
    recorded: Recorded
