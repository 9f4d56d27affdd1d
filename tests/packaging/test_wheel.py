"""What sdist and wheel hold, and that the command of an installation does all that a checkout does, anywhere."""

import email
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT
from wavediff.app.ui.samples import DEMO_PAIR
from wavediff.core.system.version import VERSION, commit


def tracked(*folders):
    """Return the files that git knows and that are there, with slashes."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout")
    done = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True, timeout=300
    )
    return {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}


@pytest.fixture(scope="session")
def installed(built, install):
    return install(built.wheel)


def test_the_sdist_holds_the_whole_repository(built):
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked() <= names
    assert names - tracked() <= {"PKG-INFO"} | {name for name in names if (ROOT / name).is_file()}


def test_the_wheel_holds_one_package_with_all_that_runs(built):
    with zipfile.ZipFile(built.wheel) as archive:
        names = set(archive.namelist())
        data = email.message_from_bytes(archive.read(f"wavediff-{VERSION}.dist-info/METADATA"))
    assert {name.partition("/")[0] for name in names} == {"wavediff", f"wavediff-{VERSION}.dist-info"}
    wanted = tracked("app", "core", "gpu", "resources", "main.py", "tests/bench", ".ci/package/wavediff")
    wanted = {one for one in wanted if not Path(one).name.startswith(("test_", "screenshot"))}
    site = {
        one for one in wanted if one.startswith("resources/docs/") and not (one.endswith(".md") and "tour" not in one)
    }
    wanted = wanted - site | {"README.md", "GLOSSARY.md"}
    assert not {f"wavediff/{one}" for one in site} & names
    assert len([one for one in wanted if one.startswith("gpu/cuda/")]) > 20
    assert {f"wavediff/{one.removeprefix('.ci/package/wavediff/')}" for one in wanted} <= names
    assert not [one for one in names if "/tests/" in one and not one.startswith("wavediff/tests/bench/")][1:]
    assert data["Version"] == VERSION
    assert data["Requires-Python"] == ">=3.11"


@pytest.mark.thorough
def test_the_command_is_called_by_its_name(installed):
    assert installed.run("--version").stdout == f"wavediff {VERSION} (kernels: none, compiled at first use)\n"
    told = installed.run("--help")
    assert told.returncode == 0
    assert told.stdout.startswith("usage: wavediff ")
    assert "main.py" not in told.stdout
    assert installed.run("compare").stderr.endswith("(see wavediff compare --help)\n")


@pytest.mark.thorough
def test_it_compares_where_files_have_the_names_of_its_modules(installed):
    done = installed.run("compare", *DEMO_PAIR, "--json", "-", "--quiet")
    assert (done.returncode, done.stderr) == (1, "")
    answer = json.loads(done.stdout)
    assert answer["distance"] + answer["ambiguity"]["edits_apart"] == 3315  # of RapidFuzz; one of them is at an N
    assert not (installed.cwd / "RAN").exists()


@pytest.mark.thorough
def test_the_demo_and_the_sources_for_a_card_come_along(installed):
    code = (
        "from wavediff.app.ui.samples import DEMO_PAIR\nfrom wavediff.gpu.card import cuda\n"
        "assert all(one.is_file() for one in DEMO_PAIR), DEMO_PAIR\n"
        "assert 'wavediff' in str(cuda.CUDA) and cuda.text('kawanami.cu')\n"
    )
    done = subprocess.run(
        [installed.python, "-I", "-c", code],
        cwd=installed.cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")


MANUAL = """
from PySide6.QtCore import QUrl, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from wavediff.app.ui.manual import ManualDialog
program, said = QApplication([]), []
qInstallMessageHandler(lambda kind, context, text: said.append(text))
dialog = ManualDialog()
pages = dialog.pages
seen, left = set(), [pages.source()]
while left:
    page = left.pop()
    pages.setSource(page)
    assert len(pages.toPlainText()) > 100, page
    assert "{" + "include}" not in pages.toPlainText() and "{toc" not in pages.toPlainText(), page
    seen.add(page.fileName())
    block = pages.document().begin()
    while block.isValid():
        hrefs = [QUrl(part.format.anchorHref()) for part in block.textFormats() if part.format.isAnchor()]
        left += [to for href in hrefs if (to := page.resolved(href)).isLocalFile() and to.fileName() not in seen]
        block = block.next()
