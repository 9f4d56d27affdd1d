"""``open``: start the window, or say why there can be none before Qt ends the process over it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module

from wavediff.app.ui.samples import DEMO_PAIR
from wavediff.core.base.errors import InputError, WavediffError
from wavediff.core.system import program, signals
from wavediff.core.system.qt_libraries import install_line, missing, why_no_display


def run(arguments: argparse.Namespace) -> int:
    """Return what the window returns; without a display compare the demo pair on the command line.

    Raises:
        WavediffError: files were named and there is no display, or Qt lacks libraries of the system.
    """
    paths: list[str] = arguments.paths
    if len(paths) > 2:
        raise InputError(paths[2], "a third file", "name two: A (reference) and B (query)")
    if "" in paths:
        raise InputError("''", "an empty name", "name a file")
    reason = why_no_display()
    if reason is not None:
        if paths:
            raise WavediffError(f"{reason}; 'compare' needs none: {program.name()} compare A B")
        return _demo(reason, arguments.main)
    lacking = missing()
    if lacking:
        raise WavediffError(f"the window needs libraries of the system: {install_line(lacking)}")
    # By name: the command line must not need Qt, not even for an import.
    import_module("wavediff.app.window.qt_features").leave_sources_unread()
    main: Callable[[list[str]], int] = import_module("wavediff.app.window.application").main
    return main(paths)


def _demo(reason: str, main: Callable[[list[str]], int]) -> int:
    signals.forget_window()
    sys.stderr.write(f"wavediff: {reason}; comparing the demo pair on the command line\n")
    code = main(["compare", *map(str, DEMO_PAIR)])
    return 0 if code == 1 else code  # they differ, as they should
