"""What this machine offers: cores, memory, vector width. No third-party import that is slow to load."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def cores() -> int:
    """Return the cores this process may use (affinity, not what is soldered in)."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def available_memory() -> int:
    """Return the bytes that can be allocated now without swapping, a container's limit included."""
    available = int(psutil.virtual_memory().available)
    for path in _CGROUP_LIMITS:
        try:
            limit = int(path.read_text().strip())
        except (OSError, ValueError):
            continue
        available = min(available, max(0, limit - psutil.Process().memory_info().rss))
    return available
