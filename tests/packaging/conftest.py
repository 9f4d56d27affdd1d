"""A wheel made as ``pip`` makes it, from the sdist, and a Python of its own that has it installed; no network."""

import os
import subprocess
import sys
import sysconfig
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS, ENDING = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
PLANTED = ("app", "core", "gpu", "json", "main", "numba", "tests", "wavediff")


@dataclass(frozen=True)
class Built:
    sdist: Path
    wheel: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The sdist of this checkout, and the wheel made from what the sdist holds."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("built")
    build("sdist", ROOT, folder)
    sdist = next(folder.glob("*.tar.gz"))
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    build("wheel", folder / sdist.name.removesuffix(".tar.gz"), folder)
    return Built(sdist, next(folder.glob("*.whl")))


def build(what, source, out, kernels="none"):
    """Build from the folder ``source``, with kernels compiled for these levels of the processor."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", what, "-d", str(out)]
    subprocess.run(command, cwd=source, env={**os.environ, "WAVEDIFF_BUILD_KERNELS": kernels}, check=True, timeout=300)


@dataclass(frozen=True)
class Installed:
    """An environment that has the program, and finds what the program needs where this process does."""

    folder: Path
    cwd: Path

    @property
    def python(self):
        return self.folder / SCRIPTS / f"python{ENDING}"

    @property
    def command(self):
        return self.folder / SCRIPTS / f"wavediff{ENDING}"

    def run(self, *words, **more):
        """Run ``wavediff``, with ``more`` in its environment, in a folder of files with names of its modules."""
        env = {**os.environ, "PYTHONPATH": "", "WAVEDIFF_TRACEBACK": "1", **more}
        command = [str(word) for word in (self.command, *words)]
        return subprocess.run(command, cwd=self.cwd, env=env, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="session")
def install(tmp_path_factory):
    """Return what makes a fresh environment and has pip install there what it is told."""
    pytest.importorskip("pip")

    def make(*words):
        folder = tmp_path_factory.mktemp("environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=300)
        made = Installed(folder, tmp_path_factory.mktemp("elsewhere"))
        paths = {"base": str(folder), "platbase": str(folder)}
        site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
        (site / "present.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        pip = [made.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--ignore-installed"]
        subprocess.run(
            [*map(str, pip), "--no-build-isolation", *map(str, words)], cwd=made.cwd, check=True, timeout=300
        )
        for name in PLANTED:
            (made.cwd / f"{name}.py").write_text('open("RAN", "a").write(__name__)\n', encoding="utf-8")
        return made

    return make
