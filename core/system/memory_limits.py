"""Memory limits of this process: rlimits and control groups."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MEMORY_FILE = Path("/proc/meminfo")
CGROUP_FOLDER = Path("/sys/fs/cgroup")
OWN_CGROUPS_FILE = Path("/proc/self/cgroup")
NO_LIMIT_BYTES = 1 << 60  # a limit from there on is none
# Names of what a group may have, of what it has, and of the pages of files in it, which it can do without.
_CGROUP_V2_FILES = "memory.max", "memory.current", ("inactive_file", "active_file")
_CGROUP_V1_FILES = "memory.limit_in_bytes", "memory.usage_in_bytes", ("total_inactive_file", "total_active_file")


def unused_by_all() -> int:
    """Return the free memory of the machine in bytes, without swapping."""
    with suppress(OSError):
        for line in MEMORY_FILE.read_bytes().splitlines():
            if line.startswith(b"MemAvailable:"):
                return int(line.split()[1]) << 10
    import psutil  # knows it of every system, and takes 9 ms

    return int(psutil.virtual_memory().available)


def free_under_rlimits() -> int | None:
    """Return the bytes left by rlimits (``ulimit -v``, ``-d``), or None."""
    if sys.platform != "linux":  # others have these limits and do not keep them
        return None
    import resource

    addresses, data = (resource.getrlimit(limit)[0] for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    if addresses == data == resource.RLIM_INFINITY:
        return None
    import psutil

    used = psutil.Process().memory_info()
    rooms = ((addresses, int(used.vms)), (data, int(used.data)))
    return min(max(0, most - has) for most, has in rooms if most != resource.RLIM_INFINITY)


def free_in_cgroups(own: Path = OWN_CGROUPS_FILE, groups: Path = CGROUP_FOLDER) -> int | None:
    """Return the bytes left in the tightest control group, from the group of this process up to the root, or None.

    A service, batch system or container may set its limit on any of these groups; the inner groups do not show it.
    """
    rooms = []
    for root, inner, names in _memory_cgroups(own, groups):
        folder = root / inner
        while True:
            room = _free_in_cgroup(folder, *names)
            if room is not None:
                rooms.append(room)
            if folder == root:
                break
            folder = folder.parent
    return min(rooms, default=None)


def _memory_cgroups(own: Path, groups: Path) -> Iterator[tuple[Path, str, tuple[str, str, tuple[str, ...]]]]:
    """Yield the memory control groups: mount point, path, file names."""
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if ".." in path.split("/"):  # outside what this container sees: it sees its root
            path = "/"
        if not controllers:
            yield groups, path.strip("/"), _CGROUP_V2_FILES
            yield groups / "unified", path.strip("/"), _CGROUP_V2_FILES
        elif "memory" in controllers.split(","):
            yield groups / "memory", path.strip("/"), _CGROUP_V1_FILES


def _free_in_cgroup(folder: Path, most: str, used: str, files: tuple[str, ...]) -> int | None:
    try:
        limit = int((folder / most).read_text())  # "max" is no number
        if limit >= NO_LIMIT_BYTES:
            return None
        has = int((folder / used).read_text())
    except (OSError, ValueError):
        return None
    spare = 0
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text().splitlines():
            name, _, value = line.partition(" ")
            spare += int(value) if name in files else 0
    return max(0, limit - max(0, has - spare))
