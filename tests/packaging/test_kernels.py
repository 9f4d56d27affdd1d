"""Kernels that come with the program: built into a wheel, they are found, and the first start compiles nothing."""

import json
import os
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, build
from wavediff.app.ui.samples import DEMO_PAIR
from wavediff.core.system import cpu_levels

BUNDLE = Path(os.environ.get("WAVEDIFF_BUNDLE", "")).absolute()
SCRIPT = ROOT / ".ci" / "kernels.py"
here = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="levels are of x86-64")


def levels(wanted, default=""):
    """Ask the script in a process of its own, as the builds do."""
    env = {name: value for name, value in os.environ.items() if name != "WAVEDIFF_BUILD_KERNELS"}
    env |= {} if wanted is None else {"WAVEDIFF_BUILD_KERNELS": wanted}
    code = (
        f"import sys; sys.path.insert(0, {str(SCRIPT.parent)!r}); import kernels; print(*kernels.levels({default!r}))"
    )
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False, timeout=300
    )


def test_a_build_without_kernels_needs_no_package():
    """``pip install .`` builds where nothing but hatchling is installed."""
    code = f"import runpy; made = runpy.run_path({str(SCRIPT)!r}); made['commit'](); print(made['levels']('none'))"
    env = {name: value for name, value in os.environ.items() if name != "WAVEDIFF_BUILD_KERNELS"}
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert (done.stdout, done.stderr) == ("()\n", "")


@here
def test_the_environment_chooses_what_is_compiled():
    assert levels(None).stdout.split() == list(cpu_levels.LEVELS)
    assert levels("none").stdout.split() == []
    assert levels(None, default="none").stdout.split() == []  # a wheel that pip builds
    assert levels("x86-64-v3").stdout.split() == ["x86-64-v3"]
    wrong = levels("x86-64-v9")
    assert wrong.returncode == 1
    assert "x86-64-v3" in wrong.stderr


@here
@pytest.mark.skipif("WAVEDIFF_BUNDLE" not in os.environ, reason="compiling all takes minutes: make bundle has done so")
@pytest.mark.skipif(not cpu_levels.is_supported("x86-64-v3"), reason="kernels are for x86-64-v3 and v4")
def test_an_installation_with_kernels_compiles_nothing(tmp_path, install):
    build("wheel", ROOT, tmp_path, str(BUNDLE / "_internal" / "wavediff" / "kernels"))
    wheel = next(tmp_path.glob("*.whl"))
    assert f"{sys.implementation.name[:2]}{sys.version_info.major}{sys.version_info.minor}" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert len([name for name in archive.namelist() if name.startswith("wavediff/kernels/")]) > 100
    installed, cache = install(wheel), tmp_path / "cache"
    for method in ("lcs", "edit", "swap"):
        done = installed.run(
            "compare", *DEMO_PAIR, "--method", method, "--json", "-", "--quiet", WAVEDIFF_CACHE_DIR=str(cache)
        )
        assert (done.returncode, done.stderr) == (1, "")
        assert json.loads(done.stdout)["method"] == method
    assert list(cache.rglob("*.kernel")) == []
