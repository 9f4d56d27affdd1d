"""A cache of compiled kernels that is damaged, unwritable, stale or shared is never worse than none.

The children really compile, keep and load kernels: damage that reached Numba would end a process, and only another
process can see that.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import llvmlite
import numba
import pytest

from tests import processes
from wavediff.core.jit import compile_cache, source_digest
from wavediff.core.system import cpu_levels
from wavediff.core.system.program import CHECKOUT_PACKAGE

ROOT = Path(__file__).parents[2]

KERNELS = """
from wavediff.core.jit.decorators import jit

@jit
def twice(x):
    return 2 * x

@jit
def thrice(x):
    return 3 * x
"""

FILLED = """
import numpy as np

@jit
def filled(array):
    return np.full(min(array.size, 3), array[0])
"""

CALLS_FILLED = """
import kernels, numpy
array = numpy.full(4, 7)
array.flags.writeable = False
assert kernels.filled(array).tolist() == [7, 7, 7]
"""

CHILD = """
import json, sys
sys.path[:0] = sys.argv[1:3]
from wavediff.core.jit import compile_cache, object_code
loaded, load = [], object_code.load
def watched(function, kinds):
    found = load(function, kinds)
    loaded.extend([function.__name__] if found else [])
    return found
object_code.load = watched
exec(sys.argv[3])
state = compile_cache.state()
import kernels
answers = [kernels.twice(21), kernels.thrice(14)]
hits = sum(name in ("twice", "thrice") for name in loaded)
compile_cache.mark_ready("both")
from wavediff.core.jit.simd import LANES
print(json.dumps([answers, hits, state.folder is not None, state.note, sorted(compile_cache.ready()), LANES]))
"""


LOGGED = "compiling kernels at their first use"


class Child:
    """A program with two kernels, perhaps more of them, and a cache folder of its own."""

    def __init__(self, folder, more=""):
        self.folder = folder
        self.cache = folder / "cache"
        (folder / "kernels.py").write_text(KERNELS + more)

    def begin(self, before="", **env):
        command = [sys.executable, "-B", "-c", CHILD, str(CHECKOUT_PACKAGE), str(self.folder), before]
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "CUPY_"))}
        return processes.begin(
            command,
            env={**variables, "WAVEDIFF_CACHE_DIR": str(self.cache), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, before="", **env):
        return self.end(self.begin(before, **env))

    @staticmethod
    def end(process):
        out, err = processes.finish(process, 120)
        assert (process.returncode, err if err.count("\n") > 1 or not err.startswith(LOGGED) else "") == (0, "")
        names = ("answers", "hits", "kept", "note", "ready", "lanes")
        return dict(zip(names, json.loads(out), strict=True)) | {"logged": err}

    def files(self, name):
        (found,) = self.cache.rglob(name)
        return found

    def kernels(self):
        return sorted(path.name for path in self.cache.rglob("*.kernel"))


def test_a_program_that_compiles_logs_one_line_before(tmp_path):
    """By its kernel where a job makes it ready, else by its function; what is loaded is not logged."""
    child = Child(tmp_path)
    assert child.run()["logged"] == f"{LOGGED}, which takes some seconds (now: twice)\n"
    assert child.run()["logged"] == ""
    steps = (
        "from wavediff.core.jobs.events import Step; from wavediff.core.jit.warmup import warm_up; import kernels; "
        "list(warm_up(Step(1), 'blocks', 2, lambda: {}))"
    )
    (tmp_path / "other").mkdir()
    said = Child(tmp_path / "other").run(steps.replace("{}", "kernels.thrice(1)"))
    assert said["logged"] == f"{LOGGED}, which takes some seconds (now: blocks)\n"


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    child = Child(tmp_path_factory.mktemp("cache"), FILLED)
    first = child.run(CALLS_FILLED)
    assert (first["answers"], first["hits"], first["ready"]) == ([42, 42], 0, ["both"])
    return child


def test_what_was_compiled_is_loaded_without_what_a_compiler_needs(warm):
    needless = "{'yaml', 'psutil', 'numpy.ma', 'numba'}"
    again = warm.run(f"{CALLS_FILLED}assert not {needless} & set(sys.modules)\n")
    assert (again["answers"], again["hits"], again["kept"], again["note"]) == ([42, 42], 2, True, "")
    assert len(warm.kernels()) == 3


CALLS_A_KEPT_KERNEL = """
import numpy as np
import kernels
from wavediff.core.jit.decorators import jit
assert kernels.twice(21) == 42

