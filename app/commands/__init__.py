"""The command line: subcommands and the functions that run them.

Nothing is imported here, because signal handling depends on this module. A function takes the parsed arguments and
returns the exit code. It raises ``Cancelled`` after Ctrl+C or a request to end, and a ``WavediffError`` with a message
of one line. ``add_NAME`` of an options module receives the result of ``add_subparsers``.
"""

from __future__ import annotations

from collections.abc import Sequence

COMMANDS = {  # module of this package, and its function where that is not ``run``
    "open": "tools:open_window",
    "compare": "compare",
    "batch": "batch",
    "contigs": "contigs",
    "difftool": "difftool",
    "race": "race",
    "search": "search",
    "bwt": "bwt",
    "find": "find",
    "lesson": "lesson",
    "doctor": "tools:doctor",
    "setup": "tools:setup",
    "bench": "tools:bench",
    "worker": "worker",
    "desktop": "desktop",
    "completion": "completion",
    "compile-kernels": "tools:compile_kernels",
}
WINDOW = "open"
# Commands whose options have defaults of the user; the window keeps its own settings.
HAVE_DEFAULTS = ("compare", "difftool", "batch", "contigs", "race", "search", "bwt", "find", "lesson")
NO_DEFAULTS = "--no-defaults"


def complete(argv: Sequence[str]) -> list[str]:
    """Add the default subcommand (the window) to ``argv`` without one."""
    word = next((one for one in argv if not one.startswith("-")), None)
    if word == "help":
        rest = [*argv]
        rest.remove(word)
        return [*rest, "--help"]
    if word == "version":
        return ["--version"]
    named = word in COMMANDS or bool({"-h", "--help", "-V", "--version"} & set(argv))
    return [*argv] if named else [WINDOW, *argv]


def opens_window(argv: Sequence[str]) -> bool:
    return WINDOW in complete(argv)[:1] or {"difftool", "--window"} <= {*argv}
