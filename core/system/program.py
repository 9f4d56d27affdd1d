"""The program itself: where it lies, how it was called, and how another process starts it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND_NAME = "wavediff"  # what an installation calls it
SCRIPT_NAME = "main.py"  # what a checkout calls it


def name() -> str:
    """Return what to type before a subcommand, as the person typed it who started this process."""
    return f"python {SCRIPT_NAME}" if _started_as_script() else COMMAND_NAME


def command() -> tuple[str, ...]:
    """Return the words that start the program from any folder: absolute paths, the program as this process runs it."""
    if getattr(sys, "frozen", False):  # a standalone program is its own Python
        return (sys.executable,)
    if not _started_as_script():
        # Not resolved: pipx puts a link into a folder that lasts, to a place that changes with each upgrade.
        found = shutil.which(sys.argv[0])
        if found is not None and Path(found).stem == COMMAND_NAME:
            return (os.path.abspath(found),)
    return (sys.executable, str(ROOT / SCRIPT_NAME))


def child_command(*words: str) -> tuple[str, ...]:
    """Return what starts a child of this program, for a command of its own, with Python's usual search path."""
    if getattr(sys, "frozen", False):
        return (sys.executable, *words)
    return (sys.executable, "-P", str(ROOT / SCRIPT_NAME), *words)


def child_environment() -> dict[str, str]:
    """Return the environment of a child, in which Python finds no code in the folder that one stands in."""
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(os.path.isabs, inherited))}


def install_hint() -> str:
    """Return in a few words what helps where a package is missing."""
    return "'make run' sets up everything" if (ROOT / "Makefile").is_file() else "install Wavediff again"


def _started_as_script() -> bool:
    return Path(sys.argv[0]).name == SCRIPT_NAME