assert not said, said
print(*sorted(seen))
"""


@pytest.mark.thorough
def test_the_manual_opens_in_an_installation_and_no_link_in_it_is_dead(installed):
    done = subprocess.run(
        [installed.python, "-I", "-c", MANUAL],
        cwd=installed.cwd,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    named = set(done.stdout.split())
    assert {"README.md", "compare.md", "install.md", "limits.md", "GLOSSARY.md"} <= named
    assert not named & {"tour.md", "LICENSE"}


@pytest.mark.thorough
def test_doctor_finds_nothing_missing(installed):
    found = json.loads(installed.run("doctor", "--json").stdout)
    assert found["wavediff"] == VERSION
    assert [one for one in found["problems"] if "package" in one] == []
    assert not (installed.cwd / "RAN").exists()


@pytest.mark.thorough
def test_the_benchmarks_need_nothing_of_the_tests(installed):
    told = installed.run("bench", "--help")
    assert (told.returncode, told.stderr) == (0, "")
    assert "usage: wavediff bench" in told.stdout
    # As where only the extra 'bench' is installed.
    code = (
        "import sys, importlib, pkgutil\n"
        "for name in ('pytest', 'hypothesis', 'PySide6'): sys.modules[name] = None\n"
        "import wavediff.tests.bench\n"
        "names = [one.name for one in pkgutil.iter_modules(wavediff.tests.bench.__path__)]\n"
        "for name in names: importlib.import_module(f'wavediff.tests.bench.{name}')\n"
        "print(len(names))"
    )
    done = subprocess.run(
        [installed.python, "-I", "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    assert int(done.stdout) > 15


@pytest.mark.skipif(sys.platform != "linux", reason="where libraries of the system are installed by hand")
def test_an_editable_installation_is_the_checkout(install):
    pytest.importorskip("hatchling")
    before = {path.name for path in ROOT.iterdir()}
    made = install("-e", ROOT)
    assert {path.name for path in ROOT.iterdir()} == before
    assert made.run("--version").stdout.startswith(f"wavediff {VERSION} (commit {commit()}, kernels: ")
    code = "import wavediff.main; print(wavediff.main.__file__)"
    done = subprocess.run([made.python, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert Path(done.stdout.strip()) == ROOT / "main.py"
    assert not (made.cwd / "RAN").exists()


SCRIPT = """
import wavediff
answer: wavediff.Answer = wavediff.compare("kitten", "sitting")
distance: int = answer.distance
assert distance == 3
print(answer)
assert "kitten" in answer._repr_html_() or "mismatch" in answer._repr_html_()
lesson: wavediff.LessonPage = wavediff.lesson("edit-table", a="kitten", b="sitting")
assert "srcdoc=" in lesson._repr_html_()
print(wavediff.__version__, wavediff.batch(["a", "b"]).tolist(), wavediff.Index("banana").find("ana").tolist())
"""


@pytest.mark.thorough
def test_a_script_calls_it_and_mypy_knows_its_types(installed, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [installed.python, "-P", script], cwd=installed.cwd, capture_output=True, text=True, check=True, timeout=300
    )
    lines = done.stdout.splitlines()
    assert lines[1:4] == ["  A 1  kitten-  6", "       .|||.|", "  B 1  sitting  7"]
    assert lines[-1] == f"{VERSION} [[0, 1], [1, 0]] [1, 3]"
    wrong = tmp_path / "wrong.py"
    wrong.write_text(SCRIPT.replace("distance: int", "distance: str"))
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed.python, script, wrong]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    *faults, counted = done.stdout.splitlines()
    assert all(fault.startswith("wrong.py:") for fault in faults), done.stdout + done.stderr
    assert any("Incompatible types" in fault for fault in faults)
    assert "in 1 file (checked 2 source files)" in counted
