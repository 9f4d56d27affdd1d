"""Standard input, pipes and the empty device: read into memory, as they cannot be read twice or sought in."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Iterator
from functools import partial
from tempfile import NamedTemporaryFile

from wavediff.core.base.errors import InputError, NotEnoughMemory
from wavediff.core.reading.files import READ_BYTES, size_text
from wavediff.core.system.machine import available_memory

STDIN = "-"
TERMINAL = "/dev/tty"
STDIN_NAME = "<standard input>"
WAIT_SECONDS = 0.1  # for bytes, before somebody is asked whether to go on waiting


def is_pipe(name: str) -> bool:
    """Return whether a name is that of standard input, of a pipe, a terminal or the empty device."""
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
    """Yield what a pipe has until its end, some bytes at a time; empty bytes while it has to be waited for.

    Raises:
        InputError: it cannot be opened or read. NotEnoughMemory: there is more than the memory that is free.
    """
    most, size = available_memory() * 9 // 10, 0
    for piece in _pieces(name):
        size += len(piece)
        if size > most:
            raise NotEnoughMemory(f"{source_of(name)}: more than the {size_text(most)} of memory that are free")
        yield piece


def kept(name: str, folder: str) -> str:
    """Return a file that can be read twice: a pipe is copied into ``folder`` first; for errors see ``spooled``."""
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
        opened = os.dup(0) if name == STDIN else os.open(name, os.O_RDONLY | os.O_NONBLOCK)
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
