"""Fault row C7 and trap 6: a cache of compiled kernels that is damaged, unwritable or stale heals itself.

The children really compile, keep and load a kernel: damage that reaches numba ends a process, and
only another process can see that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numba")

from core import compile_cache

ROOT = Path(__file__).parents[2]

KERNELS = """
from numba import njit

@njit(cache=True)
def twice(x):
    return 2 * x

@njit(cache=True)
def thrice(x):
    return 3 * x
"""

CHILD = """
import json, sys
sys.path[:0] = sys.argv[1:3]
from core import compile_cache
compile_cache._sources_digest = lambda: "pinned"  # somebody may be editing while the tests run
if "unguarded" not in sys.argv:
    compile_cache.prepare()
import kernels
answers = [kernels.twice(21), kernels.thrice(14)]
hits = sum(sum(f.stats.cache_hits.values()) for f in (kernels.twice, kernels.thrice))
sealed = compile_cache.seal()
state = compile_cache.state()
print(json.dumps([answers, hits, sealed, state.kept, state.removed, state.lasting, state.note]))
"""


class Child:
    """A program with two kernels and a cache folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        (folder / "kernels.py").write_text(KERNELS)

    def start(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-B", "-c", CHILD, str(ROOT), str(self.folder), *words]
        variables = {**os.environ, "WAVEDIFF_CACHE_DIR": str(self.cache), **env}
        variables.pop("NUMBA_CACHE_DIR", None)
        variables.update(env)
        return subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=120)

    def run(self, **env: str) -> dict[str, object]:
        done = self.start(**env)
        assert (done.returncode, done.stderr) == (0, "")
        keys = ("answers", "hits", "sealed", "kept", "removed", "lasting", "note")
        return dict(zip(keys, json.loads(done.stdout), strict=True))

    def files(self, name: str) -> Path:
        (found,) = self.cache.rglob(name)
        return found


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Child:
    child = Child(tmp_path_factory.mktemp("cache"))
    first = child.run()
    assert (first["answers"], first["hits"], first["sealed"]) == ([42, 42], 0, 4)
    return child


def test_a_sealed_cache_is_used(warm: Child) -> None:
    again = warm.run()
    assert (again["answers"], again["hits"], again["kept"], again["removed"]) == ([42, 42], 2, 4, 0)


def emptied(data: bytes) -> bytes:
    return b""


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0x10]) + data[middle + 1 :]


def replaced(data: bytes) -> bytes:
    return os.urandom(len(data))


@pytest.mark.parametrize("damage", [emptied, truncated, flipped, replaced])
def test_damage_costs_a_compilation_and_nothing_else(warm: Child, damage: Callable[[bytes], bytes]) -> None:
    """The index of one kernel and the code of the other are damaged; size and time are put back where they can be."""
    for pattern in ("kernels.twice*.nbi", "kernels.thrice*.nbc"):
        path = warm.files(pattern)
        before = path.stat()
        path.write_bytes(damage(path.read_bytes()))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    healed = warm.run()
    assert (healed["answers"], healed["removed"]) == ([42, 42], 2)
    after = warm.run()
    assert (after["answers"], after["hits"], after["removed"]) == ([42, 42], 2, 0)


def test_without_the_guard_the_same_damage_ends_the_program(tmp_path: Path) -> None:
    """What the rows above rest on; should numba ever heal itself, this test says that the guard can go."""
    child = Child(tmp_path)
    child.run()
    folder = child.files("manifest.json").parent
    index = child.files("kernels.twice*.nbi")
    index.write_bytes(truncated(index.read_bytes()))
    assert child.start("unguarded", NUMBA_CACHE_DIR=str(folder)).returncode != 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1, "sources": "x", "files": {}}', '{"format": 1}'])
def test_a_damaged_manifest_makes_nothing_trusted(warm: Child, text: str) -> None:
    known = compile_cache._Known(warm.files("manifest.json").parent, "other")
    (known.folder / "trial").mkdir(exist_ok=True)
    original = warm.files("manifest.json").read_text()
    try:
        warm.files("manifest.json").write_text(text)
        assert compile_cache._read_manifest(known) == ({}, frozenset())
    finally:
        warm.files("manifest.json").write_text(original)


