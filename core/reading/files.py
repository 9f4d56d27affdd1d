"""Files and pipes."""

from __future__ import annotations

import errno
import io
import os
import re
import select
import stat
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from tempfile import NamedTemporaryFile
from types import TracebackType

from wavediff.core.base.errors import InputError, NotEnoughMemory
from wavediff.core.system.machine import available_memory

READ_BYTES = 1 << 20
"""Bytes read and scanned at once: some 1.5 ms of work, so that a stop is answered at once."""

_EXPECTED = "a regular file is needed"
_KINDS = (
    (stat.S_ISDIR, "this is a directory"),
    (stat.S_ISFIFO, "this is a named pipe"),
    (stat.S_ISSOCK, "this is a socket"),
    (stat.S_ISCHR, "this is a character device"),
    (stat.S_ISBLK, "this is a block device"),
)


def read_small(path: str | os.PathLike[str], most_bytes: int, expected: str) -> bytes:
    """Read a regular file of limited size.

    Args:
        most_bytes: maximum size. expected: what is valid, for the error about a larger file.

    Raises:
        InputError: no regular file, unreadable, changed during reading, or larger than ``most_bytes``.
        NotEnoughMemory: the file is larger than free memory.
    """
    with RegularFile(path) as file:
        if file.size > most_bytes:
            raise InputError(file.source, size_text(file.size), expected)
        raw = b"".join(file.pieces())
        file.require_unchanged()
        return raw


def file_digest(path: str | os.PathLike[str], most_bytes: int) -> tuple[int, str]:
    """Return size and SHA-256 (hexadecimal) of a regular file, read in chunks.

    Args:
        most_bytes: maximum size.

    Raises:
        InputError: see ``read_small``.
    """
    with RegularFile(path) as file:
        if file.size > most_bytes:
            raise InputError(file.source, size_text(file.size), f"at most {size_text(most_bytes)} are read")
        digest = sha256()
        for piece in file.pieces():
            digest.update(piece)
        file.require_unchanged()
        return file.size, digest.hexdigest()


