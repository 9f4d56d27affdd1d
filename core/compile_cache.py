"""Where compiled kernels are kept between runs, and how a damaged one is kept from killing the program.

Numba trusts its cache: one flipped byte in it ends the process, no exception can be caught. So a
manifest holds the SHA-256 of every file that was seen good; what differs from it, or is not in it, is
deleted before numba is imported and is compiled again. Call ``prepare`` first, ``seal`` after compiling.

Two things more that numba does not look after: it keeps what was compiled from a function although
another module inlined into it has changed (so the manifest names the sources it was made from), and
it fails at import when its folder cannot be written (so the folder is tried first).
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import platformdirs

from core.errors import ExportError, printable
from core.export.alone import alone
from core.export.atomic import write_atomic
from core.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
_MANIFEST = "manifest.json"
_COMPILED = (".nbi", ".nbc")
_ROOM = 64 << 20  # bytes; numba's writing fails a job on a full disk, so such a disk is not used
_STALE_TEMPORARY = 3600.0  # seconds; younger ones may belong to a living process
_USES_NUMBA = re.compile(r"^\s*(?:from|import)\s+numba\b", re.MULTILINE)
_IMPORT = re.compile(r"^\s*(?:from\s+(core[\w.]*)\s+import\s+([\w, ()]+)|import\s+(core[\w.]*))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CacheState:
    """What ``prepare`` found.

    Attributes:
        folder: where kernels are kept, None when nowhere.
        lasting: whether the folder outlives the process.
        note: why it is not the usual folder; empty when it is.
        kept, removed: files found good, and files deleted because they were not.
        ready: names of the kernels that somebody said are in the folder; empty when a file of it is not good.
    """

    folder: Path | None
    lasting: bool
    note: str
    kept: int
    removed: int
    ready: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Known:
    """What is known of the files under ``folder``: their digests, and size and time at that moment."""

    folder: Path
    sources: str
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    ready: frozenset[str] = frozenset()


_state: CacheState | None = None
_known: _Known | None = None


def state() -> CacheState:
    """Return what ``prepare`` found; prepares if that has not been done."""
    prepare()
    assert _state is not None
    return _state


def prepare(*, cleaned: bool = False) -> Path | None:
    """Choose, test and clean the folder of compiled kernels and tell numba and CuPy of it; idempotent.

    Must run before numba is imported. ``WAVEDIFF_CACHE_DIR`` names another place than the user's cache
    folder. A place that cannot be written is passed over for a temporary one, removed at exit.

    Args:
        cleaned: a parent has just done so, and files that are not sealed yet are good.

    Returns:
        The folder, or None when there is none at all (every kernel is then compiled anew).
    """
    global _state, _known
    if _state is None:
        folder, lasting, note = _choose()
        kept = removed = 0
        if folder is not None:
            _known = _Known(folder, _sources_digest())
            kept, removed = (0, 0) if cleaned else _clean(_known)
            os.environ["NUMBA_CACHE_DIR"] = str(folder)
            # CuPy checks a digest of each file it reads; a folder that cannot be written would fail a job.
            os.environ.setdefault("CUPY_CACHE_DIR", str(folder / "cupy"))
            numba_config = sys.modules.get("numba.core.config")
            if numba_config is not None:
                # Too late for the functions that are decorated already; right for all that follow.
                numba_config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        else:
            os.environ.pop("NUMBA_CACHE_DIR", None)
            os.environ.setdefault("CUPY_CACHE_IN_MEMORY", "1")
        _state = CacheState(folder, lasting, note, kept, removed, _known.ready if _known else frozenset())
    return _state.folder


def seal(ready: Iterable[str] = ()) -> int:
    """Record the kernels compiled since, so that the next start trusts them; return how many files are known.

    Cheap where nothing was compiled. Never raises: a cache that cannot be sealed is only slower. Two
    processes may seal one folder: each records all the files it finds, and what the other said is ready.

    Args:
        ready: names of kernels that are wholly in the folder now; ``CacheState.ready`` of the next start.
    """
    if _known is None or _state is None or not _state.lasting:
        return 0
    with alone(_known.folder / ".sealing"):
        return _seal(_known, frozenset(ready))


def _seal(known: _Known, ready: frozenset[str]) -> int:
    others, names = _read_manifest(known)
    files: dict[str, dict[str, Any]] = {}
    for name, path in _compiled(known.folder):
        with contextlib.suppress(OSError):
            info, old = os.stat(path), known.files.get(name)
            # A file seen good keeps its digest: damage that came later must not be sealed in.
            unchanged = old is not None and (old["size"], old["mtime_ns"]) == (info.st_size, info.st_mtime_ns)
            files[name] = old if old is not None and unchanged else _seen(path)
    all_ready = frozenset(names | known.ready | ready)
    if files != known.files or not all_ready <= names or not files.keys() <= others.keys():
        known.files, known.ready = files, all_ready
        content = {"format": 1, "sources": known.sources, "ready": sorted(all_ready), "files": files}
        text = json.dumps(content, indent=0)
        with contextlib.suppress(ExportError):
            write_atomic(known.folder / _MANIFEST, text.encode())
    return len(files)


def _choose() -> tuple[Path | None, bool, str]:
    """Return the folder, whether it lasts, and why it is not the usual one."""
    wanted = os.environ.get("WAVEDIFF_CACHE_DIR")
    base = Path(wanted) if wanted else Path(platformdirs.user_cache_path("wavediff", appauthor=False))
    folder = base / "numba" / _folder_name()
    problem = _why_not(folder)
    if problem is None:
        return folder, True, ""
    with contextlib.suppress(OSError):
        temporary = Path(tempfile.mkdtemp(prefix="wavediff-numba-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        if _why_not(temporary) is None:
            return temporary, False, f"{problem}; kernels are compiled anew at every start"
    return None, False, f"{problem}, and no temporary folder either; kernels are compiled anew at every start"


def _why_not(folder: Path) -> str | None:
    """Try ``folder`` out; return in one sentence why it cannot be used, or None."""
    shown = printable(str(folder))
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        info = folder.stat()
        if hasattr(os, "geteuid") and (info.st_uid != os.geteuid() or info.st_mode & 0o022):
            # What lies in it is executed.
            return f"{shown} belongs to or can be written by somebody else"
        trial = folder / f".trial-{os.getpid()}"
        trial.write_bytes(bytes(4096))
        trial.unlink()
        if shutil.disk_usage(folder).free < _ROOM:
            return f"the disk of {shown} is full"
    except OSError as error:
        return f"{shown} cannot be written: {error.strerror or error}"
    return None


def _folder_name() -> str:
    """Name the folder by all that compiled code depends on: program, numba, Python, processor, checkout."""
    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = "none"
    python = f"{sys.implementation.name}{sys.version_info.major}{sys.version_info.minor}"
    processor = hashlib.sha256(_processor().encode()).hexdigest()[:8]
    checkout = hashlib.sha256(str(ROOT).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{VERSION}-numba{numba}-{python}-{processor}-{checkout}"


def _processor() -> str:
    """Describe model and instruction sets without a slow import; what cannot be told apart numba's own key tells."""
    described = f"{platform.machine()} {platform.processor()}"
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(("model name", "flags", "Features")):
                described += line
            elif not line:
                break
    return described


