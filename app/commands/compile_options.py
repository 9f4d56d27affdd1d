"""The options of ``compile-kernels``, which only packagers need know: without help, so that it is not listed."""

from __future__ import annotations

from typing import Any


def add_compile_kernels(commands: Any) -> None:
    """Add the command that compiles kernels for the process that started it, or to be shipped."""
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
