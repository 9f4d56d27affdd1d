"""The command line: what can be asked, and how each way of ending is told. No Qt is imported here.

Exit codes are those of ``diff``: 0 the sequences are the same, 1 they differ, 2 error; 128 + n after
signal n, so 130 after Ctrl+C. A window that is closed by a signal was closed: 0.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from wavediff.app.commands import COMMANDS, HAVE_DEFAULTS, NO_DEFAULTS, complete, streams
from wavediff.app.commands.bwt_options import add_bwt, add_find
from wavediff.app.commands.lesson_options import add_lesson
from wavediff.app.commands.method_options import BATCH_OPTIONS, COMPARE_OPTIONS, add_method_options
from wavediff.app.commands.options import (
    add_ambiguity,
    add_answer,
    add_case,
    add_cluster,
    add_device,
    add_format,
    add_letters,
    add_orientation,
    add_output,
    add_pictures,
    add_reading,
    add_threads,
    letters,
    listed,
)
from wavediff.app.commands.parser import Parser
from wavediff.app.commands.race_options import add_race
from wavediff.app.commands.search_options import add_search
from wavediff.app.commands.view_options import add_views
from wavediff.app.commands.words import is_input
from wavediff.core.base.errors import Cancelled, NotEnoughMemory, WavediffError, did_you_mean, printable
from wavediff.core.export.registry import BATCH, COMPARISON, RECORD, TIMINGS
from wavediff.core.jit import compile_log
from wavediff.core.jit.gc_control import import_frozen
from wavediff.core.jobs.choices import Pairing
from wavediff.core.methods import METHODS, Method, method
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.options import joined
from wavediff.core.system import program, signals
from wavediff.core.system.machine import available_memory, raise_mmap_threshold, set_library_variables
from wavediff.core.system.version import VERSION

OTHER_WORDS = {"diff": "compare", "align": "compare", "cmp": "compare", "grep": "search", "gui": "open", "index": "bwt"}
SAME, DIFFERENT, TROUBLE = 0, 1, 2

_DESCRIPTION = "Show how two sequences differ, and the computation that finds it."
_EPILOG = """A is the reference (rows), B the query (columns).
exit codes: 0 same (search: found), 1 different (search: not found), 2 error, 128 + n after signal n (Ctrl+C: 130)
"""


def main(argv: list[str]) -> int:
    """Do what ``argv`` (without the program's name) asks and return the exit code."""
    streams.prepare()
    raise_mmap_threshold()
    set_library_variables()
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()  # here it can still be told when that fails
    except (Cancelled, KeyboardInterrupt):
        _print_error("stopped")
        return signals.exit_code()
    except WavediffError as error:
        _print_error(str(error))
    except BrokenPipeError:
        pass  # the reader of our output has gone, which is its right
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
    if arguments.command in ("bench", "worker"):  # their options are their own
        arguments.rest = rest
    elif rest:
        parsers[arguments.command].refuse_unknown(rest)
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
    """Refuse a first word that is neither a command nor a file, and looks like a command."""
    of_help = argv[:1] == ["help"]
    word = next(iter(argv[of_help:]), "-")
    if word.startswith("-") or word in (*COMMANDS, "help", "version") or (not of_help and is_input(word)):
        return
    right = did_you_mean(word, [*COMMANDS, "help"])
    if word.lower() in OTHER_WORDS:
        right = f"did you mean {OTHER_WORDS[word.lower()]}?"
    if right:
        top.error(f"no command '{word}'; {right}")
    if of_help or re.fullmatch(r"[\w-]+", word):
        listed = joined([name for name in COMMANDS if name != "compile-kernels"], "and")
        top.error(f"no command{'' if of_help else ' and no file'} '{word}'; the commands are {listed}")


def _parsers(top: argparse.ArgumentParser) -> Mapping[str, Parser]:
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    found: Mapping[str, Parser] = commands.choices
    return found


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments of a command line that is kept in a picture.

    Raises:
        WavediffError: it does not fit.
    """
    if {"-h", "--help", "--version"} & set(words):
        raise WavediffError("it asks for help")
    return parser().parse_args(words)


def _less_memory(arguments: argparse.Namespace) -> str:
    """Return in a sentence what of the options of this command takes less memory."""
    command, traceback = arguments.command, getattr(arguments, "traceback", None)
    if command in ("compare", "difftool") and traceback != "none":
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
    top = Parser(
        prog=name or program.name(),
        usage="%(prog)s [A [B]] | COMMAND [ARGUMENT...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("-V", "--version", action="version", version=f"wavediff {VERSION}")
    commands = top.add_subparsers(
        dest="command", required=True, title="commands", metavar="COMMAND", prog=top.prog, parser_class=Parser
    )
    _open(commands)
    _compare(commands)
    _difftool(commands)
    _batch(commands)
    add_race(commands)
    add_search(commands)
    add_bwt(commands)
    add_find(commands)
    add_lesson(commands)
    doctor = commands.add_parser(
        "doctor",
        usage="%(prog)s [--json]",
        help="say what this machine offers",
        description="Say what this machine offers.",
    )
    doctor.add_argument("--json", action="store_true", help="as JSON")
    commands.add_parser("bench", help="measure the kernels", add_help=False)
    worker = commands.add_parser(
        "worker",
        usage="%(prog)s ADDRESS [OPTION...]",
        help="a worker of a Dask cluster, for 'batch --scheduler'",
        description="Start Dask's own worker with this program in it; it ends with the cluster, or by Ctrl+C. "
        "Options are those of 'dask worker': --nthreads 4, --tls-ca-file F",
    )
    worker.add_argument("address", metavar="ADDRESS", help="of the scheduler: tcp://host:8786")
    desktop = commands.add_parser(
        "desktop",
        usage="%(prog)s [--remove]",
        help="put the program into the menu of the desktop",
        description="Write a launcher, an icon and the file types FASTA and FASTQ for this user, as freedesktop.org "
        "has it (below $XDG_DATA_HOME, else ~/.local/share).",
    )
    desktop.add_argument("--remove", action="store_true", help="take all of it back")
    completion = commands.add_parser(
        "completion",
        usage="%(prog)s SHELL",
        help="print a script by which a shell completes commands and options, or the manual page",
        description="Print a script by which a shell completes commands, options, values and files; for 'man' the "
        "manual page.",
    )
    completion.add_argument("shell", choices=["bash", "zsh", "fish", "man"], metavar="SHELL", help="%(choices)s")
    _compile_kernels(commands)
    for name in HAVE_DEFAULTS:
        commands.choices[name].add_argument(NO_DEFAULTS, action="store_true", help="take no defaults")
    return top


def _open(commands: Any) -> None:
    window = commands.add_parser(
        "open",
        usage="%(prog)s [OPTION...] [A [B]]",
        help="open the window (the default)",
        description="Open the window, on A and B where they are named, compared and shown as the options say. All else "
        "is as it was chosen last.",
    )
    window.add_argument(
        "paths", nargs="*", metavar="FILE", help="A and B; when there is none, the window asks for them"
    )
    _pair_options(window, [method for method in METHODS if method.of_letters])
    add_views(window)
    window.set_defaults(**dict.fromkeys(action.dest for action in window._actions if action.option_strings))
    window.set_defaults(main=main)  # for the demo pair where there is no display


def _compare(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        usage="%(prog)s [OPTION...] A B",
        help="compare two files without a window",
        description="Compare A (reference) with B (query): FASTA, FASTQ or plain text, also compressed.",
        epilog="exit codes: 0 same letters under the case rule, 1 different, 2 error, 130 stopped by Ctrl+C",
    )
    compare.add_argument("a", metavar="A", help="file with the reference")
    compare.add_argument("b", metavar="B", help="file with the query")
    compare.set_defaults(title="", names={})
    _compare_options(compare)


def _difftool(commands: Any) -> None:
    difftool = commands.add_parser(
        "difftool",
        usage="%(prog)s [OPTION...] LOCAL REMOTE [MERGED]",
        help="show a file that differs, for git difftool",
        description="Show what differs between two versions of a file, or between the files of two folders, as "
        "compare does. A file that is not one sequence is compared as text.",
        epilog="exit codes: 0 shown, 2 error, 130 stopped by Ctrl+C",
    )
    difftool.add_argument("a", metavar="LOCAL", help="the old file, /dev/null where there is none, or a folder")
    difftool.add_argument("b", metavar="REMOTE", help="the new file, /dev/null where there is none, or a folder")
    difftool.add_argument("merged", metavar="MERGED", nargs="?", help="what the repository calls it")
    difftool.add_argument("--window", action="store_true", help="open the window, but for a new or deleted file")
    difftool.set_defaults(main=main)
    _compare_options(difftool)


def _pair_options(command: Any, methods: Iterable[Method] = METHODS) -> Any:
    """Add how a pair is read and compared, on the command line and in the window; return the group of the latter."""
    command.add_argument(
        "-m", "--method", choices=[one.id for one in methods], default=METHODS[0].id,
        help=f"{', '.join(f'{one.id}: {one.long_name}' for one in methods)} (default: %(default)s)",
    )  # fmt: skip
    add_reading(command, ("--record-a", "A"), ("--record-b", "B"))
    matching = command.add_argument_group("which letters match")
    add_case(matching)
    add_letters(matching)
    add_ambiguity(matching)
    add_orientation(command)
    how = command.add_argument_group("how it is computed")
    add_device(how)
    add_method_options(how, COMPARE_OPTIONS)
    return how


def _compare_options(compare: Any) -> None:
    how = _pair_options(compare)
    add_threads(how)
    how.add_argument(
        "--anyway",
        action="store_true",
        help="begin a long comparison too that will not show what both share",
    )
    how.add_argument(
        "--prove",
        action="store_true",
        help="compute the score again by a second algorithm, which the summary, JSON, PAF, SAM and VCF name",
    )
    add_cluster(compare, "compute its matrix, for the number alone (--traceback none)")
    written = add_output(compare, *COMPARISON, TIMINGS, *RECORD, verbose="figures, strategy, device and checks too")
    add_answer(written)
    add_pictures(compare, written, "the letters, or another --view", "how that was computed, or how a band widens")
    add_views(compare)
    written.add_argument(
        "--split", type=letters, metavar="N", help="with --paf: a line ends at a gap of N letters or more, and another "
        "one begins behind it; 0: one line (default: 1000)",
    )  # fmt: skip
    written.add_argument(
        "--vcf-strict", action="store_true", help="with --vcf: where A has an ambiguity code, REF is the first base "
        "that it may stand for, as VCF 4.3 asks (default: the code, which bcftools consensus applies)",
    )  # fmt: skip


def _wants_traceback() -> bool:
    return bool(os.environ.get("WAVEDIFF_TRACEBACK"))


def _print_error(text: str) -> None:
    _print(f"wavediff: {printable(text)}")


def _print(line: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


def _batch(commands: Any) -> None:
    """Add the subcommand; ``commands`` is what ``add_subparsers`` returned."""
    batch = commands.add_parser(
        "batch",
        usage="%(prog)s [OPTION...] A [B]",
        help="distances of many pairs at once",
        description="Compare the records of A with those of B, pair by pair or each with each, or those of A with each "
        "other: distances only, no alignments.",
        epilog="exit codes: 0 the two of every pair have the same letters, 1 not so, 2 error, 130 interrupted",
    )
    batch.add_argument("a", metavar="A", help="file of many records")
    batch.add_argument("b", metavar="B", nargs="?", help="another one; without it the records of A with each other")
    batch.add_argument(
        "-m", "--method", choices=[one.id for one in METHODS if one.batch is not None], default=EDIT.id,
        help=f"{', '.join(f'{one.id}: {one.batch.numbers}' for one in METHODS if one.batch)} (default: %(default)s)",
    )  # fmt: skip
    batch.add_argument(
        "--pairs", choices=listed(Pairing),
        help="one-to-one: first with first, second with second...; all-to-all: each with each (default: one-to-one "
        "of two files)",
    )  # fmt: skip
    add_format(batch.add_argument_group("how files are read"), "B")
    matching = batch.add_argument_group("which letters match")
    add_case(matching)
    add_letters(matching)
    how = batch.add_argument_group("how it is computed")
    add_device(how)
    add_method_options(how, BATCH_OPTIONS)
    add_threads(how)
    add_cluster(batch, "compute the pairs")
    add_pictures(batch, add_output(batch, *BATCH), "the heat map of --pairs all-to-all")


def _compile_kernels(commands: Any) -> None:
    """Add the command that compiles kernels; without help, so that it is not listed: only packagers need it."""
    command = commands.add_parser(
        "compile-kernels",
        usage="%(prog)s --all --cpu {x86-64-v3,x86-64-v4} --out FOLDER",
        description="Compile all kernels for a level of x86-64, to be shipped: the program looks for them in 'kernels' "
        "beside its packages.",
    )
    # What a window or a command starts: for itself, with wishes on standard input.
    command.add_argument("lane", nargs="?", choices=["everything", "walks", "rest"], help="which kernels")
    command.add_argument("--asked", action="store_true", help="only what standard input asks for")
    command.add_argument("--all", action="store_true", help="all kernels, to be shipped")
    command.add_argument("--cpu", choices=["x86-64-v3", "x86-64-v4"], help="the level")
    command.add_argument("--out", metavar="FOLDER", help="gets a folder for the level and the compiler's version")