@jit
def filled(n):
    return np.full(n, kernels.twice(n))

assert filled(3).tolist() == [6, 6, 6]
"""


def test_what_was_loaded_is_called_by_what_is_compiled_then(warm):
    """Its code for that is read only then, and so is what a compiler needs to make arrays."""
    again = warm.run(CALLS_A_KEPT_KERNEL)
    assert (again["answers"], again["hits"]) == ([42, 42], 2)


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "one byte": lambda data: data[:1],
    "head alone": lambda data: data[:32],
    "truncated": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "flipped in the digest": lambda data: flipped(data, 3),
    "flipped in the middle": lambda data: flipped(data, len(data) // 2),
    "flipped at the end": lambda data: flipped(data, len(data) - 1),
    "random": lambda data: os.urandom(len(data)),
    "zeros": lambda data: bytes(len(data)),
}


def test_damage_costs_a_compilation_and_nothing_else(tmp_path):
    """A kernel is damaged in each way, and the others must stay good; size and time are put back where they can be."""
    n = len(DAMAGE)
    more = "".join(f"\n@jit\ndef added{at}x(x):\n    return x + {at}\n" for at in range(n))
    child = Child(tmp_path, more)
    call = f"import kernels\ncalled = [getattr(kernels, 'added' + str(at) + 'x') for at in range({n})]\n"
    call += "sums = [one(1) for one in called]\nfound = [name for name in loaded if 'added' in name]\n"
    call += f"assert (sums, len(found)) == (list(range(1, {n + 1})), HITS), (sums, found)\n"
    assert child.run(call.replace("HITS", "0"))["hits"] == 0
    for at, damage in enumerate(DAMAGE.values()):
        path = child.files(f"kernels.added{at}x*")
        before, content = path.stat(), path.read_bytes()
        path.write_bytes(damage(content))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert child.run(call.replace("HITS", "0"))["hits"] == 2
    assert child.run(call.replace("HITS", str(n)))["hits"] == 2


@pytest.mark.thorough
def test_a_kernel_under_the_name_of_another_is_damage(warm):
    one, other = warm.files("kernels.twice*"), warm.files("kernels.thrice*")
    other.write_bytes(one.read_bytes())
    assert (warm.run()["answers"], warm.run()["hits"]) == ([42, 42], 2)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has other rights")
def test_what_others_can_write_is_not_executed(warm):
    path = warm.files("kernels.twice*")
    path.chmod(0o666)
    assert warm.run()["hits"] == 1
    assert path.stat().st_mode & 0o777 == 0o600
    content = path.read_bytes()
    path.unlink()
    elsewhere = warm.folder / "elsewhere"
    elsewhere.write_bytes(content)
    path.symlink_to(elsewhere)
    assert warm.run()["hits"] == 1
    assert not path.is_symlink()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has other rights")
def test_a_folder_that_others_can_write_is_not_used_and_that_is_said(warm):
    for folder in warm.files("kernels.twice*").parents[:2]:
        folder.chmod(0o777)
        got = warm.run()
        folder.chmod(0o700)
        assert (got["answers"], got["hits"], got["kept"]) == ([42, 42], 0, False)
        assert f"{folder} belongs to or can be written by somebody else" in str(got["note"])
        assert "compiled again at every start" in str(got["note"])


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has other rights")
def test_the_folder_of_a_cards_kernels_is_looked_at_too(warm):
    card = warm.cache / "cupy"
    card.mkdir(exist_ok=True)
    card.chmod(0o777)
    got = warm.run("import os\ncompile_cache.prepare()\nassert os.environ['CUPY_CACHE_IN_MEMORY'] == '1'")
    assert got["kept"]
    assert str(got["note"]).startswith(
        f"{card} belongs to or can be written by somebody else; kernels of a graphics card"
    )
    card.chmod(0o700)


@pytest.mark.thorough
def test_a_person_whose_files_a_group_may_write_has_a_cache(tmp_path):
    child = Child(tmp_path)
    shared = "import os\nos.umask(0o002)"
    assert (child.run(shared)["kept"], child.run(shared)["hits"]) == (True, 2)


@pytest.mark.thorough
def test_a_child_that_stands_elsewhere_has_the_same_folder(tmp_path):
    child = Child(tmp_path)
    moved = "import os\nos.chdir(sys.argv[2])\ncompile_cache.prepare()\nos.chdir('/')\ncompile_cache._state = None"
    assert child.run(moved, WAVEDIFF_CACHE_DIR="cache")["kept"]
    assert len(child.kernels()) == 2


def test_a_file_in_the_place_of_the_folder(tmp_path):
    child = Child(tmp_path)
    child.cache.write_text("")
    got = child.run()
    assert (got["answers"], got["kept"]) == ([42, 42], False)
    assert "cannot be written" in str(got["note"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_folder_that_takes_nothing_more_is_named_and_still_read(warm, tmp_path_factory):
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    got, new = warm.run(full), Child(tmp_path_factory.mktemp("new")).run(full)
    assert (got["answers"], got["hits"], got["kept"], new["hits"]) == ([42, 42], 2, False, 0)
    for one, which in ((got, "kernels that are not in it"), (new, "kernels")):
        assert f"cannot be written: File too large; {which} are compiled again at every start" in str(one["note"])


def test_a_full_disk_costs_a_compilation_and_nothing_else(tmp_path):
    child = Child(tmp_path)
    full = "import os, errno\ndef replace(*_): raise OSError(errno.ENOSPC, 'full')\nos.replace = replace"
    got = child.run(full)
    assert (got["answers"], got["ready"]) == ([42, 42], [])
    assert [path for path in child.cache.rglob("*") if path.is_file()] == []


@pytest.mark.thorough
def test_starts_at_the_same_time_keep_what_each_has_compiled(tmp_path, spawn):
    """One waits half done while others begin and end."""
    child = Child(tmp_path)
    halfway = (
        "import kernels, sys, time\nkernels.twice(1)\nprint('half', file=sys.stderr, flush=True)\nsys.stdin.readline()"
    )
    variables = {**os.environ, "WAVEDIFF_CACHE_DIR": str(child.cache)}
    command = [
        sys.executable,
        "-B",
        "-c",
        f"{CHILD.partition('exec')[0]}{halfway}",
        str(CHECKOUT_PACKAGE),
        str(tmp_path),
    ]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    first = spawn(command, env=variables, text=True, **pipes)
    assert first.stderr.readline().startswith(LOGGED)
    assert first.stderr.readline() == "half\n"
    before = child.kernels()
    others = [child.begin() for _ in range(2)]
    # Each found what the first had compiled by then; whichever came later may have found the other's kernel too.
    assert all(child.end(one)["hits"] >= 1 for one in others)
    assert set(before) < set(child.kernels())
    first.communicate("go on\n", timeout=60)
    assert first.returncode == 0
    assert child.run()["hits"] == 2


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="no SIGKILL")
def test_a_start_killed_while_it_writes_leaves_nothing_that_counts(tmp_path):
    child = Child(tmp_path)
    killed = child.begin("import os, signal\nos.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)")
    processes.finish(killed, 60)
    assert killed.returncode == -signal.SIGKILL
    (left,) = child.cache.rglob("*.tmp")
    assert child.run()["hits"] == 0
    assert left.exists()  # it could be of a process at work
    assert child.run()["hits"] == 2
    os.utime(left, (1, 1))
    child.files("kernels.twice*").unlink()
    assert child.run()["hits"] == 1
    assert not left.exists()


@pytest.mark.thorough
def test_what_nobody_uses_any_more_goes(tmp_path):
    child = Child(tmp_path)
    child.run()
    old = child.files("kernels.twice*")
    other = old.with_name("other-0.kernel")
    other.write_bytes(b"")
    ready = old.with_name("ready-other")
    ready.write_bytes(b"")
    days = 86400
    for path, age in ((old, 50), (other, 70), (ready, 40)):
        then = path.stat().st_mtime - age * days
        os.utime(path, (then, then))
    assert child.run()["hits"] == 2  # and marks what it uses
    os.utime(old, (old.stat().st_atime, old.stat().st_mtime - 30 * days))
    assert other.exists()  # nothing was compiled
    child.files("kernels.thrice*").unlink()
    assert child.run()["hits"] == 1
    assert (old.exists(), other.exists(), ready.exists()) == (True, False, False)


def tree(folder, **texts):
    for name, text in texts.items():
        path = folder / "core" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def clear_digests():
    for kept in (source_digest.digest, source_digest._text, source_digest._imported, source_digest._name_and_digest):
        kept.cache_clear()


def digest_in(folder, name, monkeypatch):
    monkeypatch.setattr(source_digest, "ROOT", folder)
    clear_digests()
    try:
        return source_digest.digest(str(folder / "core" / f"{name}.py"))
    finally:
        clear_digests()


@pytest.mark.parametrize(
    "form",
    [
        "from wavediff.core.b import one",
        "import wavediff.core.b",
        "from wavediff.core import b",
        "from wavediff.core.b import (\n    one,\n)",
    ],
)
def test_a_kernel_is_kept_by_what_it_is_made_from(form, tmp_path, monkeypatch):
    texts = {"a": f"{form}\n", "b": "from wavediff.core.c import one\n", "c": "one = 1\n", "d": "one = 1\n"}
    digests = []
    for at, change in enumerate((None, None, "a", "b", "c", "d")):
        changed = texts | ({change: texts[change] + "# another\n"} if change else {})
        folder = tree(tmp_path / str(at), **changed)
        os.utime(folder / "core" / "a.py", (at, at))
        digests.append(digest_in(folder, "a", monkeypatch))
    assert digests[0] == digests[1]  # a copy elsewhere, with other times
    assert digests[5] == digests[0]  # nothing to do with it
    assert len({*digests[:5]}) == 4
    assert digest_in(tmp_path, "gone", monkeypatch) is None


def test_sources_reach_what_kernels_are_made_from_and_no_more():
    def reached(name):
        return {
            Path(one).relative_to(ROOT).as_posix() for one in source_digest.with_imports([str(ROOT / "core" / name)])
        }

    assert {"core/jit/simd.py", "core/jit/simd_ir.py"} <= reached("kernels/pairwise/lcs/lcs_matrix.py")
    assert not any(name.startswith("core/kernels/bwt/") for name in reached("kernels/pairwise/lcs/lcs_matrix.py"))
    assert not {"core/export/atomic.py", "core/jit/compile_cache.py"} & reached("kernels/pairwise/lcs/lcs_matrix.py")
    assert "core/jit/compile_cache.py" not in reached("kernels/bwt/run.py") | reached("kernels/search/run.py")


def test_what_is_ready_is_told_by_names_and_sizes(tmp_path, monkeypatch):
    """Other times and another place change nothing, a longer module and one more do."""
    told = []
    for at, texts in enumerate(({"a": "1"}, {"a": "2"}, {"a": "10"}, {"a": "1", "b": ""})):
        monkeypatch.setattr(source_digest, "ROOT", tree(tmp_path / str(at), **texts))
        (source_digest.ROOT / "core" / "notes.txt").write_text("x" * at)
        told.append(source_digest.digest_of_sizes.__wrapped__())
    assert told[0] == told[1]
    assert len(set(told)) == 3


def test_the_list_of_what_is_ready(tmp_path, monkeypatch):
    """Several write to it, one may be cut off, and other sources have another."""
    monkeypatch.setattr(compile_cache, "_state", compile_cache.CacheState(tmp_path, tmp_path, None, ""))
    for name in ("one", "two", "one"):
        monkeypatch.setattr(compile_cache, "_marked", set())
        compile_cache.mark_ready(name)
    (listed,) = tmp_path.iterdir()
    assert listed.read_text().split() == ["one", "two"]
    listed.write_bytes(listed.read_bytes() + b"\nthr")
    monkeypatch.setattr(compile_cache, "_marked", set())
    compile_cache.mark_ready("four")
    assert compile_cache.ready() == {"one", "two", "thr", "four"}
    listed.write_bytes(b"\xff\xfe\n\0\nfour\n")
    assert "four" in compile_cache.ready()
    monkeypatch.setattr(source_digest, "digest_of_sizes", lambda: "changed")
    assert compile_cache.ready() == frozenset()


@pytest.mark.thorough
@pytest.mark.skipif(not cpu_levels.is_supported("x86-64-v3"), reason="builds for x86-64-v3")
def test_shipped_kernels_are_loaded_and_nothing_is_compiled(tmp_path):
    """Also where nothing can be kept; on a machine without the level they are not touched."""
    child = Child(tmp_path)
    shipped = tmp_path / "shipped"
    levels = "from pathlib import Path\nfrom wavediff.core.system import cpu_levels\n"
    levels += f"compile_cache.SHIPPED_FOLDER = Path({str(shipped)!r})\n"
    built = child.run(f"{levels}compile_cache.use_folder(compile_cache.SHIPPED_FOLDER, 'x86-64-v3')")
    assert (built["hits"], built["lanes"]) == (0, 4)
    assert child.kernels() == []
    first = child.run(levels)
    assert (first["answers"], first["hits"], first["lanes"], first["ready"]) == ([42, 42], 2, 4, ["both"])
    assert child.kernels() == []
    nowhere = child.run(levels, WAVEDIFF_CACHE_DIR="/dev/null/cache")
    assert (nowhere["hits"], nowhere["lanes"]) == (2, 4)
    assert "kernels that did not come with the program" in str(nowhere["note"])
    chosen = child.run(levels, NUMBA_CPU_NAME="nehalem", NUMBA_CPU_FEATURES="+sse4.2,+popcnt")
    assert (chosen["answers"], chosen["hits"], chosen["lanes"]) == ([42, 42], 0, 2)
    assert child.run(f"{levels}cpu_levels.is_supported = lambda level: False")["hits"] == 0
    others = f"{levels}import os\nos.chmod(compile_cache.SHIPPED_FOLDER, 0o777)"
    assert child.run(others, WAVEDIFF_CACHE_DIR=str(tmp_path / "cold"))["hits"] == 0


def test_a_folder_is_named_by_the_versions_of_what_compiles():
    versions = f"numba{numba.__version__}-llvmlite{llvmlite.__version__}"
    assert compile_cache.folder_name("x86-64") == f"{versions}-{sys.implementation.cache_tag}-x86-64"


def supported(cpuinfo, monkeypatch):
    monkeypatch.setattr(cpu_levels, "_CPUINFO", cpuinfo)
    monkeypatch.setattr(cpu_levels, "_flags", cpu_levels._flags.__wrapped__)
    try:
        return [level for level in cpu_levels.LEVELS if cpu_levels.is_supported(level)]
    finally:
        monkeypatch.undo()


def test_a_level_is_all_of_its_features(tmp_path, monkeypatch):
    def asked(flags):
        (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\n\nprocessor\t: 1\nflags\t\t: none\n")
        return supported(tmp_path / "cpuinfo", monkeypatch)

    v3 = "cx16 popcnt lahf_lm pni ssse3 sse4_1 sse4_2 xsave avx avx2 bmi1 bmi2 f16c fma abm movbe"
    v4 = f"{v3} avx512f avx512bw avx512cd avx512dq avx512vl"
    assert asked(v4) == ["x86-64-v4", "x86-64-v3"]
    assert asked(v3) == ["x86-64-v3"]
    assert asked(v4.replace("avx512vl", "")) == ["x86-64-v3"]
    assert asked(v3.replace("movbe", "")) == []


def test_without_a_list_of_flags_llvm_is_asked(tmp_path, monkeypatch):
    expected = [level for level in cpu_levels.LEVELS if cpu_levels.is_supported(level)]
    assert supported(tmp_path / "none", monkeypatch) == expected