def _sources() -> dict[Path, str]:
    """Return every module that uses numba, and every module of the core that those import, with their texts."""
    texts: dict[str, str] = {}
    for path in _found(ROOT / "core", (".py",)):
        with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
            texts[path] = file.read()
    waiting = [path for path, text in texts.items() if "numba" in text and _USES_NUMBA.search(text)]
    reached: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for package, names, module in _IMPORT.findall(texts[path]):
            inside = [f"{package}.{name}" for name in re.findall(r"\w+", names)]
            for dotted in (package or module, *inside):
                base = os.path.join(ROOT, *dotted.split("."))
                waiting += [one for one in (f"{base}.py", os.path.join(base, "__init__.py")) if one in texts]
    return {path: texts[str(path)] for path in sorted(map(Path, reached))}


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for path, text in _sources().items():
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{text}\0".encode())
    return digest.hexdigest()


def _clean(known: _Known) -> tuple[int, int]:
    """Delete every compiled file that is not known to be good; return how many stayed and how many went."""
    trusted, ready = _read_manifest(known)
    removed = 0
    for name, path in _compiled(known.folder):
        with contextlib.suppress(OSError):
            entry, seen = trusted.get(name), _seen(path)
            if entry is not None and (entry["size"], entry["sha256"]) == (seen["size"], seen["sha256"]):
                known.files[name] = seen
            else:
                os.unlink(path)
                removed += 1
    if known.files.keys() == trusted.keys():  # which kernel a lost file belonged to is not known
        known.ready = ready
    elif trusted:
        with contextlib.suppress(OSError):
            (known.folder / _MANIFEST).unlink()  # or what it says is ready would be believed when it is next sealed
    for left in known.folder.rglob("*.tmp.*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_TEMPORARY:
                left.unlink()
    return len(known.files), removed


def _read_manifest(known: _Known) -> tuple[dict[str, dict[str, Any]], frozenset[str]]:
    """Return name -> entry, and the kernels said to be ready; empty when it is missing, damaged or of other sources."""
    try:
        read = json.loads((known.folder / _MANIFEST).read_text(encoding="utf-8"))
        if read["format"] != 1 or read["sources"] != known.sources:
            return {}, frozenset()
        files = {str(name): {"size": int(e["size"]), "sha256": str(e["sha256"])} for name, e in read["files"].items()}
        return files, frozenset(map(str, read["ready"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}, frozenset()


def _compiled(folder: Path) -> list[tuple[str, str]]:
    """Return name (relative, with slashes) and path of each compiled file under ``folder``."""
    start = len(str(folder)) + 1
    return [(path[start:].replace(os.sep, "/"), path) for path in _found(folder, _COMPILED)]


def _found(folder: Path, endings: tuple[str, ...]) -> list[str]:
    """Return the files under ``folder`` that end so; in strings, since every start of the program waits for this."""
    folders = os.walk(str(folder))
    return sorted(os.path.join(at, name) for at, _, names in folders for name in names if name.endswith(endings))


def _seen(path: str) -> dict[str, Any]:
    """Return size, time and digest of a file, each of one and the same."""
    with open(path, "rb", buffering=0) as file:
        info, content = os.fstat(file.fileno()), file.read()
    return {"size": len(content), "mtime_ns": info.st_mtime_ns, "sha256": hashlib.sha256(content).hexdigest()}
