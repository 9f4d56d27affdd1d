"""A run as a file keeps it: what was compared, how, and when each thing was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wavediff.core.jobs.events import Recorded

FORMAT = "wavediff run"
VERSION = 1
MAX_STORED_PLACES = 1 << 22  # of a block map: more than any that is written, and what a reader grants a file

MAX_STORED_PLACES_IN_ALL = 1 << 24  # of all attempts of a record


def lane_kind(n: int) -> str:
    """Return the NumPy type of numbers of ``n`` lanes."""
    return "u1" if n <= 1 << 8 else "<u2"


@dataclass(frozen=True, slots=True)
class StoredSequence:
    """One of the two sequences, without its letters.

    Attributes:
        sha256: hexadecimal, of the letters as they were compared; of a text in UTF-8. Empty: the run is of now, and its
            letters are at hand.
    """

    name: str
    length: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class StoredRun:
    """A comparison that was run, on whatever machine.

    Attributes:
        program: version of the program that wrote it.
        method: id of a ``wavediff.core.methods.base.Method``; may be one that this program does not have.
        options: as typed on the command line, by their ids.
        value: the answer, a length, distance or score.
        when: it began, in ISO 8601 with its offset from UTC.
        machine: name of the processor and number of its cores.
        recorded: its times; it began at 0.
    """

    program: str
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
