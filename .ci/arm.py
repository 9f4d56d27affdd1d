"""Run the kernels as a 64-bit ARM does, under qemu-user: make arm

Needs the apt-get of a Debian or Ubuntu with sources for arm64. Its Python for arm64, qemu and the wheels for aarch64 of
the locked packages are unpacked into ``.arm``; nothing is installed. LLVM runs emulated: with an empty cache this takes
10 minutes of a core. ``python .ci/arm.py -k edit`` runs some of the tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from matrix import MINORS, ROOT

FOLDER = ROOT / ".arm"
SYSTEM, SITE = FOLDER / "system", FOLDER / "site"
LIBRARIES = (
    "libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libexpat1", "libffi8", "libssl3", "libbz2-1.0", "liblzma5",
    "libsqlite3-0", "libuuid1", "libcrypt1",
)  # fmt: skip
PACKAGES = (
    "numpy", "numba", "llvmlite", "psutil", "platformdirs", "regex", "zstandard", "isal", "pygments", "biopython",
    "pytest", "pluggy", "iniconfig", "packaging", "hypothesis", "sortedcontainers",
)  # fmt: skip
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")
TESTS = ("tests/core/test_each_method.py",)


def main(arguments: list[str]) -> int:
    qemu, python = set_up()
    paths = {"PYTHONPATH": f"{SITE}{os.pathsep}{ROOT / '.ci' / 'package'}", "WAVEDIFF_CACHE_DIR": str(FOLDER / "cache")}
    # Without the settings of pyproject.toml, some of which are of plugins that are not here.
    command = [qemu, "-L", str(SYSTEM), str(python), "-m", "pytest", "-v", "-c", os.devnull, "--rootdir", str(ROOT)]
    command += ["-p", "no:cacheprovider", "--durations=0", *TESTS, *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **paths}, check=False).returncode


def set_up() -> tuple[str, Path]:
    """Return qemu and the Python for aarch64; unpack both, and the packages, where that was not done."""
    pythons = SYSTEM / "usr" / "bin"
    if not SITE.is_dir():
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        minor = unpack_system()
        unpack_wheels(minor)
    qemu = shutil.which("qemu-aarch64-static") or str(FOLDER / "host" / "usr" / "bin" / "qemu-aarch64-static")
    return qemu, min(pythons.glob("python3.??"))


def unpack_system() -> int:
    """Unpack packages of Debian for arm64, and qemu for this machine; return the minor version of Python."""
    state = FOLDER / "state"
    (state / "lists" / "partial").mkdir(parents=True)
    (state / "status").touch()
    options = ["APT::Architecture=arm64", "APT::Architectures::=arm64", f"Dir::State={state}"]
    options += [f"Dir::State::status={state / 'status'}", f"Dir::Cache={FOLDER}", "Acquire::Languages=none"]
    apt = ["apt-get", "-qq", *(word for option in options for word in ("-o", option))]
    subprocess.run([*apt, "update"], check=False)  # sources without packages for arm64 fail
    if shutil.which("qemu-aarch64-static") is None:
        unpack(["apt-get", "-qq"], ["qemu-user-static"], FOLDER / "host")
    unpack(apt, LIBRARIES, SYSTEM)
    for minor in MINORS:
        names = (
            f"python3.{minor}",
            f"python3.{minor}-minimal",
            f"libpython3.{minor}-minimal",
            f"libpython3.{minor}-stdlib",
        )
        try:
            unpack(apt, names, SYSTEM)
        except subprocess.CalledProcessError:
            continue
        return minor
    sys.exit("no Python 3.11 or newer for arm64 in the sources of apt-get")


def unpack(apt: list[str], names: tuple[str, ...] | list[str], place: Path) -> None:
    folder = FOLDER / "packages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run([*apt, "download", *names], cwd=folder, check=True)
    for package in folder.iterdir():
        subprocess.run(["dpkg", "-x", str(package), str(place)], check=True)


def unpack_wheels(minor: int) -> None:
    """Unpack the locked packages; a run that is cut off leaves no ``SITE``."""
    # Markers are those of the Python that runs this: of two versions of a package it takes its own.
    locked = re.findall(r"^(([\w.-]+)==.*) \\$", (ROOT / "requirements-test.lock").read_text("utf-8"), re.MULTILINE)
    wheels, new = FOLDER / "wheels", FOLDER / "new"
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--only-binary=:all:",
        "--no-deps",
        "--dest",
        str(wheels),
    ]
    command += ["--python-version", f"3.{minor}", "--implementation", "cp"]
    command += [word for platform in PLATFORMS for word in ("--platform", platform)]
    subprocess.run([*command, *(line for line, name in locked if name in PACKAGES)], check=True)
    for wheel in wheels.iterdir():
        shutil.unpack_archive(wheel, new, "zip")
    new.rename(SITE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
