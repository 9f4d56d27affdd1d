"""x86-64 levels of ahead-of-time compiled kernels, and their support on this machine."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_V3 = (
    "cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2", "xsave",
    "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe",
)  # fmt: skip
# Levels with shipped kernels, by LLVM's names of levels and features, best first.
LEVELS = {"x86-64-v4": (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"), "x86-64-v3": _V3}
# Level of every x86-64 processor: used by tests, not shipped.
BASELINE = {"x86-64": ("sse2",)}
# Features that determine the vector width in bits, widest first.
WIDTHS = {"avx512f": 512, "avx2": 256, "sve": 128, "neon": 128, "sse2": 128}
# Linux has other names for some.
_CPUINFO_NAMES = {
    "sahf": "lahf_lm",
    "sse3": "pni",
    "sse4.1": "sse4_1",
    "sse4.2": "sse4_2",
    "bmi": "bmi1",
    "lzcnt": "abm",
}


def features(level: str) -> str:
    """Return the features of a level for LLVM and Numba."""
    return ",".join(f"+{one}" for one in (LEVELS | BASELINE)[level])


def features_in_use() -> frozenset[str]:
    """Return the features used for compilation: those set for Numba, else the processor's."""
    variable = os.environ.get("NUMBA_CPU_FEATURES")
    if variable is not None:
        return frozenset(one[1:] for one in variable.split(",") if one.startswith("+"))
    return host_features()


@cache
def host_features() -> frozenset[str]:
    from llvmlite import binding  # slow to load

    return frozenset(name for name, has in binding.get_host_cpu_features().items() if has)


def is_arm() -> bool:
    """Return whether kernels are compiled for 64-bit ARM."""
    return "neon" in features_in_use()


def widest(features: frozenset[str]) -> tuple[str, int] | None:
    """Return the CPU feature with the widest vectors, and the width in bits, or None."""
    return next(((name, bits) for name, bits in WIDTHS.items() if name in features), None)


def is_supported(level: str) -> bool:
    """Return whether this machine supports ``level``."""
    flags, needed = _flags(), (LEVELS | BASELINE)[level]
    if flags:
        return all(_CPUINFO_NAMES.get(one, one) in flags for one in needed)
    return host_features().issuperset(needed)


@cache
def processor() -> str:
    """Describe model and instruction sets without slow imports; Numba's own key covers the rest."""
    import platform

    described = f"{platform.machine()} {platform.processor()}"
    return described + "".join(_lines("model name", "flags", "Features"))


def processor_name() -> str:
    """Return the processor name; its architecture if unknown."""
    import platform

    named = "".join(_lines("model name")).partition(":")[2].strip()
    return named or platform.processor() or platform.machine()


@cache
def _flags() -> frozenset[str]:
    return frozenset("".join(_lines("flags")).partition(":")[2].split())


def _lines(*beginnings: str) -> list[str]:
    try:
        first = _CPUINFO.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    except OSError:
        return []
    return [line for line in first.splitlines() if line.startswith(beginnings)]
