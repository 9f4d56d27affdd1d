"""Run a quick part of the tests with the oldest and the newest packages that pyproject.toml allows: make matrix

The oldest stand on the oldest Python that is found here, the newest on the newest; ``python .ci/matrix.py oldest`` or
``newest`` runs one of them. The environments are kept in ``.matrix``; remove that folder to have the newest anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".matrix"
MINORS = range(11, 15)  # of Python 3
TOOLS = ("pytest", "pytest-qt", "pytest-xdist", "hypothesis", "rapidfuzz", "edlib")
TESTS = [
    "tests/core/test_jitted.py", "tests/core/test_lcs_job.py", "tests/core/test_edit_job.py",
    "tests/core/test_compile_cache.py",
    "tests/app/test_window.py", "tests/app/test_drops.py", "tests/app/test_band_view.py",
]  # fmt: skip
LIMIT_SECONDS = 3600.0
WHICH = ("oldest", "newest")


def main(wanted: list[str]) -> int:
    found = pythons()
    if not found or not set(wanted) <= set(WHICH):
        sys.stderr.write(f"usage: matrix.py [{' | '.join(WHICH)}], with Python 3.11 or newer\n")
        return 2
    failed = [which for which in wanted or WHICH if not passes(found[0 if which == "oldest" else -1], which)]
    sys.stderr.write(f"failed: {' '.join(failed)}\n" if failed else "all passed\n")
    return bool(failed)


def pythons() -> list[str]:
    """Return a command of each minor version of Python that is found, the oldest first."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = []
    for minor in MINORS:
        name = f"python3.{minor}"
        candidates = [*sorted(map(str, versions.glob(f"3.{minor}.*/bin/{name}"))), shutil.which(name)]
        found += [one for one in candidates if one is not None and _runs(one)][:1]
    return found


def requirements(which: str) -> list[str]:
    """Return what to install, each ``>=`` turned into ``==`` for the oldest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    chosen = [one for one in project["optional-dependencies"]["test"] if re.split(r"[<>=!; ]", one)[0] in TOOLS]
    all_of = [*project["dependencies"], *chosen]
    return [re.sub(r">=([\d.]+).*", r"==\1", one) for one in all_of] if which == "oldest" else all_of


def passes(python: str, which: str) -> bool:
    """Set up an environment where there is none yet, and return whether the tests pass in it."""
    venv = FOLDER / which
    inside = str(venv / ("Scripts" if os.name == "nt" else "bin") / "python")
    done = venv / "installed.txt"
    wanted = "\n".join(requirements(which))
    if not done.is_file() or done.read_text(encoding="utf-8") != wanted:
        subprocess.run([python, "-m", "venv", "--clear", str(venv)], check=True)
        subprocess.run([inside, "-m", "pip", "install", "--quiet", *wanted.split("\n")], check=True)
        done.write_text(wanted, encoding="utf-8")
    listed = "import sys; from importlib.metadata import version as v; print('Python ' + sys.version.split()[0], "
    listed += "*(f'{n} {v(n)}' for n in ('numba', 'numpy', 'PySide6-Essentials', 'pyqtgraph', 'pytest-qt')), sep=', ')"
    subprocess.run([inside, "-c", listed], check=True)
    command = [inside, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--max-worker-restart", "0", *TESTS]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=LIMIT_SECONDS).returncode == 0


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", ""], stderr=subprocess.DEVNULL, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
