"""Where a table was measured: a figure without it is worth nothing."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from wavediff.core.jit.simd import BITS
from wavediff.core.system.machine import cores
from wavediff.core.system.version import VERSION

PACKAGES = (
    "numpy",
    "numba",
    "llvmlite",
    "rapidfuzz",
    "edlib",
    "ahocorasick-rs",
    "pyahocorasick",
    "stringzilla",
    "hyperscan",
    "pydivsufsort",
    "pywfa",
    "sassy-rs",
)


def describe() -> list[str]:
    """Return lines that name processor, cores, vector, versions and commit."""
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return [
        f"machine  {_processor()}, {cores()} cores, vectors of {BITS} bits, {platform.system()} {platform.machine()}",
        f"versions wavediff {VERSION} ({_commit()}), Python {platform.python_version()}, {packages}",
    ]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    family = ", ".join(
        f"{word} {found[key]}" for word, key in (("family", "cpu family"), ("model", "model")) if key in found
    )
    return f"{found.get('model name', platform.machine())} ({family})"


def _commit() -> str:
    root = Path(__file__).parents[2]
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=root, capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return "no commit known"
    return done.stdout.strip()
