"""Saving: one dialog for all of the program; the name that was typed says what is written."""

import json
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from tests.app.saving import Asked
from wavediff.app.search.search_view import SearchView
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.save_dialog import Folder, SaveDialog, ask_save, completed, file_stem, filter_of
from wavediff.core.export.registry import FILMS, PICTURES, Format

PAF, TABLE = Format("paf", "PAF", (".paf",), "", ""), Format("tsv", "Table", (".tsv", ".txt"), "", "")
BOTH = PAF, TABLE
APP = Path(__file__).parents[2] / "app"


@pytest.mark.parametrize(
    ("typed", "chosen", "name", "kind"),
    [
        ("x.tsv", PAF, "x.tsv", TABLE),
        ("x.TXT", PAF, "x.TXT", TABLE),
        ("x", PAF, "x.paf", PAF),
        ("x", TABLE, "x.tsv", TABLE),
        ("x.", TABLE, "x.tsv", TABLE),
        ("A_vs_B.edit", PAF, "A_vs_B.edit.paf", PAF),
        (".tsv", PAF, ".tsv.paf", PAF),
    ],
)
def test_the_suffix_decides_else_that_of_the_filter_is_added(typed, chosen, name, kind):
    assert completed(Path("/folder") / typed, BOTH, chosen) == (Path("/folder") / name, kind)


def test_names_of_sequences_make_names_of_files():
    assert file_stem("NC_001422.1", "a/b c:d") == "NC_001422.1_vs_a_b_c_d"
    assert file_stem("..", "") == "sequence_vs_sequence"
    assert len(file_stem("x" * 500)) == 60


@pytest.fixture
def parent(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    return parent


def test_a_chosen_filter_changes_the_suffix(qtbot, parent, tmp_path):
    got = []
    ask_save(parent, "Save", BOTH, "A_vs_B.edit.paf", lambda path, kind: got.append((path, kind)))
    asked = Asked(qtbot, parent)
    assert asked.name.text() == "A_vs_B.edit.paf"
    asked.choose(filter_of(TABLE))
    assert asked.name.text() == "A_vs_B.edit.tsv"
    asked.choose(filter_of(PAF))
    assert asked.name.text() == "A_vs_B.edit.paf"
    asked.choose(filter_of(TABLE))
    asked.type(tmp_path / "out")
    assert got == [(tmp_path / "out.tsv", TABLE)]


@pytest.mark.parametrize(("formats", "name", "kind"), [(PICTURES, "r.mp4", FILMS[-1]), (BOTH, "r.mp4.paf", PAF)])
def test_the_suffix_of_a_film_decides_where_pictures_are_saved(qtbot, parent, tmp_path, formats, name, kind):
    got = []
    ask_save(parent, "Save", formats, "r", lambda path, kind: got.append((path, kind)))
    Asked(qtbot, parent).type(tmp_path / "r.mp4")
    assert got == [(tmp_path / name, kind)]


@pytest.mark.parametrize("replace", [True, False])
def test_a_file_that_the_added_suffix_names_is_not_replaced_unasked(qtbot, parent, tmp_path, replace):
    (tmp_path / "out.paf").write_text("precious")
    got = []
    ask_save(parent, "Save", BOTH, "x.paf", lambda path, _kind: got.append(path))
    Asked(qtbot, parent).type(tmp_path / "out")
    box = parent.findChild(QMessageBox, "replace_box")
    assert "out.paf exists" in box.text()
    assert not got
    box.button(QMessageBox.StandardButton.Yes if replace else QMessageBox.StandardButton.No).click()
    if replace:
        assert got == [tmp_path / "out.paf"]
        return
    again = Asked(qtbot, parent)  # another name can be given
    again.type(tmp_path / "other")
    assert got == [tmp_path / "other.paf"]


def test_an_export_writes_the_format_of_its_name(qtbot, window, pair, tmp_path):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    window.actions_by_id["export"].trigger()
    asked = Asked(qtbot, window)
    assert asked.name.text() == "one_vs_two.lcs.paf"
    asked.type(tmp_path / "x.json")
    qtbot.waitUntil(lambda: (tmp_path / "x.json").exists())
    assert json.loads((tmp_path / "x.json").read_text())["a"]["name"] == "one"


def test_timings_and_every_other_view_ask_alike(qtbot, window, pair, tmp_path):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    window.actions_by_id["save_timings"].trigger()
    Asked(qtbot, window).type(tmp_path / "t")
    qtbot.waitUntil(lambda: (tmp_path / "t.json").exists())


def test_nothing_asks_for_a_name_by_itself():
    asking = [path.name for path in APP.rglob("*.py") if re.search("get(Save|Open)FileName", path.read_text())]
    assert asking == []
    assert issubclass(SaveDialog, QFileDialog)


def test_dialogs_begin_at_home_and_then_in_the_folder_used_last(qtbot, window, pair, tmp_path, monkeypatch):
    home, other = tmp_path / "home", tmp_path / "other"
    for each in (home, other):
        each.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setattr(Folder, "last", "")

    def begins(open_dialog):
        folders = []

        def look():
            dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
            folders.append(Path(dialog.directory().absolutePath()))
            dialog.reject()

        QTimer.singleShot(0, window, look)
        open_dialog()
        qtbot.waitUntil(lambda: bool(folders))
        return folders[0]

    lessons = window.view(LessonView)
    asking = [
        lambda: window.commands.open_for(None),
        lambda: lessons._ask_file(),
        window.view(SearchView).wish.ask_file,
    ]
    assert [begins(each) for each in asking] == [home] * 3
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    assert [begins(each) for each in asking] == [pair[0].parent] * 3
    window.actions_by_id["save_timings"].trigger()
    Asked(qtbot, window).type(other / "t")
    qtbot.waitUntil(lambda: (other / "t.json").exists())
    assert begins(window.actions_by_id["export"].trigger) == other
    other.rename(tmp_path / "gone")
    assert begins(asking[0]) == home, "a folder that is gone"
