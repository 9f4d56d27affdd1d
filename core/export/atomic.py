"""Atomic file writes: complete or not at all.

A temporary file in the same folder is written, flushed to disk and renamed over the old one, so the name always has the
old or the new content. Qt's class is not used because it reports success after a short write on a full disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from wavediff.core.base.errors import ExportError, printable
from wavediff.core.base.file_names import split_name
from wavediff.core.system import signals

# Which machine and process made it: what a killed process left can be distinguished from what a living one writes.
_TEMPORARY = re.compile(r"\.wavediff-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.tmp")
_STALE_SECONDS = 86_400.0
# Network shares (and a full disk) are reported in good time, and Ctrl+C is heard between pieces.
_WRITE_BYTES = 1 << 20

StrPath = str | os.PathLike[str]
_unfinished: set[str] = set()  # temporary files of this process


def write_atomic(
    path: StrPath, chunks: bytes | Iterable[bytes], *, inputs: Sequence[StrPath] = (), size: int = 0
) -> int:
    """Replace the content of ``path`` by ``chunks``; return the number of bytes written.

    A link is followed and stays a link; the mode of an existing file is preserved. Pipes and character devices are
    written directly. On any error, including errors of a chunk, the old file is unchanged and the temporary file
    removed.

    Args:
        path: of the file; its folder must exist.
        chunks: the content, in one piece or as a stream of pieces of any size.
        inputs: files that must not be overwritten, under any spelling or link.
        size: minimum bytes, if known; a disk with less free space is refused before writing.

    Raises:
        ExportError: the path is a directory, an input, read-only or without a folder, or the disk failed or is full.
    """
    name = os.fspath(path)
    pieces = [chunks] if isinstance(chunks, bytes) else chunks
    try:
        kind = check(name, inputs)
        if kind is not None and not stat.S_ISREG(kind):
            return _write_straight(name, pieces)
        free = shutil.disk_usage(os.path.dirname(os.path.realpath(name))).free
        if size > free:  # next to the old file, which stays until the new one is whole
            raise ExportError(f"{printable(name)}: not written: it needs {size:,} bytes, and {free:,} are free there")
        return _replace(os.path.realpath(name), kind, pieces)
    except OSError as error:
        kept = "; the file that was there is untouched" if os.path.isfile(name) else ""
        raise ExportError(f"{printable(name)}: not written: {error.strerror or error}{kept}") from error


def check(path: StrPath, inputs: Sequence[StrPath] = ()) -> int | None:
    """Raise the errors of ``write_atomic`` in advance, before a long computation.

    Returns:
        The mode of an existing file, as in ``os.stat``, or None.

    Raises:
        ExportError: as ``write_atomic``, except errors of writing.
    """
    name = os.fspath(path)
    shown = printable(name)
    try:
        kind = os.stat(name).st_mode
    except FileNotFoundError:
        folder = os.path.dirname(os.path.realpath(name))
        if not os.path.isdir(folder):
            raise ExportError(f"{shown}: not written: there is no folder {printable(folder)}") from None
        return None
    except OSError as error:
        raise ExportError(f"{shown}: not written: {error.strerror or error}") from error
    if stat.S_ISDIR(kind):
        raise ExportError(f"{shown}: not written: this is a folder, a file name is needed")
    if not (stat.S_ISREG(kind) or stat.S_ISCHR(kind) or stat.S_ISFIFO(kind)):
        raise ExportError(f"{shown}: not written: this is no file")
    for source in inputs:
        with contextlib.suppress(OSError):
            if os.path.samefile(name, split_name(source).file):
                raise ExportError(f"{shown}: not written: this is the input {printable(os.fspath(source))}")
    if not os.access(name, os.W_OK):
        raise ExportError(f"{shown}: not written: the file is read-only")
    return kind


def _write_straight(name: str, pieces: Iterable[bytes]) -> int:
    # Without a reader the opening of a pipe would wait for ever; this way it fails at once.
    flags = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(name, flags)
    with open(handle, "wb", buffering=0) as out:
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        return sum(_write(out.fileno(), piece) for piece in pieces)


def _replace(target: str, kind: int | None, pieces: Iterable[bytes]) -> int:
    folder = os.path.dirname(target)
    remove_stale_temporaries(folder)
    temporary = os.path.join(folder, f".wavediff-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}.tmp")
    _unfinished.add(temporary)  # before it is there: a signal may end the process at any time
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            if kind is not None and hasattr(os, "fchmod"):
                os.fchmod(handle, stat.S_IMODE(kind))
            written = sum(_write(handle, piece) for piece in pieces)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        _unfinished.discard(temporary)
    _flush_folder(folder)
    return written


def _remove_unfinished() -> None:
    for temporary in list(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(temporary)


signals.on_immediate_exit(_remove_unfinished)


def _write(handle: int, piece: bytes) -> int:
    view = memoryview(piece)
    done = 0
    while done < len(view):
        done += os.write(handle, view[done : done + _WRITE_BYTES])
    return done


def _flush_folder(folder: str) -> None:
    """Sync the folder so that the rename survives a power loss, if folders can be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _machine() -> str:
    return hashlib.sha256(platform.node().encode("utf-8", "surrogateescape")).hexdigest()[:8]


def remove_stale_temporaries(folder: StrPath) -> int:
    """Delete temporary files that killed runs left in ``folder``; return their number.

    A file is deleted if its name is one of ours and its process has ended on this machine, or if it is a day old.
    """
    gone = 0
    with contextlib.suppress(OSError):
        for entry in Path(folder).iterdir():
            made = _TEMPORARY.fullmatch(entry.name)
            if made is None:
                continue
            with contextlib.suppress(OSError):
                import psutil

                ours_and_dead = made[1] == _machine() and not psutil.pid_exists(int(made[2]))
                if ours_and_dead or time.time() - entry.stat().st_mtime > _STALE_SECONDS:
                    entry.unlink()
                    gone += 1
    return gone
