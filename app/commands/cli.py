"""Entry point of the command line: parsing, errors and exit codes. Imports no Qt.

Exit codes are those of ``diff``: 0 the sequences are the same, 1 they differ, 2 error; 128 + n after
signal n, so 130 after Ctrl+C. A window that is closed by a signal was closed: 0.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wavediff.app.commands import COMMANDS, HAVE_DEFAULTS, NO_DEFAULTS, complete, streams
from wavediff.app.commands.help_format import RawFormatter
from wavediff.app.commands.parser import Commands, Parser, PrintVersion
from wavediff.core.base.errors import Cancelled, NotEnoughMemory, WavediffError, did_you_mean, printable
from wavediff.core.jit import compile_log
from wavediff.core.jit.gc_control import import_frozen
from wavediff.core.system import program, signals
from wavediff.core.system.machine import available_memory, raise_mmap_threshold, set_library_variables

OTHER_WORDS = {"diff": "compare", "align": "compare", "cmp": "compare", "grep": "search", "gui": "open", "index": "bwt"}
SAME, DIFFERENT, TROUBLE, READER_GONE = 0, 1, 2, 128 + 13  # SIGPIPE
_HELP = {  # None: it is not listed
    "open": "open the window (the default)",
    "compare": "compare two files without a window",
    "difftool": "show the files that differ, for git difftool",
    "batch": "distances of many pairs at once",
    "contigs": "place the contigs of an assembly on a reference",
    "race": "run several kernels on the same pair, and compare answers and times",
    "search": "find every occurrence of many patterns in files",
    "bwt": "Burrows-Wheeler transform, and back",
    "find": "find patterns by backward search",
    "lesson": "show how a comparison is computed, step by step",
    "doctor": "report cores, vectors, memory, graphics cards and caches",
    "setup": "compile all kernels now instead of at their first use",
    "bench": "measure the kernels",
    "worker": "start a worker of a Dask cluster, for 'batch --scheduler'",
    "desktop": "put the program into the menu of the desktop",
    "completion": "print the completion script of a shell, or the manual page",
    "compile-kernels": None,
}
_ARGUMENTS = {  # modules of this package that add them
    "open": "compare_options", "compare": "compare_options", "difftool": "compare_options", "batch": "compare_options",
    "contigs": "compare_options",
    "race": "compare_options", "search": "search_options", "bwt": "search_options", "find": "search_options",
}  # fmt: skip

_DESCRIPTION = "Show how two sequences differ, and the computation that finds it."
_EPILOG = """A is the reference (rows), B the query (columns).
exit codes: 0 same (search: found), 1 different (search: not found), 2 error, 128 + n after signal n (Ctrl+C: 130)
"""


def main(argv: list[str]) -> int:
    """Run the command in ``argv`` (without the program's name) and return the exit code."""
    streams.prepare()
    raise_mmap_threshold()
    set_library_variables()
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()  # here it can still be reported when that fails
    except (Cancelled, KeyboardInterrupt):
        _print_error("stopped")
        return signals.exit_code()
    except WavediffError as error:
        _print_error(str(error))
    except BrokenPipeError:
        return READER_GONE
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "wavediff" or _wants_traceback():
            raise
        _print_error(f"the package {error.name} is missing here; {program.install_hint()}")
    except Exception as error:
        if _wants_traceback():
            raise
        what = " ".join(str(error).split())
        _print_error(f"defect, {type(error).__name__}: {what} (WAVEDIFF_TRACEBACK=1 shows where)")
    return TROUBLE


def _run(argv: list[str]) -> int:
    top = parser()
    words = complete(argv)
    _refuse_misspelt(top, argv)
    parsers = _parsers(top)
    name = next((word for word in words if not word.startswith("-")), "")
    defaults: Any = None
    if name in HAVE_DEFAULTS and not {"-h", "--help", NO_DEFAULTS} & {*words}:
        defaults = import_frozen("wavediff.app.commands.defaults")
        defaults.set_defaults(parsers, name)
    arguments, rest = top.parse_known_args(words)
    parsers[arguments.command].require_pair(arguments)
    if arguments.command in ("bench", "worker"):  # their options are their own
        arguments.rest = rest
    elif rest:
        parsers[arguments.command].refuse_unknown(rest, parsers["compare"]._option_string_actions)
    arguments.defaults = defaults.take_defaults(arguments, parsers[name]) if defaults else {}
    if arguments.defaults and getattr(arguments, "verbose", False):
        _print(f"note: defaults of {defaults.described(arguments.defaults.values())}")
    compile_log.report = compile_log.ignore  # until a command has a reporter
    module, _, function = COMMANDS[arguments.command].partition(":")
    run: Callable[[argparse.Namespace], int]
    run = getattr(import_frozen(f"wavediff.app.commands.{module}"), function or "run")
    try:
        return run(arguments)
    except Cancelled:
        raise
    except WavediffError as error:
        blamed = [one for one in arguments.defaults.values() if re.search(rf"{one.option}\b", str(error))]
        if not blamed:
            raise
        raise WavediffError(f"{error} ({blamed[0].option} is a default: {blamed[0].place})") from error
    except MemoryError as error:
        free = available_memory() / 1e9
        raise NotEnoughMemory(f"out of memory; {_less_memory(arguments)} ({free:.1f} GB are free now)") from error


def _refuse_misspelt(top: argparse.ArgumentParser, argv: Sequence[str]) -> None:
    """Raise an error with a suggestion for a first word that is neither a command nor a file."""
    of_help = argv[:1] == ["help"]
    word = next(iter(argv[of_help:]), "-")
    if word.startswith("-") or word in (*COMMANDS, "help", "version"):
        return
    from wavediff.app.commands.words import is_input

    if not of_help and is_input(word):
        return
    right = did_you_mean(word, [*COMMANDS, "help"])
    if word.lower() in OTHER_WORDS:
        right = f"did you mean {OTHER_WORDS[word.lower()]}?"
    if right:
        top.error(f"no command '{word}'; {right}")
    if of_help or re.fullmatch(r"[\w-]+", word):
        from wavediff.core.methods.options import joined

        listed = joined([name for name in COMMANDS if name != "compile-kernels"], "and")
        top.error(f"no command{'' if of_help else ' and no file'} '{word}'; the commands are {listed}")


def _parsers(top: argparse.ArgumentParser) -> Mapping[str, Parser]:
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    parsers: Mapping[str, Parser] = commands.choices
    return parsers


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Parse a command line stored in a picture without opening files; WavediffError: invalid, or asks for help."""
    if {"-h", "--help", "--version"} & set(words):
        raise WavediffError("it asks for help")
    return parser().parse_args(words)


def _less_memory(arguments: argparse.Namespace) -> str:
    command, traceback = arguments.command, getattr(arguments, "traceback", None)
    if command in ("compare", "difftool") and traceback != "none":
        from wavediff.core.methods import method
        from wavediff.core.methods.base import TracebackMethod

        paths = method(arguments.method).option("traceback")
        halves = (
            paths is not None and paths.accepts(TracebackMethod.HIRSCHBERG) and traceback != TracebackMethod.HIRSCHBERG
        )
        halving = "--traceback hirschberg needs less, " if halves else ""
        return f"{halving}--traceback none least, and gives no alignment"
    if command == "race" and arguments.alignment:
        return "--no-alignment needs less, and gives no alignment"
    if command == "bwt" and arguments.suffix_array is not None:
        return "without --suffix-array it needs less"
    if command == "search":
        return "--limit N keeps fewer hits, --record searches in one record of a file only"
    if command == "find" and not arguments.count_only:
        return "--limit N locates fewer hits, --count-only none; a larger --sample-interval makes the index smaller"
    if command == "batch":
        return "compare fewer records at once"
    return "free memory, or take shorter sequences"


def parser(name: str = "") -> argparse.ArgumentParser:
    """Return the parser of the program; arguments of a command are added on demand."""
    top = Parser(
        prog=name or program.name(),
        usage="%(prog)s [A [B]] | COMMAND [ARGUMENT...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=RawFormatter,
    )
    top.add_argument("-V", "--version", action=PrintVersion, nargs=0, help="show version, commit and installed kernels")
    commands: Any = top.add_subparsers(
        action=Commands,
        dest="command", required=True, title="commands", metavar="COMMAND", prog=top.prog, parser_class=Parser,
    )  # fmt: skip
    for command, text in _HELP.items():
        commands.add_later(command, text, _ARGUMENTS.get(command, "tool_options"))
    return top


def _wants_traceback() -> bool:
    return bool(os.environ.get("WAVEDIFF_TRACEBACK"))


def _print_error(text: str) -> None:
    _print(f"wavediff: {printable(text)}")


def _print(line: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
