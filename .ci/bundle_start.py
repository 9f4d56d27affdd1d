"""Runs first in a standalone program: what it starts of the system's finds the system's libraries, and not ours."""

from __future__ import annotations

import os

_BEFORE = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)  # what the person had, as PyInstaller keeps it
if _BEFORE is None:
    os.environ.pop("LD_LIBRARY_PATH", None)
else:
    os.environ["LD_LIBRARY_PATH"] = _BEFORE
