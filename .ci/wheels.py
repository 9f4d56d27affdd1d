"""Build a wheel with compiled kernels for each Python that is found here: make wheels

The wheels go into ``dist``. pip installs what a build needs into an environment that is removed. A level of x86-64
that this machine lacks is left out, as compiling a kernel runs it; on other processors the wheel has no kernels.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from matrix import ROOT, pythons

LEVELS = "x86-64-v3,x86-64-v4"


def main() -> int:
    found, failed = pythons(), []
    levels = LEVELS if platform.machine().lower() in ("x86_64", "amd64") else "none"
    for python in found:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([python, "-m", "venv", folder], check=True)
            inside = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
            command = [str(inside), "-m", "pip", "wheel", "--verbose", "--no-deps", "--wheel-dir", "dist", "."]
            env = {**os.environ, "WAVEDIFF_BUILD_KERNELS": levels}
            if subprocess.run(command, cwd=ROOT, env=env, check=False).returncode:
                failed.append(python)
    sys.stderr.write(f"failed: {' '.join(failed)}\n" if failed else f"wheels of {' '.join(found)} are in dist\n")
    return bool(failed or not found)


if __name__ == "__main__":
    sys.exit(main())
