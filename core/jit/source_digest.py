"""Digests of a compiled function's source modules: cache keys independent of file times.

Compiled code includes functions and constants inlined from other modules. So the digest covers a module and,
recursively, all our modules that it imports: a comment in a suffix-sorting module does not recompile comparisons, and
copies of the sources share compiled kernels.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from functools import cache

from wavediff.core.system.program import ROOT

_IMPORT_PATTERN = re.compile(
    rb"\n[ \t]*(?:from\s+wavediff\.(core[\w.]*)\s+import\s+(?:\(([^)]*)\)|(.*))|import\s+wavediff\.(core[\w.]*))"
)
_MADE_PATTERN = re.compile(rb"\bmade_in\(\"wavediff\.(core[\w.]*)\"\)")
# How code is kept and waited for is no part of it.
_EXCLUDED = {
    str(ROOT / "core" / "jit" / f"{name}.py")
    for name in ("compile_log", "kernel_cache", "object_code", "quiet_numba", "warmup")
}


@cache
def digest(path: str) -> str | None:
    """Return the digest of the module ``path`` and its imports; None without source."""
    return _digest([path]) if _text(path) is not None else None


@cache
def digest_of_sizes() -> str:
    """Return a digest of names and sizes of all modules of ``core``, a quick key for readiness.

    Cached code is keyed by ``digest``; reading all modules would take longer than a small comparison.
    """
    sizes = []
    for folder, _, names in os.walk(ROOT / "core"):
        inside = os.path.relpath(folder, ROOT).replace(os.sep, "/")
        sizes += [
            f"{inside}/{name} {os.stat(f'{folder}{os.sep}{name}').st_size}" for name in names if name.endswith(".py")
        ]
    return hashlib.sha256("\n".join(sorted(sizes)).encode()).hexdigest()


def with_imports(paths: Iterable[str]) -> set[str]:
    """Return ``paths`` with all modules of ours they import, transitively."""
    found: set[str] = set()
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    return found


def _digest(paths: Iterable[str]) -> str:
    return hashlib.sha256("".join(sorted(_name_and_digest(path) for path in with_imports(paths))).encode()).hexdigest()


@cache
def _text(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


@cache
def _name_and_digest(path: str) -> str:
    name = os.path.relpath(path, ROOT).replace(os.sep, "/")
    return f"{name}\0{hashlib.sha256(_text(path) or b'').hexdigest()}\n"


@cache
def _imported(path: str) -> tuple[str, ...]:
    found = []
    text = b"\n" + (_text(path) or b"")
    made = [(module, b"", b"", b"") for module in _MADE_PATTERN.findall(text)]
    for package, inside, names, module in [*_IMPORT_PATTERN.findall(text), *made]:
        given = (package or module).decode()
        base = f"{ROOT}{os.sep}{given.replace('.', os.sep)}"
        if _text(f"{base}.py") is not None:  # what is named behind it lies in it
            found.append(f"{base}.py")
            continue
        inner = [f"{base}{os.sep}{name}" for name in re.findall(r"\w+", (inside or names).decode(errors="replace"))]
        for one in (base, *inner):
            files = f"{one}.py", f"{one}{os.sep}__init__.py"
            found += [file for file in files if _text(file) is not None]
    return tuple(one for one in found if one not in _EXCLUDED)
