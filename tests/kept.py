"""Folders that tests keep between runs, beside the compiled kernels of the program: what is costly to build again.

Everything in them is named by a digest of all it was made from, so that several checkouts and processes share them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from wavediff.core.jit import compile_cache

UNUSED_SECONDS = 30 * 86400.0


def folder(name: str) -> Path:
    """Return a folder of the cache that only its owner can write, as what lies in it may be executed."""
    place = compile_cache.base_folder() / "tests" / name
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = place.stat()
    if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        raise PermissionError(f"{place} belongs to or can be written by somebody else")
    return place


def kept(path: Path, build: Callable[[Path], object]) -> Path:
    """Return ``path``, made by ``build`` under another name first where it is missing: nobody sees half of it."""
    try:
        os.utime(path)
    except FileNotFoundError:
        new = path.with_name(f"{os.getpid()}-{path.name}")
        build(new)
        os.replace(new, path)
    return path


def sweep(place: Path) -> None:
    """Delete what no run has used for a month."""
    oldest = time.time() - UNUSED_SECONDS
    for path in place.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