def begins_with(path: str | os.PathLike[str], begin: bytes) -> bool:
    """Return whether a file begins with ``begin``; False if unreadable."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return file.read(len(begin)) == begin
    except (OSError, ValueError):
        return False


class RegularFile:
    """Regular file opened for a single reading; a context manager.

    Attributes:
        source: the path as the user named it.
        size: bytes, as reported before the first read.
        raw: unbuffered binary file, for readers that seek (zip).

    Raises:
        InputError: not a regular file, or the system refuses to open it.
        NotEnoughMemory: larger than free memory.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.source = os.fspath(path)
        if not self.source:
            raise InputError("''", "an empty name", _EXPECTED)
        self._path = path
        try:
            before = os.stat(path)
        except (OSError, ValueError) as error:
            typed = re.sub(r"^(\w{2,}):/(?=[^/])", r"\1://", self.source)  # a ``Path`` makes one slash of two
            raise InputError(typed, _why_not_found(typed, error)) from error
        self._require_regular(before)
        self.size = before.st_size
        _require_memory(self.source, self.size)
        # A pipe put in the place of the file after stat() must not block open(): hence O_NONBLOCK.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self.raw = io.FileIO(os.open(path, flags), "rb")
        except OSError as error:
            raise InputError(self.source, why_not_opened(error)) from error
        self._opened = os.fstat(self.raw.fileno())
        if _identity(self._opened) != _identity(before):
            self.raw.close()
            self._require_regular(self._opened)
            raise self._changed()

    def __enter__(self) -> RegularFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.raw.close()

    def pieces(self) -> Iterator[bytes]:
        """Yield the content in chunks of at most ``READ_BYTES``.

        Raises:
            InputError: the device failed, or the size changed.
        """
        done = self.raw.seek(0)
        while done <= self.size and (piece := self._read()):
            done += len(piece)
            yield piece
        if done == self.size:
            return
        if os.fstat(self.raw.fileno()).st_size == self.size:  # as in /proc
            raise InputError(self.source, f"longer than the {self.size} bytes that the system reports", "copy it first")
        raise self._changed()

    def require_unchanged(self) -> None:
        """Raise ``InputError`` if the file changed or was replaced since it was opened."""
        try:
            now = _identity(os.fstat(self.raw.fileno())), _identity(os.stat(self._path))
        except OSError as error:
            raise self._changed() from error
        if now != (_identity(self._opened), _identity(self._opened)):
            raise self._changed()

    def _read(self) -> bytes:
        try:
            return self.raw.read(READ_BYTES) or b""
        except OSError as error:
            raise InputError(self.source, f"reading failed: {error.strerror or error}") from error

    def _require_regular(self, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            problem = next((text for test, text in _KINDS if test(status.st_mode)), "this is no regular file")
            raise InputError(self.source, problem, _EXPECTED)

    def _changed(self) -> InputError:
        return InputError(self.source, "changed while read", "try again")


def size_text(n: int) -> str:
    """Return ``n`` bytes as text with decimal units."""
    value = float(n)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{n} bytes" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def _require_memory(source: str, size: int) -> None:
    free = available_memory()
    if size > free:
        raise NotEnoughMemory(
            f"{InputError(source, 'the file has ' + size_text(size))}, only {size_text(free)} of memory are free;"
            " split the file or free memory"
        )


def _identity(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _why_not_found(path: str, error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "this is no path of a file"
    if error.errno == errno.ELOOP:
        return "the link leads in a circle"
    if error.errno == errno.ENOENT:
        if os.path.islink(path):
            return f"broken link: its target {os.readlink(path)!r} does not exist"
        if ":/" in path and not os.path.isabs(path) and len(path.split(":/")[0]) > 1:
            return "an address, no file; download it first"
        return "no such file"
    return why_not_opened(error)


def why_not_opened(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return "permission denied"
    return f"cannot be opened: {error.strerror or error}"


STDIN = "-"
TERMINAL = "/dev/tty"
STDIN_NAME = "<standard input>"
WAIT_SECONDS = 0.1  # for bytes, before someone is asked whether to go on waiting


def is_pipe(name: str) -> bool:
    """Return whether a name is standard input, a pipe, a terminal or the null device."""
    if name == STDIN:
        return True
    try:
        status = os.stat(name)
        if not stat.S_ISCHR(status.st_mode):
            return stat.S_ISFIFO(status.st_mode)
        # No other device is opened, which may have effects.
        return name == TERMINAL or any(map(partial(os.path.samestat, status), (os.stat(os.devnull), os.fstat(0))))
    except (OSError, ValueError):
        return False


def spooled(name: str) -> Iterator[bytes]:
    """Yield the content of a pipe in chunks; empty bytes while waiting for input.

    Raises:
        InputError: it cannot be opened or read. NotEnoughMemory: larger than free memory.
    """
    most, size = available_memory() * 9 // 10, 0
    for piece in _pieces(name):
        size += len(piece)
        if size > most:
            raise NotEnoughMemory(f"{source_of(name)}: more than the {size_text(most)} of memory that are free")
        yield piece


def kept(name: str, folder: str) -> str:
    """Return the name of a file that can be read twice: a pipe is copied into ``folder``; errors as in ``spooled``."""
    if name == os.devnull or not is_pipe(name):
        return name
    with NamedTemporaryFile(dir=folder, delete=False) as file:
        file.writelines(spooled(name))
    return file.name


def source_of(name: str) -> str:
    return STDIN_NAME if name == STDIN else name


def _pieces(name: str) -> Iterator[bytes]:
    try:
        if sys.platform == "win32":  # where a pipe cannot be waited for
            with open(0 if name == STDIN else name, "rb", closefd=name != STDIN) as file:
                yield from iter(lambda: file.read(READ_BYTES), b"")
            return
        # Where standard input is closed the null device has its number.
        opened = os.dup(-1 if sys.stdin is None else 0) if name == STDIN else os.open(name, os.O_RDONLY | os.O_NONBLOCK)
        try:
            waiting = select.poll()
            waiting.register(opened, select.POLLIN)
            while True:
                if not waiting.poll(1000 * WAIT_SECONDS):
                    yield b""
                elif piece := os.read(opened, READ_BYTES):
                    yield piece
                else:
                    return
        finally:
            os.close(opened)
    except OSError as error:
        raise InputError(source_of(name), f"reading failed: {error.strerror or error}") from error
