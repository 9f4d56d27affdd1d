"""The standalone folder that ``make bundle`` has built, started with no environment and no Python to be found."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.packaging.conftest import ENDING, PLANTED
from tests.processes import spawned
from wavediff.app.ui.samples import DEMO_PAIR
from wavediff.core.system.version import VERSION

BUNDLE = Path(os.environ.get("WAVEDIFF_BUNDLE", "")).absolute()
PROGRAM = BUNDLE / f"wavediff{ENDING}"
pytestmark = pytest.mark.skipif("WAVEDIFF_BUNDLE" not in os.environ, reason="needs a bundle: make bundle")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home, and folder to stand in, with files that must not be run; kernels compiled for one test serve the next."""
    folder = tmp_path_factory.mktemp("home")
    for name in PLANTED:
        (folder / f"{name}.py").write_text('open("RAN", "a").write(__name__)\n', encoding="utf-8")
    return folder


def environment(home, **more):
    kept = {
        name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ
    }  # Windows cannot do without
    return {**kept, "HOME": str(home), "WAVEDIFF_CACHE_DIR": str(home / "cache"), **more}


def run(home, *words, env=None):
    command = [str(word) for word in (PROGRAM, *words)]
    return subprocess.run(
        command, cwd=home, env=env or environment(home), capture_output=True, text=True, check=False, timeout=300
    )


def test_it_starts_with_no_environment_at_all(home):
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    done = subprocess.run([PROGRAM, "--version"], env=kept, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"wavediff {VERSION} (")


@pytest.mark.parametrize("method", ["lcs", "edit", "swap"])
def test_it_compares(home, method):
    done = run(home, "compare", *DEMO_PAIR, "--method", method, "--json", "-", "--quiet")
    assert (done.returncode, done.stderr) == (1, "")
    found = json.loads(done.stdout)
    assert found["method"] == method
    assert method != "lcs" or found["lcs"] == 13_966
    assert not (home / "RAN").exists()


def test_doctor_finds_all_packages(home):
    found = json.loads(run(home, "doctor", "--json").stdout)
    assert all(found["packages"].values())
    assert [one for one in found["problems"] if "package" in one] == []
    assert {"offscreen"} <= set(found["qt"]["plugins"])


def test_what_a_bundle_does_not_have_is_told(home):
    done = run(home, "bench")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no benchmarks" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="is for freedesktop systems")
def test_its_launcher_starts_the_folder(home):
    env = environment(home, XDG_DATA_HOME=str(home / "data"))
    done = run(home, "desktop", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert f'Exec="{PROGRAM}" %F' in (home / "data" / "applications" / "wavediff.desktop").read_text()
    assert run(home, "desktop", "--remove", env=env).returncode == 0
    assert list((home / "data").iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="a signal ends it, and Qt's platform is named")
def test_the_window_opens_a_pair_and_closes_when_told(home):
    """The program notes in its settings which pair it has opened."""
    env = environment(home, QT_QPA_PLATFORM="offscreen", LANG="C.UTF-8", XDG_CONFIG_HOME=str(home / "config"))
    a, b = home / "first.txt", home / "second.txt"
    a.write_text("kitten\n")
    b.write_text("sitting\n")
    with spawned([PROGRAM, a, b], cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as window:
        recent = home / "config" / "wavediff" / "wavediff.ini"
        limit = time.monotonic() + 120
        while not recent.exists() and window.poll() is None and time.monotonic() < limit:
            time.sleep(0.1)
        assert "first.txt" in recent.read_text()
        window.send_signal(signal.SIGTERM)
        said, _ = window.communicate(timeout=30)
        # Qt says this of its own platform, once for every window.
        said = said.replace(b"This plugin does not support propagateSizeHints()\n", b"")
        assert (window.returncode, said) == (0, b"")
    assert not (home / "RAN").exists()
