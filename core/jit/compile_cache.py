"""Disk cache of compiled kernels: one file each, written atomically.

The file name depends on all inputs of the kernel (``wavediff.core.jit.kernel_cache``). A file begins with a digest of
its content and is replaced atomically. So processes can share a folder, a killed process leaves no partial file, and a
damaged file is ignored. Files are executed, so they must belong to the user and be writable by no one else.

Installed packages include kernels for x86-64 levels (``SHIPPED_FOLDER``). They are used if the machine has the level,
and Python and the compiler are the same; missing ones are compiled for that level. Without shipped kernels everything
is compiled for the machine's own processor.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import platformdirs

from wavediff.core.base.errors import ExportError, printable
from wavediff.core.jit import source_digest
from wavediff.core.system import cpu_levels
from wavediff.core.system.program import ROOT

SHIPPED_FOLDER = ROOT / "kernels"
KERNEL_SUFFIX = ".kernel"  # how the name of a kernel's file ends
DIGEST_BYTES = 32
_UNUSED_SECONDS = 60 * 86400.0  # kernels of sources that are gone are never asked for again
_TOUCH_SECONDS = 7 * 86400.0  # a kernel that is read is marked as used this seldom
_TEMPORARY_SECONDS = 3600.0  # what a killed process was writing; a younger one may be at work
_WRITABLE_BY_ALL, _WRITABLE_BY_OTHERS = 0o002, 0o022  # who may write


class CacheState(NamedTuple):
    """State of the cache found by ``prepare``.

    Attributes:
        folder: of cached kernels, or None where none can be written.
        kept: the same folder, also where it can only be read.
        shipped: folder of the kernels shipped for this machine, or None.
        note: why kernels, or GPU kernels, are not cached; else empty.
    """

    folder: Path | None
    kept: Path | None
    shipped: Path | None
    note: str


_state: CacheState | None = None
_marked: set[str] = set()
_failed = False  # something could not be written, so nothing more is said to be ready
_unused_deleted = False


def state() -> CacheState:
    """Return the state, preparing the cache if necessary."""
    prepare()
    assert _state is not None
    return _state


def prepare() -> Path | None:
    """Set the cache folder and target CPU for Numba and CuPy; idempotent; return the folder, None if it is unwritable.

    Must run before Numba is imported. ``WAVEDIFF_CACHE_DIR`` replaces the user's cache folder.
    """
    global _state
    if _state is None:
        _choose_level()
        base = base_folder()
        if "WAVEDIFF_CACHE_DIR" in os.environ:
            os.environ["WAVEDIFF_CACHE_DIR"] = str(base)  # absolute: a child stands in another folder
        folder, card = base / "kernels" / folder_name(_target()), base / "cupy"
        shipped = _shipped(_target())
        problem = _why_unusable(folder.parent, folder)
        kept = _trusted(folder, _WRITABLE_BY_OTHERS)
        of_card = None if "CUPY_CACHE_DIR" in os.environ else _why_unusable(card)  # whoever chose one knows why
        again = "are compiled again at every start"
        note = "" if of_card is None else f"{of_card}; kernels of a graphics card {again}"
        if problem is not None:
            known = "did not come with the program" if shipped else "are not in it" if kept else ""
            note = f"{problem}; kernels {known and f'that {known} '}{again}"
        # CuPy checks a digest of each file it reads; a folder that cannot be written would fail a job.
        if of_card is None:
            os.environ.setdefault("CUPY_CACHE_DIR", str(card))
        else:
            os.environ["CUPY_CACHE_IN_MEMORY"] = "1"
        _state = CacheState(folder if problem is None else None, kept, shipped, note)
    return _state.folder


def shipped_levels() -> tuple[str, ...]:
    """Return the CPU levels of bundled kernels that match this Python and Numba."""
    return tuple(level for level in cpu_levels.LEVELS if _shipped(level) is not None)


def base_folder() -> Path:
    """Return the root of all caches: the user's cache folder, or ``WAVEDIFF_CACHE_DIR``."""
    wanted = os.environ.get("WAVEDIFF_CACHE_DIR")
    return Path(wanted or platformdirs.user_cache_path("wavediff", appauthor=False)).absolute()


def use_folder(folder: Path, level: str) -> Path:
    """Compile for ``level`` into ``folder``, for a package; return the path.

    Must run before Numba is imported and instead of ``prepare``.

    Raises:
        OSError: the folder cannot be created.
    """
    global _state
    _set_level(level)
    place = folder / folder_name(level)
    place.mkdir(parents=True, exist_ok=True)
    _state = CacheState(place, place, None, "")
    return place


def make_readable() -> None:
    """Make the kernels of ``use_folder`` readable for all users; report missing ones.

    Raises:
        ExportError: a kernel could not be written.
    """
    place = state().folder
    assert place is not None
    if _failed:
        raise ExportError(f"{printable(str(place))}: not every kernel could be written")
    place.chmod(0o755)
    for path in place.iterdir():
        path.chmod(0o644)


def read(name: str) -> bytes | None:
    """Read the entry ``name``; None if missing, damaged or possibly from another user."""
    found = state()
    for folder, forbidden in ((found.kept, _WRITABLE_BY_OTHERS), (found.shipped, _WRITABLE_BY_ALL)):
        if folder is not None:
            with contextlib.suppress(OSError):
                content = _read_trusted(folder / (name + KERNEL_SUFFIX), forbidden)
                if content is not None and content[:DIGEST_BYTES] == _digest(name, content[DIGEST_BYTES:]):
                    return content[DIGEST_BYTES:]
    return None


