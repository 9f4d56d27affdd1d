"""Tool commands: ``open``, ``doctor``, ``setup``, ``bench``, ``compile-kernels``.

Each imports its modules itself: the window must not wait for a compiler.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter

from wavediff.core.base.errors import ExportError, InputError, WavediffError, printable
from wavediff.core.system import program, signals


def open_window(arguments: argparse.Namespace) -> int:
    """Open the window and return its exit code; with ``--demo`` and no display, compare the demo pair.

    Raises:
        InputError: a file cannot be opened.
        WavediffError: there is no display, or Qt lacks libraries of the system.
    """
    from wavediff.app.commands.cli import parsed
    from wavediff.app.commands.compare_options import check_pair
    from wavediff.app.commands.options import chosen
    from wavediff.core.base.file_names import TYPED, split_name
    from wavediff.core.reading.files import RegularFile, is_pipe
    from wavediff.core.system.qt_libraries import install_line, missing, why_no_display

    paths: list[str] = arguments.paths
    if len(paths) > 2:
        raise InputError(paths[2], "a third file", "name two: A (reference) and B (query)")
    for path in paths:
        if not path.startswith(TYPED) and not is_pipe(file := split_name(path).file):
            RegularFile(file).raw.close()
    asked = [name for name in chosen(arguments, parsed(["open"])) if name not in ("paths", "demo")]
    if asked and len(paths) != 2:
        raise WavediffError(f"--{asked[0].replace('_', '-')} is for a pair: name A and B")
    if asked:
        check_pair(arguments)
    reason = why_no_display()
    if reason is not None:
        if not arguments.demo:
            raise WavediffError(f"{reason}; 'compare' needs none: {program.name()} compare A B")
        return _demo(reason, arguments.main)
    lacking = missing()
    if lacking:
        raise WavediffError(f"the window needs system libraries: {install_line(lacking)}")
    # By name: the command line must not need Qt, not even for an import.
    import_module("wavediff.app.window.qt_features").leave_sources_unread()
    main: Callable[[list[str], argparse.Namespace | None], int]
    main = import_module("wavediff.app.window.application").main
    return main(paths, arguments if asked else None)


def _demo(reason: str, main: Callable[[list[str]], int]) -> int:
    from wavediff.app.ui.samples import DEMO_PAIR

    signals.forget_window()
    sys.stderr.write(f"note: {reason}; comparing the demo pair on the command line\n")
    code = main(["compare", *map(str, DEMO_PAIR)])
    return 0 if code == 1 else code  # they differ, as they should


def doctor(arguments: argparse.Namespace) -> int:
    """Report the state of this machine; return 0, or 2 if something will not work."""
    from wavediff.core.export import json
    from wavediff.core.run import doctor

    report = doctor.report()
    _say(json.text("doctor", report).decode().removesuffix("\n") if arguments.json else "\n".join(doctor.lines(report)))
    return 2 if report["problems"] else 0


def bench(arguments: argparse.Namespace) -> int:
    """Run the benchmarks and return their exit code; they are part of the tests because they need other programs.

    Raises:
        WavediffError: a standalone program has no benchmarks.
    """
    from wavediff.core.jit import compile_cache

    if find_spec("wavediff.tests") is None:
        raise WavediffError("a standalone program has no benchmarks; they come with a checkout or an installation")
    os.environ.update(program.child_environment())  # what it starts imports the same package
    compile_cache.prepare()
    main: Callable[[list[str]], int] = import_module("wavediff.tests.bench.__main__").main
    return main(arguments.rest)


def setup(_arguments: argparse.Namespace) -> int:
    """Compile all kernels into the cache.

    Raises:
        WavediffError: the cache cannot be written.
    """
    from wavediff.core.jit import compile_cache
    from wavediff.core.run import compile_worker

    folder = compile_cache.prepare()
    if folder is None:
        raise WavediffError(f"kernels cannot be stored: {compile_cache.state().note}")
    start = perf_counter()
    compile_worker.compile_all(_say)
    _say(f"all kernels are compiled: {printable(str(folder))}, {perf_counter() - start:.0f} s")
    return 0


def compile_kernels(arguments: argparse.Namespace) -> int:
    """Compile kernels for a window, a command (``wavediff.core.jit.background_compile``) or a package.

    Raises:
        WavediffError: conflicting options, or a folder that cannot be written.
    """
    from pathlib import Path

    from wavediff.core.jit import compile_cache
    from wavediff.core.jit.background_compile import KernelSet
    from wavediff.core.run import compile_worker

    if arguments.lane is not None:
        return compile_worker.serve(KernelSet(arguments.lane), asked=arguments.asked)
    if not (arguments.all and arguments.cpu and arguments.out):
        raise InputError("compile-kernels", "--all, --cpu and --out are needed together")
    start = perf_counter()
    try:
        place = compile_worker.build(Path(arguments.out), arguments.cpu, _say)
    except OSError as error:
        raise ExportError(f"{printable(arguments.out)}: {error.strerror or error}") from error
    files = list(place.glob("*" + compile_cache.KERNEL_SUFFIX))
    size = sum(path.stat().st_size for path in files) / 1e6
    _say(f"{printable(str(place))}: {len(files)} kernels, {size:.1f} MB, {perf_counter() - start:.0f} s")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
