"""Standard output and standard error that survive closed or full targets."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any, TextIO


def prepare() -> None:
    """Prepare both streams so that commands can write without checks.

    Failed writes to standard output raise ``ExportError``, or ``BrokenPipeError`` if its reader is gone, and no further
    error at exit. Failed writes to standard error are ignored.
    """
    reserve_standard_streams()
    if sys.stdout is sys.__stdout__:  # a replaced stream raises its own errors
        sys.stdout = _safe_stream(sys.stdout, 1, _Output)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _safe_stream(sys.stderr, 2, _Errors)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Names of files and records may hold what the terminal's encoding cannot.
            stream.reconfigure(errors="backslashreplace")


def reserve_standard_streams() -> None:
    """Keep file descriptors 0 to 2 in use, so no later file becomes a standard stream of a library or child."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    handle = os.open(os.devnull, os.O_RDONLY)
    for standard in (0, 1, 2):
        try:
            os.fstat(standard)
        except OSError:
            os.dup2(handle, standard)  # for reading only: writing fails, as to what is closed
    if handle > 2:
        os.close(handle)


def _safe_stream(stream: TextIO | None, number: int, kind: type[_SafeStream]) -> TextIO:
    if stream is None:
        raw = kind(io.FileIO(number, "wb", closefd=False))
    else:
        with contextlib.suppress(OSError):
            stream.flush()  # what stands in it comes before what is written now
        raw = kind(getattr(stream.buffer, "raw", stream.buffer))  # PYTHONUNBUFFERED leaves no buffer between
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding="utf-8" if stream is None else stream.encoding,
        errors="backslashreplace",
        line_buffering=raw.isatty() or kind is _Errors,
        write_through=kind is _Errors,
    )


class _SafeStream(io.RawIOBase):
    """Base of raw streams that survive system errors."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self._inner = inner

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        handle: int = self._inner.fileno()
        return handle

    def isatty(self) -> bool:
        with contextlib.suppress(OSError):
            return bool(self._inner.isatty())
        return False


class _Output(_SafeStream):
    def write(self, data: Any, /) -> int | None:
        try:
            written: int | None = self._inner.write(data)
        except OSError as error:
            # What is left in the buffers goes nowhere, so that nothing is said of it again at exit.
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if isinstance(error, BrokenPipeError):
                raise
            # Not above: nothing is imported before signals are watched for.
            from wavediff.core.base.errors import ExportError

            raise ExportError(f"standard output: not written: {error.strerror or error}") from error
        return written


class _Errors(_SafeStream):
    def write(self, data: Any, /) -> int | None:
        with contextlib.suppress(OSError):
            written: int | None = self._inner.write(data)
            return written
        return len(data)
