"""Compile what an installed program starts with: python .ci/kernels.py FOLDER

A standalone folder and the wheels of ``make wheels`` have their kernels with them, for two levels of x86-64, so that
their first start compiles nothing; a processor of neither level, and a version of Numba that these were not compiled
with, compile as a checkout does. WAVEDIFF_BUILD_KERNELS names other levels, separated by commas, or ``none``, or is the
absolute path of a FOLDER that was filled before from the same sources. By itself a wheel has none.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".ci" / "package"))

from wavediff.core.system import cpu_levels  # noqa: E402 - found there
from wavediff.core.system.version import commit  # noqa: E402, F401 - for wheel.py

VARIABLE = "WAVEDIFF_BUILD_KERNELS"
NONE = "none"


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

    What is compiled is run, so a level that this machine does not have is left out, which is said.

    Raises:
        subprocess.CalledProcessError: one of them failed.
    """
    made = os.environ.get(VARIABLE, "")
    if os.path.isabs(made):
        shutil.copytree(made, folder)
        return
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-P", str(ROOT / "main.py"), "compile-kernels", "--all", "--out", str(folder), "--cpu"]
    running = []
    for level in levels():
        if cpu_levels.is_supported(level):
            running.append(subprocess.Popen([*command, level], cwd=ROOT, stdout=sys.stderr))
        else:
            sys.stderr.write(f"no kernels for {level}, which this machine is not\n")
    failed = [one for one in running if one.wait() != 0]  # all of them are waited for
    if failed:
        raise subprocess.CalledProcessError(failed[0].returncode, failed[0].args)


if __name__ == "__main__":
    build(Path(sys.argv[1]).absolute())
