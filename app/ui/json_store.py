"""Small JSON files that outlive the program: read with suspicion, written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from wavediff.core.base.errors import ExportError, WavediffError, printable
from wavediff.core.export.atomic import write_atomic
from wavediff.core.reading.files import read_small

MAX_FILE_BYTES = 1 << 20  # bytes; ours have a few thousand
LOCK_TIMEOUT_SECONDS = 1.0  # with a lock that a process left which died under it; a write takes a hundredth


@contextlib.contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Inside, no other process is that came here for ``path``; where the file cannot be made nobody is kept out."""
    made = False
    end = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while not made and time.monotonic() < end:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            made = True
        except FileExistsError:
            time.sleep(0.01)
        except OSError:
            break
    try:
        yield
    finally:
        if made or time.monotonic() >= end:
            with contextlib.suppress(OSError):
                path.unlink()


class JsonStore:
    """One JSON object in one file.

    Attributes:
        problem: one line for the person when the file had to be put aside, else empty.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""

    def load(self) -> dict[str, Any]:
        """Return the object; empty when there is none. A file that is no JSON object becomes ``.bad``."""
        try:
            status = self.path.stat()
            if stat.S_ISREG(status.st_mode) and status.st_size > MAX_FILE_BYTES:
                return self._put_aside("is too large")
            found = json.loads(read_small(self.path, MAX_FILE_BYTES, "too large"))
        except FileNotFoundError:
            return {}
        except (OSError, WavediffError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error).partition(": ")[2]
            self.problem = f"{printable(str(self.path))}: not read: {why}; defaults are used"
            return {}
        except (ValueError, RecursionError):
            return self._put_aside("is damaged")
        return found if isinstance(found, dict) else self._put_aside("is damaged")

    def save(self, content: dict[str, Any]) -> str:
        """Write the object; return why that failed in one line, or nothing."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self.path, (json.dumps(content, indent=1) + "\n").encode())
        except OSError as error:
            return f"{printable(str(self.path))}: not written: {error.strerror}"
        except ExportError as error:
            return str(error)
        return ""

    def update(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
        """Write what ``change`` makes of the object as it is now; return why that failed in one line, or nothing.

        Another window may write too: no other process comes between the reading and the writing.
        """
        with contextlib.suppress(OSError):  # ``save`` meets it again and says so
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(self.path.with_name(f".{self.path.name}.lock")):
            return self.save(change(self.load()))

    def _put_aside(self, why: str) -> dict[str, Any]:
        bad = self.path.with_name(self.path.name + ".bad")
        with contextlib.suppress(OSError):
            os.replace(self.path, bad)
        text = f"{printable(str(self.path))} {why}: defaults are used, the old file is kept as {bad.name}"
        self.problem = text
        return {}
