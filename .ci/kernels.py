"""Compile what an installed program starts with: python .ci/kernels.py FOLDER

A standalone folder and the wheels of ``make wheels`` have their kernels with them, for two levels of x86-64, so that
their first start compiles nothing; a processor of neither level, and a version of Numba that these were not compiled
with, compile as a checkout does. WAVEDIFF_BUILD_KERNELS names other levels, separated by commas, or ``none``, or is the
absolute path of a FOLDER that was filled before from the same sources. By itself a wheel has none.

Small jobs run each kernel of a level. For a level that this machine lacks, the argument types of the kernels of another
level are read from their files, and the same functions are compiled for these without a run.
"""

from __future__ import annotations

import io
import os
import pickle
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".ci" / "package"))

from wavediff.core.system import cpu_levels  # noqa: E402 - found there
from wavediff.core.system.version import commit  # noqa: E402, F401 - for wheel.py

VARIABLE = "WAVEDIFF_BUILD_KERNELS"
NONE = "none"
BY_WIDTH = (*cpu_levels.LEVELS, *cpu_levels.BASELINE)


def levels(default: str = "") -> tuple[str, ...]:
    """Return the levels that kernels are wanted for.

    Args:
        default: where the environment names none; empty: all levels on x86-64, none elsewhere.
    """
    wanted = os.environ.get(VARIABLE, "") or default
    if os.path.isabs(wanted):
        return tuple(cpu_levels.LEVELS)
    if not wanted:
        wanted = ",".join(cpu_levels.LEVELS) if platform.machine().lower() in ("x86_64", "amd64") else NONE
    unknown = set(wanted.split(",")) - {NONE, *cpu_levels.LEVELS}
    if unknown:
        sys.exit(f"{VARIABLE}={wanted}: levels are {', '.join(cpu_levels.LEVELS)}; else {NONE}, or an absolute path")
    return tuple(one for one in wanted.split(",") if one != NONE)


def build(folder: Path) -> None:
    """Compile all kernels for each level into ``folder``, each in a process of its own.

    Raises:
        subprocess.CalledProcessError: one of them failed.
    """
    made = os.environ.get(VARIABLE, "")
    if os.path.isabs(made):
        shutil.copytree(made, folder)
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as other:
        wanted = dict.fromkeys(levels(), folder)
        here = [level for level in wanted if cpu_levels.is_supported(level)]
        lacking = [level for level in wanted if level not in here]
        if lacking and not here:
            here = [next(level for level in BY_WIDTH if cpu_levels.is_supported(level))]
            wanted[here[0]] = Path(other)
        command = [sys.executable, "-P", str(ROOT / "main.py"), "compile-kernels", "--all"]
        wait(
            [
                subprocess.Popen([*command, "--out", wanted[one], "--cpu", one], cwd=ROOT, stdout=sys.stderr)
                for one in here
            ]
        )
        command = [sys.executable, "-P", __file__, "--like"]
        wait([subprocess.Popen([*command, here[0], wanted[here[0]], one, folder], cwd=ROOT) for one in lacking])


def wait(running: list[subprocess.Popen[bytes]]) -> None:
    failed = [one for one in running if one.wait() != 0]  # all of them are waited for
    if failed:
        raise subprocess.CalledProcessError(failed[0].returncode, failed[0].args)


def compile_like(level: str, folder: Path, new: str, place: Path) -> None:
    """Compile for the level ``new`` into ``place`` what ``folder`` has of ``level``; nothing compiled is run."""
    from wavediff.core.jit import compile_cache, compile_log  # needs packages that a build without kernels lacks

    compile_log.report = compile_log.ignore
    sys.stderr.write(f"compiling kernels for {new} without a run, some minutes\n")
    compile_cache.use_folder(place, new)
    source = folder / compile_cache.folder_name(level)
    for function, signature in compiled(source):
        function.numba_value.compile(tuple(of_width(one, function, level, new) for one in signature.args))
    for ready in source.glob("ready-*"):
        shutil.copy(ready, place / compile_cache.folder_name(new))
    compile_cache.make_readable()


def compiled(folder: Path) -> Iterator[tuple[Any, Any]]:
    """Yield function and signature of each kernel in ``folder``, as ``wavediff.core.jit.kernel_cache`` wrote them."""
    from wavediff.core.jit import compile_cache

    import_module("wavediff.core.jit.kernel_cache")
    for path in sorted(folder.glob(f"*{compile_cache.KERNEL_SUFFIX}")):
        file = io.BytesIO(path.read_bytes()[compile_cache.DIGEST_BYTES :])
        pickle.load(file)
        _, described, _, signature, *_ = pickle.load(file)
        yield getattr(import_module(described.modname), described.qualname), signature


def of_width(kind: Any, function: Any, level: str, new: str) -> Any:
    """Return an argument type of ``level`` as it is for ``new``: a tuple of affine kernels has log2(lanes) numbers."""
    if not function.__module__.startswith("wavediff.core.kernels.affine.") or type(kind).__name__ != "UniTuple":
        return kind
    return type(kind)(kind.dtype, kind.count + width(new).bit_length() - width(level).bit_length())


def width(level: str) -> int:
    found = cpu_levels.widest(frozenset((cpu_levels.LEVELS | cpu_levels.BASELINE)[level]))
    assert found is not None
    return found[1]


if __name__ == "__main__":
    if sys.argv[1] == "--like":
        compile_like(sys.argv[2], Path(sys.argv[3]), sys.argv[4], Path(sys.argv[5]))
    else:
        build(Path(sys.argv[1]).absolute())
