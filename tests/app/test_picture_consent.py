"""No file that a picture names is opened before the user agrees, and what does not fit is refused unread."""

import os
import shlex
import struct
import sys
import zlib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from tests.app.test_picture_opener import asked
from wavediff.app.window.pictures.picture_command import read_picture
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.cancel import CancelToken


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def crafted(path, show, names, options=None):
    """Write a picture of a pixel with a command line of these files, which this program did not write."""
    words = [f"--{name}={value}" for name, value in (options or {}).items()]
    line = f"wavediff {shlex.join([show, *names, *words])}  # sha256 {' '.join(['0' * 64, 'x'] * len(names))}"
    pixel = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    text = chunk(b"tEXt", b"Comment\0" + line.encode())
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + pixel + text + chunk(b"IDAT", zlib.compress(b"\0\0")))
    return path


@pytest.mark.parametrize(
    ("show", "options"),
    [
        ("open", {}),
        ("lesson", {}),
        ("compare", {"method": "affine", "matrix": "PLACE/m.txt"}),
        ("compare", {"features": "PLACE/f.gff3"}),
        ("bwt", {}),
        ("batch", {}),
        ("contigs", {}),
    ],
)
def test_no_file_is_touched_before_the_user_agrees(qtbot, window, tmp_path, monkeypatch, show, options):
    place = tmp_path / "far"
    place.mkdir()
    names = [str(place / f"{name}.fa") for name in "ab"[: 1 + (show in ("compare", "race", "contigs"))]]
    options = {name: text.replace("PLACE", str(place)) for name, text in options.items()}
    for one in (*names, *(place / name for name in ("m.txt", "f.gff3"))):
        Path(one).write_text("")
    touched = []
    watched = [str(place)]  # a hook of audits cannot be removed

    def hook(event, args):
        if event == "open" and watched and str(args[0]).startswith(watched[0]):
            touched.append(str(args[0]))

    sys.addaudithook(hook)
    is_file, stat = os.path.isfile, os.stat

    def spied(real):
        def called(path, *args, **named):
            if str(path).startswith(str(place)):
                touched.append(str(path))
            return real(path, *args, **named)

        return called

    with monkeypatch.context() as patch:
        patch.setattr(os.path, "isfile", spied(is_file))
        patch.setattr(os, "stat", spied(stat))
        window.session.open_paths([crafted(tmp_path / "x.png", show, names, options)])
        box = asked(qtbot, window)
        assert touched == []
        for one in (*names, *options.values()):
            if "/" in one:
                assert one in box.text().splitlines()
        qtbot.keyClick(box, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: names[0] in touched)
    watched.clear()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("show", ["open", "lesson"])
def test_special_and_huge_files_of_a_picture_are_refused_unread(qtbot, window, tmp_path, show):
    told = []
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(3 << 30)
    for name, message in (("pipe", "pipe no longer exists"), ("huge", "huge: 3.2 GB; at most")):
        window.session.open_paths([crafted(tmp_path / "x.png", show, [str(tmp_path / name)])])
        qtbot.keyClick(asked(qtbot, window), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda message=message: any(message in one for one in told))
        qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is None)


WRONG_OPTIONS = (
    {"view": "cells", "corner": "x"},
    {"view": "cells", "corner": "0,1"},
    {"view": "cells", "corner": "1,2,3"},
    {"view": "words", "step": "-1"},
    {"view": "words", "step": "9" * 30},
    {"view": "words", "unit": "nosuch"},
    {"view": "map", "moment": "nan"},
    {"view": "differences", "sort": "nosuch"},
    {"method": "edit", "band": "x"},
    {"nosuch": "1"},
)


def test_options_of_a_picture_are_checked_before_anything_is_asked(qtbot, window, tmp_path, subtests):
    told = []
    window.pictures.noticed.connect(lambda notice: told.append(notice.text))
    for k, options in enumerate(WRONG_OPTIONS):
        path = crafted(tmp_path / f"{k}.png", "compare", ["/a.fa", "/b.fa"], options)
        with subtests.test(str(options)):
            window.session.open_paths([path])
            qtbot.waitUntil(lambda k=k: len(told) > k)
            assert told[k].startswith(f"{path}: this program cannot make what this picture shows: ")
            assert window.findChild(QMessageBox, "picture_box") is None


@pytest.mark.parametrize("name", ["../a.fa", "..", "x/a.fa", r"x\a.fa", "C:a.fa"])
def test_a_picture_names_absolute_paths_or_files_beside_it(tmp_path, name):
    with pytest.raises(InputError, match="is neither a full path nor a file name"):
        read_picture(crafted(tmp_path / "x.png", "compare", [name, "/b.fa"]), {}, CancelToken())


@pytest.mark.parametrize("words", ["search a.fa --pattern A", "compile-kernels", "compare a.fa", "open a.fa -h"])
def test_other_commands_in_a_picture_are_refused(tmp_path, words, monkeypatch):
    command, *names = words.split()
    path, opened = crafted(tmp_path / "x.png", command, names), []
    monkeypatch.setattr("wavediff.core.reading.alignments.is_alignment", opened.append)
    with pytest.raises(InputError, match="this program cannot make what this picture shows"):
        read_picture(path, {}, CancelToken())
    assert not opened
