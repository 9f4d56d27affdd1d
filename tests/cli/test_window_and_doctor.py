"""Starting the window where there is no display, and what ``doctor`` says."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.helpers import DEMO, call, python
from wavediff.core.run import dispatch, doctor
from wavediff.core.system import cpu_levels, qt_libraries


@pytest.mark.skipif(sys.platform != "linux", reason="displays are told by variables on Linux only")
def test_without_a_display_the_window_is_refused_and_make_run_compares_the_demo():
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = python("main.py", "--demo", env=env)
    assert done.returncode == 0
    assert "there is no display" in done.stderr
    assert "3,314 edits (1 unknown base not counted)" in done.stdout
    for files in ((), DEMO):
        refused = python("main.py", *files, env=env)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.count("\n") == 1
        assert "'compare' needs none" in refused.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="displays are told by variables on Linux only")
@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "neither"),
        ({"DISPLAY": ":4242"}, "no X server answers"),
        ({"DISPLAY": "127.0.0.1:59"}, "no X server answers"),
        ({"WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": "/nowhere"}, "neither"),
        ({"QT_QPA_PLATFORM": "offscreen"}, None),
        ({"QT_QPA_PLATFORM": "xcb"}, "neither"),
    ],
)
def test_why_there_is_no_display(environ, says):
    reason = qt_libraries.why_no_display(environ)
    assert (reason is None) == (says is None)
    assert says is None or says in str(reason)


def test_doctor(capsys):
    code, out, _ = call(capsys, "doctor", "--json")
    found = json.loads(out)
    assert found["processor"]["cores"] >= 1
    assert found["memory"]["total"] > 0
    assert found["processor"]["vector_bits"] in (128, 256, 512)
    assert found["gpu"].keys() >= {"lcs"}
    assert found["cache"]["folder"]
    assert code == (2 if found["problems"] else 0)
    code, out, _ = call(capsys, "doctor")
    for word in ("processor", "vectors", "memory", "GPU", "cache", "window", found["packages"]["numba"]):
        assert word in out


def test_a_driver_that_fails_in_an_unknown_way_leaves_the_rest_of_the_report(capsys, monkeypatch):
    def fails():
        raise OSError("cannot load the driver")

    for module in (dispatch, doctor):
        monkeypatch.setattr(module, "graphics_cards", fails)
    code, out, _ = call(capsys, "doctor", "--json")
    facts = json.loads(out)
    assert facts["graphics_card"] == {"unavailable_reason": "OSError: cannot load the driver"}
    assert facts["gpu"]["edit"] == "OSError: cannot load the driver"
    assert facts["cache"]
    assert facts["qt"]
    assert code == 0


@pytest.mark.parametrize(
    ("level", "bits"),
    [("x86-64-v4", 512), ("x86-64-v3", 256), ("x86-64", 128), (None, cpu_levels.widest(cpu_levels.host_features()))],
)
def test_doctor_names_the_level_in_use(capsys, monkeypatch, level, bits):
    """And not the one that the processor has."""
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    monkeypatch.delenv("NUMBA_CPU_FEATURES", raising=False)
    if level is not None:
        monkeypatch.setenv("NUMBA_CPU_NAME", level)
        monkeypatch.setenv("NUMBA_CPU_FEATURES", cpu_levels.features(level))
    _, out, _ = call(capsys, "doctor")
    width = bits[1] if isinstance(bits, tuple) else bits
    (line,) = [line for line in out.splitlines() if line.startswith("vectors")]
    assert line.split()[1:3] == [str(width), "bits"]
    assert f"compiled for {level or 'this processor'}" in line


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("objdump") is None, reason="needs Linux and binutils")
def test_the_list_of_libraries_is_complete():
    """Whatever Qt's own libraries and the plugins we use link to is Qt's, the C library's, or in the list."""
    spec = find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("needs Qt")
    qt = Path(spec.submodule_search_locations[0]) / "Qt"
    names = ["plugins/platforms/libqxcb.so", "plugins/platforms/libqoffscreen.so", "plugins/xcbglintegrations/*.so"]
    names += [f"lib/libQt6{part}.so.6" for part in ("Core", "Gui", "Widgets", "DBus", "OpenGL", "XcbQpa")]
    found = [path for pattern in names for path in qt.glob(pattern)]
    assert len(found) >= len(names)
    shown = subprocess.run(["objdump", "-p", *found], capture_output=True, text=True, check=True, timeout=120).stdout
    linked = set(re.findall(r"NEEDED\s+(\S+)", shown))
    of_c = re.compile(r"lib(c|m|gcc_s|stdc\+\+|pthread|dl|rt|z)\.so.*|ld-linux.*")
    unknown = {one for one in linked if not one.startswith(("libQt6", "libicu")) and not of_c.fullmatch(one)}
    assert unknown <= set(qt_libraries.NEEDED)


def test_the_line_to_copy_names_each_package_once():
    line = qt_libraries.install_line(["libgthread-2.0.so.0", "libglib-2.0.so.0", "libEGL.so.1"])
    assert line == "sudo apt-get install -y libegl1 libglib2.0-0"
