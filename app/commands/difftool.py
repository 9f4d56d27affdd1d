"""``difftool``: the command that ``git difftool`` calls, per changed file or once for two folders."""

from __future__ import annotations

import argparse
import filecmp
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from wavediff.app.commands import WINDOW, compare
from wavediff.app.commands.options import chosen
from wavediff.app.commands.progress import renamed
from wavediff.app.commands.tools import open_window
from wavediff.core.base.errors import Cancelled, InputError, WavediffError, printable
from wavediff.core.base.numbers import number
from wavediff.core.export.registry import COMPARISON, FILMS, PICTURES, RECORD, TIMINGS
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.lines import LINES
from wavediff.core.reading.files import kept
from wavediff.core.sequences.read_as import ReadAs

EQUAL_SEQUENCES = "the sequences are equal; the lines differ:"


def run(arguments: argparse.Namespace) -> int:
    """Show each changed file; return 0, as git difftool --trust-exit-code stops at any other code.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: files that cannot be shown, after all others; or a window was requested for two folders.
    """
    a, b = arguments.a, arguments.b
    folders = os.path.isdir(a) and os.path.isdir(b)
    if arguments.window and folders:
        raise WavediffError("--window shows one file at a time: leave out --dir-diff")
    if arguments.window:
        return _open_window(arguments)
    if not folders:
        with TemporaryDirectory() as folder:
            _show(arguments, kept(a, folder), kept(b, folder), arguments.merged or (a if b == os.devnull else b))
        return 0
    wrong = []
    for name in _differing(Path(a), Path(b)):
        try:
            _show(arguments, _or_nothing(a, name), _or_nothing(b, name), name)
        except Cancelled:
            raise
        except WavediffError as error:
            wrong.append(str(error))
    if wrong:
        raise WavediffError("; ".join(wrong))
    return 0


def _open_window(arguments: argparse.Namespace) -> int:
    """Open the window on both files with the options of the command line; user defaults do not apply."""
    pair = arguments.a, arguments.b
    window, usual = (arguments.parsed([command, *pair]) for command in (WINDOW, "difftool"))
    for name, value in chosen(arguments, usual).items():
        if name in ("merged", "window"):
            continue
        if not hasattr(window, name):
            raise WavediffError(f"--{name.replace('_', '-')} does not go with --window")
        setattr(window, name, value)
    return open_window(window)


def _show(arguments: argparse.Namespace, a: str, b: str, name: str) -> None:
    """Show one file under its repository path ``name``, as text unless it is one sequence."""
    what = ": new file" if a == os.devnull else ": deleted" if b == os.devnull else ""
    if os.path.basename(a) == os.path.basename(name) != os.path.basename(b) and not what:
        what = f" → {printable(os.path.basename(b) if os.path.isabs(b) else b)}"
    title = printable(name) + what
    names = {a: f"{printable(name)} (old)", b: f"{printable(name)} (new)"}
    names.pop(os.devnull, None)
    options = vars(arguments) | {"a": a, "b": b, "names": names, "single_lines": True}
    asked = argparse.Namespace(**options | {"title": title})
    try:
        try:
            equal = compare.run(asked) == 0
            if equal and arguments.method == AUTOMATIC and asked.method != LINES.id and _differ(asked):
                more = {"title": EQUAL_SEQUENCES, "method": LINES.id, "format": str(ReadAs.TEXT)}
                compare.run(argparse.Namespace(**options | more))
        except WavediffError as error:
            of_input = error if isinstance(error, InputError) else error.__cause__
            if asked.format != ReadAs.AUTO or not isinstance(of_input, InputError):
                raise
            if of_input.instead == ReadAs.BYTES:
                sizes = " and ".join(number(os.path.getsize(path)) for path in (a, b))
                sys.stdout.write(f"{title}\nbinary files of {sizes} bytes; --format bytes compares them\n")
                sys.stdout.flush()
                return
            asked.format = str(ReadAs.TEXT)
            compare.run(asked)
    except Cancelled:
        raise
    except WavediffError as error:
        raise WavediffError(renamed(str(error), names)) from error


def _differ(asked: argparse.Namespace) -> bool:
    """Return whether the bytes differ; True only if the terminal is the only output."""
    formats = (*COMPARISON, TIMINGS, *RECORD, *PICTURES, *FILMS)
    written = asked.quiet or any(getattr(asked, one.dest) is not None for one in formats)
    return not written and os.devnull not in (asked.a, asked.b) and not filecmp.cmp(asked.a, asked.b, shallow=False)


def _or_nothing(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    return path if os.path.lexists(path) else os.devnull


def _differing(a: Path, b: Path) -> list[str]:
    both = {one.relative_to(folder).as_posix() for folder in (a, b) for one in folder.rglob("*") if os.path.isfile(one)}
    compared = filecmp.cmpfiles(a, b, sorted(both), shallow=False)
    return sorted({*compared[1], *compared[2]})
