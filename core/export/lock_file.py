"""One process at a time: a file that only one can make."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

STALE_SECONDS = 2.0  # seconds; what is done under such a file takes a hundredth of it, so an older one was left behind


@contextlib.contextmanager
def file_lock(path: Path, patience: float = STALE_SECONDS) -> Iterator[None]:
    """Inside, no other process is that came here for ``path``; where the file cannot be made nobody is kept out.

    Args:
        patience: seconds after which a file that is there was left behind.
    """
    made = False
    end = time.monotonic() + patience
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
