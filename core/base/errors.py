"""Everything that can go wrong, as one small tree. Each message is one line the user can act on."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path

NAMES = {"<pasted>": "Text", "<typed>": "Patterns"}  # of sources that are no files


class WavediffError(Exception):
    """Root of the tree; ``str()`` is one line fit to show as it is."""


class Cancelled(WavediffError):
    """The job was asked to stop and did."""


class InputError(WavediffError):
    """A file, paste or argument that cannot be used.

    Args:
        source: the file (or ``<pasted>``) as the user named it.
        found: what was met there.
        expected: what would have been right; may be empty.
        record: 1-based number of the record, and its name, where known.
        line, column: 1-based position, where known.
        instead: what (of ``wavediff.core.sequences.read_as.ReadAs``) the file could be read as; may be empty.
    """

    def __init__(
        self,
        source: str,
        found: str,
        expected: str = "",
        *,
        record: tuple[int, str] | None = None,
        line: int | None = None,
        column: int | None = None,
        instead: str = "",
    ) -> None:
        self.instead = instead
        self.source, self.found, self.expected = source, found, expected
        self.record, self.line, self.column = record, line, column
        super().__init__(self._text())

    def _text(self) -> str:
        place = [NAMES.get(self.source) or printable(self.source)]
        if self.record is not None:
            number, name = self.record
            place.append(f"record {number} '{printable(name, 40)}'" if name else f"record {number}")
        if self.line is not None:
            place.append(f"line {self.line}" + (f", column {self.column}" if self.column else ""))
        text = f"{', '.join(place)}: {self.found}"
        return f"{text}; {self.expected}" if self.expected else text


class TransformFile(InputError):
    """A saved transform where a sequence is expected; the file itself may be fine."""

    def __init__(self, source: str) -> None:
        super().__init__(source, "this is a saved transform", "'find' and 'bwt --inverse' read it, and the window")


class BackendUnavailable(WavediffError):
    """The device asked for cannot run the job; the text says why."""


class ClusterError(WavediffError):
    """A cluster cannot be reached, or cannot compute what it was sent."""


class NotEnoughMemory(WavediffError):
    """The job needs more memory than there is; the text has both numbers and a way out."""


class DeviceError(WavediffError):
    """The graphics card failed under a job: the runner gives the job to the CPU and the card no other one."""


class DeviceOutOfMemory(DeviceError):
    """The graphics card has no room for a job; smaller ones can still run on it."""


class DeviceTooSmall(DeviceOutOfMemory):
    """A job is too long for the numbers that kernels count with; the text is a clause that says so."""


class DeviceDefect(DeviceError):
    """The program for the graphics card has a defect that this job met; nothing is wrong with the card."""


class DeviceLost(DeviceError):
    """Loss of everything this process has on the graphics card; nothing runs there until it is started again."""


class SelfCheckFailed(WavediffError):
    """A result contradicted itself and was thrown away: a defect of the program or the machine."""


class ExportError(WavediffError):
    """A file could not be written; whatever was there before is untouched."""


def error_location(error: BaseException) -> str:
    """Return what a defect is and where it was met, as a part of a sentence: ``ValueError: ..., walk.py, line 7``."""
    text = " ".join(str(error).split())
    frames = traceback.extract_tb(error.__traceback__)
    place = f", {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{': ' if text else ''}{printable(text, 200)}{place}"


def printable(text: str, limit: int = 0) -> str:
    """Return ``text`` on one line with control, bidi and undecodable characters escaped.

    Args:
        text: anything, also names read from files or the file system.
        limit: cut to that many characters with an ellipsis; 0 means no limit.
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
    return text if not limit or len(text) <= limit else text[: limit - 1] + "…"


def count_noun(n: int, noun: str) -> str:
    """Return ``1 line``, ``2 lines``, ``12,345 lines``."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return a question that names the one of ``words`` that ``word`` is nearly; empty where there is none."""
    from difflib import get_close_matches  # where something is wrong only

    close = get_close_matches(word, [*words], 1, cutoff=0.7)
    return f"did you mean {close[0]}?" if close else ""
