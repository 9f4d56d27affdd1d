"""``desktop``: launcher, icon and file types of freedesktop, written and taken back."""

import configparser
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble
from wavediff.app.commands import desktop
from wavediff.core.system import program

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="is for freedesktop systems")
FILES = {desktop.LAUNCHER, desktop.ICON, desktop.TYPES}


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder that does not exist yet, with a space in its path."""
    folder = tmp_path / "data of mine"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


def files(folder):
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def words(value):
    """Read an ``Exec`` value as a desktop does: escapes of the file, then quotes, then field codes."""
    value = value.replace("\\\\", "\0").replace("\0", "\\")
    found, at = [], 0
    while at < len(value):
        word = ""
        if value[at] == '"':
            at += 1
            while value[at] != '"':
                at += value[at] == "\\"
                word += value[at]
                at += 1
            at += 1
        else:
            while at < len(value) and value[at] != " ":
                word += value[at]
                at += 1
        found.append(word.replace("%%", "%"))
        at += 1
    return found


def test_it_writes_three_files_and_takes_everything_back(capsys, data):
    code, out, err = call(capsys, "desktop")
    assert (code, err) == (0, "")
    assert str(data) in out
    assert "desktop --remove" in out
    assert files(data).keys() >= FILES
    assert call(capsys, "desktop")[0] == 0  # again, over the same
    code, out, err = call(capsys, "desktop", "--remove")
    assert (code, err) == (0, "")
    assert all(name in out for name in FILES)
    assert list(data.rglob("*")) == []
    assert call(capsys, "desktop", "--remove") == (0, f"nothing to remove in {data}\n", "")


def test_what_others_put_there_stays(capsys, data):
    others = {
        "applications/other.desktop": "[Desktop Entry]\nType=Application\nName=Other\nExec=true\nMimeType=text/x-o;\n",
        "mime/packages/other.xml": '<?xml version="1.0"?>\n'
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"><mime-type type="text/x-o">'
        '<comment>o</comment><glob pattern="*.ooo"/></mime-type></mime-info>',
        "icons/hicolor/scalable/apps/other.svg": "<svg/>",
    }
    for name, text in others.items():
        (data / name).parent.mkdir(parents=True)
        (data / name).write_text(text)
    call(capsys, "desktop")
    call(capsys, "desktop", "--remove")
    left = files(data)
    assert left.keys() >= others.keys()
    assert not [name for name, content in left.items() if "wavediff" in name or b"wavediff" in content]
    if shutil.which("update-mime-database"):
        assert b"*.ooo" in left["mime/globs"]
        assert b"fasta" not in left["mime/globs"]


def test_the_launcher_is_a_valid_entry(capsys, data):
    call(capsys, "desktop")
    read = configparser.RawConfigParser(strict=True)
    read.optionxform = str
    read.read(data / desktop.LAUNCHER, encoding="utf-8")
    entry = dict(read["Desktop Entry"])
    assert words(entry["Exec"]) == [*program.command(), "%F"]
    assert all(Path(word).is_absolute() for word in program.command())
    assert (entry["Type"], entry["Terminal"], entry["Icon"]) == ("Application", "false", "wavediff")
    assert entry["MimeType"].rstrip(";").split(";") == [name for name, *_ in desktop.FORMATS]
    if shutil.which("desktop-file-validate"):
        done = subprocess.run(
            ["desktop-file-validate", data / desktop.LAUNCHER], capture_output=True, text=True, check=False, timeout=120
        )
        assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize("word", ["/a b/c", '/quo"te', "/back\\slash", "/100%/$HOME/`x`", "/größe"])
def test_any_path_reaches_the_desktop_as_it_is(word):
    line = next(line for line in desktop.launcher((word, "x")).splitlines() if line.startswith("Exec="))
    assert words(line.removeprefix("Exec=")) == [word, "x", "%F"]


def test_the_file_types_are_read_as_they_are_meant(capsys, data):
    call(capsys, "desktop")
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    found = {
        kind.get("type"): {one.get("pattern") for one in kind.iter(f"{space}glob")}
        for kind in ET.fromstring(files(data)[desktop.TYPES]).iter(f"{space}mime-type")
    }
    assert found.keys() == {name for name, *_ in desktop.FORMATS}
    assert {"*.fa", "*.fasta", "*.fna"} <= found["text/x-fasta"]
    assert {"*.fq", "*.fastq"} <= found["text/x-fastq"]
    if shutil.which("update-mime-database"):
        assert b"text/x-fasta:*.fna" in files(data)["mime/globs"]


def test_the_icon_is_a_picture_of_ours(capsys, data):
    call(capsys, "desktop")
    assert ET.fromstring(files(data)[desktop.ICON]).get("viewBox") == "0 0 128 128"


def test_a_folder_that_cannot_be_written_is_told(capsys, data, tmp_path):
    data.write_text("a file")
    trouble(call(capsys, "desktop"), str(data))


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_are_told_whom_it_is_for(capsys, data, monkeypatch, system):
    monkeypatch.setattr("wavediff.app.commands.desktop.sys.platform", system)
    trouble(call(capsys, "desktop"), "freedesktop")
    assert not data.exists()


def test_a_relative_data_folder_does_not_count(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    assert desktop.data_folder() == Path.home() / ".local" / "share"


def test_a_person_is_told_the_command_that_was_typed(monkeypatch, tmp_path):
    script = tmp_path / "wavediff"
    script.write_text("")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert (program.name(), program.command()) == ("wavediff", (str(script),))
    monkeypatch.setattr(sys, "argv", [str(program.ROOT / "main.py")])
    assert program.name() == "python main.py"
    assert program.command() == (sys.executable, str(program.ROOT / "main.py"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert program.command() == (sys.executable,)
