"""Build a wheel with compiled kernels for each Python that is found here: make wheels

The wheels go into ``dist``; ``python .ci/wheels.py --this`` builds one, for the Python that runs it. What a build
needs goes into an environment that is removed again. On processors other than x86-64 the wheel has no kernels.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from kernels import NONE, VARIABLE
from matrix import ROOT, pythons


def main() -> int:
    found = [sys.executable] if sys.argv[1:] == ["--this"] else pythons()
    failed = [python for python in found if not builds(python)]
    sys.stderr.write(f"failed: {' '.join(failed)}\n" if failed else f"wheels of {' '.join(found)} are in dist\n")
    return bool(failed or not found)


def builds(python: str) -> bool:
    """Build the wheel of a Python and return whether that worked."""
    with tempfile.TemporaryDirectory() as folder:
        inside = str(Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python")
        steps = [([python, "-m", "venv", folder], NONE), ([inside, "-m", "pip", "install", "--quiet", "."], NONE)]
        kernels = NONE
        if platform.machine().lower() in ("x86_64", "amd64"):
            kernels = str(Path(folder) / "kernels")
            steps.append(([inside, ".ci/kernels.py", kernels], os.environ.get(VARIABLE, "")))
        # pip builds a wheel twice, once for its metadata: kernels are compiled before.
        steps.append(([inside, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "dist", "."], kernels))
        for command, wanted in steps:
            if subprocess.run(command, cwd=ROOT, env={**os.environ, VARIABLE: wanted}, check=False).returncode:
                return False
    return True


if __name__ == "__main__":
    sys.exit(main())
