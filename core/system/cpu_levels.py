"""Levels of x86-64 that kernels are compiled for ahead of time, and whether this machine has one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_V3 = (
    "cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2", "xsave",
    "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe",
)  # fmt: skip
# By LLVM's names of levels and features, the best first.
LEVELS = {"x86-64-v4": (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"), "x86-64-v3": _V3}
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
    """Return the features of a level as LLVM and Numba are told of them."""
    return ",".join(f"+{one}" for one in LEVELS[level])


def is_supported(level: str) -> bool:
    """Return whether this machine can run what is compiled for ``level``."""
    flags = _flags()
    if flags:
        return all(_CPUINFO_NAMES.get(one, one) in flags for one in LEVELS[level])
    from llvmlite import binding  # slow to load, so only where there is nothing else to ask

    host = binding.get_host_cpu_features()
    return all(host.get(one) for one in LEVELS[level])


@cache
def processor() -> str:
    """Describe model and instruction sets without a slow import; what cannot be told apart numba's own key tells."""
    import platform

    described = f"{platform.machine()} {platform.processor()}"
    return described + "".join(_lines("model name", "flags", "Features"))


def processor_name() -> str:
    """Return what the processor is called, for a person; its architecture where the system does not say."""
    import platform

    named = "".join(_lines("model name")).partition(":")[2].strip()
    return named or platform.processor() or platform.machine()


@cache
def _flags() -> frozenset[str]:
    return frozenset("".join(_lines("flags")).partition(":")[2].split())


def _lines(*beginnings: str) -> list[str]:
    """Return lines about the first processor."""
    try:
        first = _CPUINFO.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    except OSError:
        return []
    return [line for line in first.splitlines() if line.startswith(beginnings)]
