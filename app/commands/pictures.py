"""Pictures and films of the command line, drawn by the window's views in Qt, without a display."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from wavediff.app.commands.files import STDOUT, Files
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.registry import FILMS, PICTURES
from wavediff.core.system.qt_libraries import install_line, missing


def require_qt() -> None:
    """Raise an error without Qt, before any computation.

    Raises:
        WavediffError: Qt or a system library is missing.
    """
    if find_spec("PySide6") is None:
        raise WavediffError("pictures need Qt: the package PySide6 is missing here")
    lacking = missing()
    if lacking:
        raise WavediffError(f"pictures need system libraries: {install_line(lacking)}")


def pictures_of(arguments: argparse.Namespace, inputs: tuple[str, ...]) -> Files:
    files = Files.of(
        arguments, (picture for picture in (*PICTURES, *FILMS) if hasattr(arguments, picture.dest)), inputs
    )
    if files.paths:
        require_qt()
    return files


def write_pictures(files: Files, arguments: argparse.Namespace, make: Callable[[Any], Any]) -> list[str]:
    """Write the requested pictures and films.

    Args:
        make: returns a ``wavediff.app.ui.picture_sheet.Pictured``; called within Qt, with a dict that has the key
            ``size`` (width and height in pixels) unless automatic.

    Returns:
        Additional files written.

    Raises:
        ExportError: a file cannot be written. WavediffError: no such picture.
    """
    written: list[str] = []
    if not files.paths:
        return written
    sheets = import_module("wavediff.app.ui.picture_sheet")  # by name: the command line must not need Qt
    with sheets.offscreen():
        size = {} if arguments.size is None else {"size": arguments.size}
        words = [] if arguments.size is None else ["--size", "{}x{}".format(*arguments.size)]
        made = make(size)
        pictured = made.by(made.recipe, keeps_paths=arguments.keep_paths)
        for kind, path in files.paths.items():
            others = pictured.companions(kind, path) if kind in FILMS else {}
            if kind in FILMS:
                content = pictured.film(kind, *words)
            else:
                content = pictured.picture(kind, arguments.dpi, arguments.width or 0, *words)
            if path == STDOUT:
                sys.stdout.buffer.write(content)
                sys.stdout.buffer.flush()
            else:
                write_atomic(path, content)
            for name, text in others.items():
                write_atomic(name, text)
            written += others
    return written