def test_kernels_of_other_sources_are_not_trusted(warm: Child) -> None:
    """Numba keeps what was compiled when only a module inlined into it has changed."""
    folder = warm.files("manifest.json").parent
    assert len(compile_cache._read_manifest(compile_cache._Known(folder, "pinned"))[0]) == 4
    assert compile_cache._read_manifest(compile_cache._Known(folder, "changed")) == ({}, frozenset())


def test_damage_after_the_start_is_not_sealed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEDIFF_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR", ""))
    monkeypatch.setattr(compile_cache, "_state", None)
    monkeypatch.setattr(compile_cache, "_known", None)
    folder = compile_cache.prepare()
    assert folder is not None
    config = sys.modules.get("numba.core.config")
    if config is not None:
        monkeypatch.setattr(config, "CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])
    code = folder / "kernel.1.nbc"
    code.write_bytes(b"good")
    assert compile_cache.seal() == 1
    stamp = code.stat()
    code.write_bytes(b"evil")
    os.utime(code, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert compile_cache.seal() == 1
    known = compile_cache._Known(folder, compile_cache._sources_digest())
    assert compile_cache._clean(known) == (0, 1)


class Process:
    """What one of several processes that share a folder knows of it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.known = compile_cache._Known(folder, "pinned")
        self._patch = monkeypatch
        self.removed = compile_cache._clean(self.known)[1]

    def seal(self, *ready: str) -> None:
        self._patch.setattr(compile_cache, "_known", self.known)
        self._patch.setattr(compile_cache, "_state", compile_cache.CacheState(self.known.folder, True, "", 0, 0))
        compile_cache.seal(ready)


def test_two_processes_seal_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that shows the window and the one that compiles for it: neither forgets what the other made."""
    ours, theirs = Process(tmp_path, monkeypatch), Process(tmp_path, monkeypatch)
    (tmp_path / "one.nbc").write_bytes(b"1")
    theirs.seal("one")
    (tmp_path / "two.nbc").write_bytes(b"2")
    ours.seal()
    theirs.seal("three")
    then = Process(tmp_path, monkeypatch)
    assert (set(then.known.files), then.removed) == ({"one.nbc", "two.nbc"}, 0)
    assert then.known.ready == {"one", "three"}


def test_what_was_ready_is_not_once_a_file_is_lost_or_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for damage in (Path.unlink, lambda path: path.write_bytes(b"?")):
        one, two = tmp_path / "one.nbc", tmp_path / "two.nbc"
        one.write_bytes(b"1")
        two.write_bytes(b"2")
        Process(tmp_path, monkeypatch).seal()
        first = Process(tmp_path, monkeypatch)
        one.write_bytes(b"1")
        first.seal("one")
        assert Process(tmp_path, monkeypatch).known.ready == {"one"}
        damage(one)
        after = Process(tmp_path, monkeypatch)
        assert after.known.ready == frozenset()
        after.seal()
        assert Process(tmp_path, monkeypatch).known.ready == frozenset()


@pytest.mark.parametrize("kind", ["a file in its place", "writable by all"])
def test_a_folder_that_cannot_be_used_is_passed_over_with_a_reason(tmp_path: Path, kind: str) -> None:
    child = Child(tmp_path)
    if kind == "a file in its place":
        child.cache.write_text("")
    else:
        child.run()
        child.files("manifest.json").parent.chmod(0o777)
    got = child.run()
    assert (got["answers"], got["lasting"]) == ([42, 42], False)
    assert "compiled anew at every start" in str(got["note"])


def test_a_full_disk_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_cache, "_ROOM", 1 << 62)
    assert "full" in str(compile_cache._why_not(tmp_path))


def test_the_sources_that_count_are_those_that_kernels_can_see() -> None:
    """A change in an exporter must not cost everybody a compilation; one in the vector type must."""
    seen = {path.relative_to(ROOT).as_posix() for path in compile_cache._sources()}
    assert "core/simd.py" in seen
    assert "core/compile_cache.py" not in seen
    assert "core/export/atomic.py" not in seen
