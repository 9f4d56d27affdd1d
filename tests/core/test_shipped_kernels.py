"""Kernels that are built to be shipped: what needs them compiles nothing, and starts no child."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble
from wavediff.core.base.errors import BackendUnavailable, ExportError
from wavediff.core.jit import compile_cache
from wavediff.core.jit.background_compile import ALL, KernelSet
from wavediff.core.run import compile_worker
from wavediff.core.system import cpu_levels

ROOT = Path(__file__).parents[2]
LEVEL = "x86-64-v3"

BUILD = """
import sys
from wavediff.core.run import compile_worker
every, some = compile_worker.all_warmup_jobs, {"encode encode", "verify verify"}
compile_worker.all_warmup_jobs = lambda **words: [one for one in every(**words) if some & set(one.names)]
from wavediff.app.commands.cli import main
sys.exit(main(["compile-kernels", "--all", "--cpu", sys.argv[2], "--out", sys.argv[1]]))
"""

SETUP = """
import sys
from wavediff.core.run import compile_worker
every, some = compile_worker.all_warmup_jobs, {"encode encode", "verify verify"}
compile_worker.all_warmup_jobs = lambda **words: [one for one in every(**words) if some & set(one.names)]
from wavediff.app.commands.cli import main
sys.exit(main(["setup"]))
"""

USE = """
import json, sys
from pathlib import Path
from wavediff.core.jit import compile_cache
compile_cache.SHIPPED_FOLDER = Path(sys.argv[1])
ready = compile_cache.ready()
from numba.core import config, event
compiled = []
class Log(event.Listener):
    def on_start(self, e): compiled.append(e.data["dispatcher"].py_func.__qualname__)
    def on_end(self, e): pass
event.register("numba:compile", Log())
import numpy as np
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job
letters = np.arange(100, dtype=np.uint8) % 4
length = run_job(LcsJob(a=letters[:0], b=letters)).length
print(json.dumps([length, compiled, sorted(ready), config.CPU_NAME, config.CPU_FEATURES]))
"""


def python(code, *words, cache):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT, env={**variables, "WAVEDIFF_CACHE_DIR": str(cache)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.skipif(not cpu_levels.is_supported(LEVEL), reason=f"builds for {LEVEL}")
@pytest.mark.thorough
def test_what_was_built_is_used_without_a_compiler(tmp_path):
    shipped, cache = tmp_path / "shipped", tmp_path / "cache"
    told = python(BUILD, str(shipped), LEVEL, cache=cache).splitlines()
    (folder,) = shipped.iterdir()
    assert folder.name.endswith(LEVEL)
    kernels = list(folder.glob("*.kernel"))
    assert told[-1].startswith(f"{folder}: {len(kernels)} kernels")
    assert not cache.exists()
    if hasattr(os, "geteuid"):
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o644}
    length, compiled, ready, name, features = json.loads(python(USE, str(shipped), cache=cache))
    assert (length, compiled) == (0, [])
    assert {"encode encode", "verify verify", *(f"{ALL} {lane}" for lane in KernelSet)} <= set(ready)
    assert (name, features) == (LEVEL, cpu_levels.features(LEVEL))
    assert not list(cache.rglob("*.kernel"))


@pytest.mark.skipif(not cpu_levels.is_supported(LEVEL), reason=f"builds for {LEVEL}")
@pytest.mark.thorough
def test_another_level_is_compiled_without_a_run(tmp_path):
    """It lacks no kernel: all of the same jobs are there for a machine that has it. Affine kernels differ by width."""
    built, like = tmp_path / "built", tmp_path / "like"
    build = BUILD.replace('"verify verify"', "\"pairs (8, 'affine', 'batch')\"")
    python(build, str(built), LEVEL, cache=tmp_path / "cache")
    command = [sys.executable, "-P", ".ci/kernels.py", "--like", LEVEL, built, "x86-64-v4", like]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    (folder,), (made,) = built.iterdir(), like.iterdir()
    assert made.name == folder.name.replace(LEVEL, "x86-64-v4")
    names = {path.name for path in made.iterdir()}
    assert len(names) == len([*folder.iterdir()]) > 3
    assert any(name.startswith("wavediff.core.kernels.affine.pairs.advance") for name in names)
    if cpu_levels.is_supported("x86-64-v4"):
        python(build, str(built), "x86-64-v4", cache=tmp_path / "cache")
        assert {path.name for path in (built / made.name).iterdir()} == names


def test_setup_compiles_once(tmp_path):
    cache = tmp_path / "cache"
    first = python(SETUP, cache=cache).splitlines()
    n_kernels = len(list(cache.rglob("*.kernel")))
    assert n_kernels > 1
    assert first[0].startswith("1 of 2: encode, ")
    assert first[-1].startswith("all kernels are compiled: ")
    *_, last = python(SETUP, cache=cache).splitlines()
    assert last.startswith("all kernels are compiled: ")
    assert len(list(cache.rglob("*.kernel"))) == n_kernels


def test_a_level_that_this_machine_lacks(tmp_path, monkeypatch):
    monkeypatch.setattr(cpu_levels, "is_supported", lambda level: False)
    with pytest.raises(BackendUnavailable, match="x86-64-v4"):
        compile_worker.build(tmp_path, "x86-64-v4", print)
    assert list(tmp_path.iterdir()) == []


def test_a_kernel_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_state", compile_cache.CacheState(tmp_path, tmp_path, None, ""))
    monkeypatch.setattr(compile_cache, "_failed", True)
    with pytest.raises(ExportError, match="not every kernel"):
        compile_cache.make_readable()


def test_what_must_be_said_to_build(capsys):
    trouble(call(capsys, "compile-kernels", "--all", "--cpu", LEVEL), "--out")


def test_kernels_for_a_card_are_among_those_shipped():
    assert len(compile_worker.all_warmup_jobs(card=True)) - len(compile_worker.all_warmup_jobs(card=False)) == 2
