"""Location and invocation of the program."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKOUT_PACKAGE = ROOT / ".ci" / "package"  # where Python finds ``wavediff`` in a checkout; not in an installation
COMMAND_NAME = "wavediff"  # command of an installation
SCRIPT_NAME = "main.py"  # command of a checkout


def name() -> str:
    """Return the command name as the user typed it."""
    if _started_as_script():
        return f"python {SCRIPT_NAME}"
    as_module = Path(sys.argv[0]).parts[-2:] == (COMMAND_NAME, "__main__.py")
    return f"python -m {COMMAND_NAME}" if as_module else COMMAND_NAME


def command() -> tuple[str, ...]:
    """Return the command that starts the program from any folder, with absolute paths."""
    if getattr(sys, "frozen", False):  # a standalone program is its own Python
        return (sys.executable,)
    if not _started_as_script():
        # Not resolved: pipx links from a permanent folder to a location that changes with each upgrade.
        path = shutil.which(sys.argv[0])
        if path is not None and Path(path).stem == COMMAND_NAME:
            return (os.path.abspath(path),)
    return (sys.executable, str(ROOT / SCRIPT_NAME))


def child_command(*words: str) -> tuple[str, ...]:
    """Return the command that starts this program as a child process, with Python's default search path."""
    if getattr(sys, "frozen", False):
        return (sys.executable, *words)
    return (sys.executable, "-P", str(ROOT / SCRIPT_NAME), *words)


def child_environment() -> dict[str, str]:
    """Return the environment of a child process: it imports this ``wavediff``, and nothing from the current folder."""
    inherited = filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    ours = [str(CHECKOUT_PACKAGE)] if os.path.isdir(CHECKOUT_PACKAGE) else []  # Python itself finds what is installed
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys((*ours, *inherited)))}


def install_hint() -> str:
    """Return a hint for a missing package."""
    return "'make run' sets up everything" if os.path.isfile(ROOT / "Makefile") else "install Wavediff again"


def lacks(package: str) -> str:
    """Return an error text for a missing package, with the command that installs it for this Python."""
    if getattr(sys, "frozen", False):
        return f"the standalone program has no {package}"
    words = [sys.executable, "-m", "pip", "install", package]
    if os.path.isfile(os.path.join(sys.prefix, "pipx_metadata.json")):
        words = ["pipx", "inject", os.path.basename(sys.prefix), package]
    return f"the package {package} is missing here: {shlex.join(words)}"


def _started_as_script() -> bool:
    return Path(sys.argv[0]).name == SCRIPT_NAME
