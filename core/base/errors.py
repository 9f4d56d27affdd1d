"""Exception hierarchy. Each message is one line with a remedy."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path

NAMES = {"<pasted>": "Text", "<typed>": "Patterns"}  # of sources that are no files


class WavediffError(Exception):
    """Base class; ``str()`` is a one-line message for the user."""


class Cancelled(WavediffError):
    """The job was cancelled."""


class InputError(WavediffError):
    """A file, paste or argument that cannot be used.

    Args:
        source: the file (or ``<pasted>``) as the user named it.
        found: the problem.
        expected: description of valid input; may be empty.
        record: 1-based number and name of the record, if known.
        line, column: 1-based position, if known.
        instead: possible values of ``wavediff.core.sequences.read_as.ReadAs``; may be empty.
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
    """A saved transform was given instead of a sequence; the file may be valid."""

    def __init__(self, source: str) -> None:
        super().__init__(source, "this is a saved transform", "'find' and 'bwt --inverse' read it, and the window")


class BackendUnavailable(WavediffError):
    """The requested device cannot run the job; the message has the reason."""


class ClusterError(WavediffError):
    """A cluster is unreachable, or cannot compute its task."""


class NotEnoughMemory(WavediffError):
    """The job exceeds the available memory; the message has both numbers, ``remedy`` the options that need less."""

    def __init__(self, text: str, **remedy: object) -> None:
        super().__init__(text)
        self.remedy = remedy


class DeviceError(WavediffError):
    """The graphics card failed; the job continues on the CPU, and the card is not used again."""


class DeviceOutOfMemory(DeviceError):
    """The graphics card lacks memory for a job; smaller jobs can still run on it."""


class DeviceTooSmall(DeviceOutOfMemory):
    """A job exceeds the integer range of the kernels; the message is a clause."""


class DeviceDefect(DeviceError):
    """A kernel of the graphics card has a defect; the card itself is fine."""


class DeviceLost(DeviceError):
    """The context of the graphics card is lost; it is unusable until a restart."""


class SelfCheckFailed(WavediffError):
    """A result failed its verification and was discarded: a defect of program or machine."""


class ExportError(WavediffError):
    """A file could not be written; an existing file is unchanged."""


def error_location(error: BaseException) -> str:
    """Return type, message and location of an exception as a clause: ``ValueError: ..., walk.py, line 7``."""
    text = " ".join(str(error).split())
    frames = traceback.extract_tb(error.__traceback__)
    place = f", {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{': ' if text else ''}{printable(text, 200)}{place}"


def printable(text: str, limit: int = 0) -> str:
    """Return ``text`` on one line with control, bidi and undecodable characters escaped.

    Args:
        text: any text, e.g. names from files.
        limit: maximum characters, with an ellipsis; 0: no limit.
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
    return text if not limit or len(text) <= limit else text[: limit - 1] + "…"


def capitalized(text: str) -> str:
    """Return ``text`` with a capital first letter; unlike ``str.capitalize`` the others stay."""
    return text[:1].upper() + text[1:]


def count_noun(n: int, noun: str) -> str:
    """Return ``1 line``, ``2 lines``, ``12,345 lines``."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Suggest the one of ``words`` closest to ``word``, as a question; empty if none is close."""
    from difflib import get_close_matches  # where something is wrong only

    close = get_close_matches(word, [*words], 1, cutoff=0.7)
    return f"did you mean {close[0]}?" if close else ""
