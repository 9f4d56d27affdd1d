"""``compile-kernels``: what compiles for a window or a command (``wavediff.core.jit.background_compile``), or for all
who install us."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from wavediff.core.base.errors import ExportError, InputError, printable
from wavediff.core.jit import compile_cache
from wavediff.core.jit.background_compile import KernelSet
from wavediff.core.run import compile_worker


def run(arguments: argparse.Namespace) -> int:
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