def write(name: str, content: bytes) -> None:
    """Write the entry ``name``. Never raises; after a failure the next start compiles again."""
    global _failed
    folder = state().folder
    if folder is None:
        return
    _delete_unused(folder)
    try:
        descriptor, temporary = tempfile.mkstemp(".tmp", "", folder)
        try:
            with open(descriptor, "wb") as file:
                file.write(_digest(name, content) + content)
            os.replace(temporary, folder / (name + KERNEL_SUFFIX))
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError:
        _failed = _failed or read(name) is None  # on Windows a file that another process reads cannot be replaced


def ready() -> frozenset[str]:
    """Return the names of kernels (``wavediff.core.jit.warmup``) recorded as complete in cache or bundle."""
    found = state()
    names: set[str] = set()
    for folder in (found.kept, found.shipped):
        if folder is not None:
            with contextlib.suppress(OSError):
                names.update((folder / _ready_file()).read_text(encoding="utf-8", errors="replace").split("\n"))
    return frozenset(names - {""})


def mark_ready(name: str) -> None:
    """Record that kernel ``name`` is completely cached.

    Readers use it to decide what to wait for, not what to execute. Lines are appended atomically, so concurrent
    processes lose none, and a truncated line does not affect others.
    """
    folder = state().folder
    if folder is None or _failed or name in _marked:
        return
    if not _marked:
        _marked.update(ready())
    if name not in _marked:
        _marked.add(name)
        with contextlib.suppress(OSError), open(folder / _ready_file(), "ab", buffering=0) as file:
            file.write(f"\n{name}\n".encode())


def _ready_file() -> str:
    return "ready-" + source_digest.digest_of_sizes()[:16]


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _read_trusted(path: Path, forbidden: int) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        info = os.fstat(file.fileno())
        if not stat.S_ISREG(info.st_mode) or _is_foreign(info, forbidden):
            return None
        content = file.read()
    if forbidden == _WRITABLE_BY_OTHERS and time.time() - info.st_mtime > _TOUCH_SECONDS:
        with contextlib.suppress(OSError):
            os.utime(path)
    return content


def _is_foreign(info: os.stat_result, forbidden: int) -> bool:
    return hasattr(os, "geteuid") and (info.st_uid not in (0, os.geteuid()) or bool(info.st_mode & forbidden))


def _why_unusable(*folders: Path) -> str | None:
    """Return why no file can be created in the last of these nested folders, or None."""
    for folder in folders:
        shown = printable(str(folder))
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _is_foreign(folder.stat(), _WRITABLE_BY_OTHERS):
                return f"{shown} belongs to or can be written by somebody else"  # and what lies in it is executed
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(1 << 16))  # finds a disk or a quota that is full
        except OSError as error:
            return f"{shown} cannot be written: {error.strerror or error}"
    return None


def _delete_unused(folder: Path) -> None:
    """Delete kernels unused for two months; once, before the first compilation."""
    global _unused_deleted
    if _unused_deleted:
        return
    _unused_deleted = True
    now = time.time()
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            # What is said to be ready is forgotten first.
            kept = {".tmp": _TEMPORARY_SECONDS, KERNEL_SUFFIX: _UNUSED_SECONDS}.get(path.suffix, _UNUSED_SECONDS / 2)
            if now - path.stat().st_mtime > kept:
                path.unlink()


def _choose_level() -> None:
    """Select the best shipped level that this machine supports, unless one is set already."""
    if "NUMBA_CPU_NAME" not in os.environ and "numba" not in sys.modules and os.path.isdir(SHIPPED_FOLDER):
        for level in cpu_levels.LEVELS:
            if _shipped(level) is not None and cpu_levels.is_supported(level):
                _set_level(level)
                return


def _set_level(level: str) -> None:
    os.environ["NUMBA_CPU_NAME"] = level
    os.environ["NUMBA_CPU_FEATURES"] = cpu_levels.features(level)


def _shipped(target: str) -> Path | None:
    return _trusted(SHIPPED_FOLDER / folder_name(target), _WRITABLE_BY_ALL)


def _trusted(folder: Path, forbidden: int) -> Path | None:
    """Return the folder, if it is there and neither it nor the one around it can be written by others."""
    with contextlib.suppress(OSError):
        if not any(_is_foreign(one.stat(), forbidden) for one in (folder, folder.parent)):
            return folder
    return None


def _target() -> str:
    """Return the level, or a digest of the processor."""
    level, features = os.environ.get("NUMBA_CPU_NAME", ""), os.environ.get("NUMBA_CPU_FEATURES", "")
    if level in cpu_levels.LEVELS and features == cpu_levels.features(level):
        return level
    return hashlib.sha256(f"{level} {features} {cpu_levels.processor()}".encode()).hexdigest()[:8]


def folder_name(target: str) -> str:
    """Return the name of a cache folder: compiler, Python and processor."""
    compilers = [f"{package}{_version(package)}" for package in ("numba", "llvmlite")]
    return "-".join([*compilers, str(sys.implementation.cache_tag), target])


def _version(package: str) -> str:
    """Return the version in a package's metadata folder name, or an empty string; avoids slow imports."""
    spec = find_spec(package)
    site = Path(spec.origin).parents[1] if spec and spec.origin else Path()
    return next((folder.stem.removeprefix(f"{package}-") for folder in site.glob(f"{package}-*.dist-info")), "")
