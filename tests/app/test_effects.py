"""Files of features dropped beside open sequences, and effects in the list of differences."""

import shlex

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMessageBox

from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from tests.app.parts import open_texts
from tests.core.features.test_effects import Coding, aligned, effects_at, row_texts, sequence
from wavediff.app.commands import cli
from wavediff.app.compare.computation_facts import Fact
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.difference_list import EFFECT, arranged
from wavediff.app.compare.differences_model import DIFFERENCES
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.features import effects
from wavediff.core.sequences.spans import SpanKind

A = "CCCATGAACGGGTTTTAACCATGAAACCCTAA"


@pytest.fixture
def files(tmp_path):
    features = tmp_path / "known.gff3"
    features.write_text("a\tx\tCDS\t4\t18\t.\t+\t0\tID=c;gene=S\na\tx\tCDS\t21\t32\t.\t+\t0\tID=d;gene=T\n")
    return fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", A[:-2])), features


@pytest.mark.parametrize("together", [False, True])
def test_a_file_of_features_goes_with_the_pair_whose_records_it_names(qtbot, window, files, together):
    *pair, features = files
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair, *[features] * together))
    if not together:
        qtbot.expect(window.session.compared, drop, window, mime_of(features))
    a, b = (window.session.pair[side] for side in Side)
    assert (a.name, b.name) == ("a", "b")
    assert [one.kind for one in a.spans] == [SpanKind.FEATURE]
    assert not b.spans


def test_features_of_other_records_are_refused_and_the_pair_stays(qtbot, window, files, tmp_path):
    *pair, features = files
    features.write_text("z\tx\tCDS\t4\t18\t.\t+\t0\tID=c;gene=S\n")
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    drop(window, mime_of(features))
    qtbot.waitUntil(lambda: any(one.level is Severity.ERROR for one in window.answer.notices.notices))
    told = next(one for one in window.answer.notices.notices if one.level is Severity.ERROR)
    assert "known.gff3" in told.text
    assert "a, b" in told.text
    assert [window.session.pair[side].name for side in Side] == ["a", "b"]


def test_the_list_has_a_column_of_effects_where_there_are_features(qtbot, window, files):
    *pair, features = files
    view = window.view(DifferencesView)

    def effects():
        if view.table.rows.isColumnHidden(EFFECT):
            return None
        return [view.model.index(row, EFFECT).data() for row in range(view.model.rowCount())]

    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    qtbot.waitUntil(lambda: view.model.rowCount() == 1)
    assert effects() is None
    qtbot.expect(window.session.compared, drop, window, mime_of(features))
    qtbot.waitUntil(lambda: effects() == ["T:*4fs"])  # results of these sessions are made up: B is what A begins with
    assert view.status.text == "1 difference · 1 frameshift"


def test_the_list_is_sorted_by_features_and_their_codons():
    columns = [*zip("CCCATGAACTTTTAACATGCCCTAA", "CGCATGTACTTTTAACATGCACTAA", strict=True)]
    found, index = effects_at(columns, Coding("S", ((3, 15),), 1), Coding("T", ((16, 25),), 1))
    a, b, _ = aligned(columns)
    listed = ListedDifferences(sequence(a), sequence(b), index, Kinds.ANY, effects=found)
    assert row_texts(found, index) == ["outside genes", "S:N2Y", "T:P2H"]
    assert arranged(listed, EFFECT, False, 1).tolist() == [1, 2, 0]
    assert arranged(listed, EFFECT, True, 1).tolist() == [0, 2, 1]
    rows = DIFFERENCES.read(listed, np.array([1]))
    assert DIFFERENCES.texts(listed, rows, 0)[EFFECT] == "S:N2Y"
    assert DIFFERENCES.sentence(listed, rows, 0).endswith(", S:N2Y")


def test_the_answer_counts_effects_or_tells_why_there_are_none(qtbot, window, files, monkeypatch):
    *pair, features = files
    line = window.answer.words
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    assert "frameshift" not in line.words.whole
    qtbot.expect(window.session.compared, drop, window, mime_of(features))
    qtbot.waitUntil(lambda: " · 1 frameshift · in " in line.words.whole)
    assert Fact("Features", "2 of A, projected onto B") in window.view(ComputationView).facts.facts
    monkeypatch.setattr(effects, "MAX_CHANGES", 0)
    qtbot.expect(window.session.compared, window.session.run)
    qtbot.waitUntil(
        lambda: " · effects on proteins not computed: 1 changes, at most 0; compare a range · in " in line.words.whole
    )


def test_features_come_back_with_their_pair_and_go_by_undo(qtbot, window, files, tmp_path):
    *pair, features = files
    session = window.session

    def named():
        return [one.annotated for side in Side if (one := session.pair[side]) is not None]

    qtbot.expect(session.compared, drop, window, mime_of(*pair))
    qtbot.expect(session.compared, drop, window, mime_of(features))
    assert named() == [str(features), ""]
    kept = session.recent.pairs[0]
    assert {kept.a.features, kept.b.features} == {features}
    session.recent.look_again()
    assert session.recent.pairs[0] == kept
    qtbot.expect(session.compared, window.actions_by_id["undo"].trigger)
    assert named() == ["", ""]
    qtbot.expect(session.compared, window.actions_by_id["redo"].trigger)
    assert named() == [str(features), ""]
    qtbot.expect(session.compared, open_texts, session, "AAA", "AAC")
    qtbot.expect(session.compared, session.open_recent, session.recent.pairs[0])
    assert named() == [str(features), ""]
    features.unlink()
    assert kept.missing == (str(features),)


def test_a_picture_opens_with_its_features(qtbot, window, files, tmp_path):
    a, b, features = files
    line = f"compare {a} {b} --quiet --features {features} --png {tmp_path / 'x.png'}"
    assert cli.main(shlex.split(line)) == 1
    window.session.open_paths([tmp_path / "x.png"])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    box = window.findChild(QMessageBox, "picture_box")
    assert "known.gff3 next to the picture" in box.text().splitlines()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    session = window.session
    qtbot.waitUntil(lambda: session.outcome is not None and session.outcome.a.annotated == str(features))


def test_go_to_completes_the_names_of_features(qtbot, window, files):
    qtbot.expect(window.session.compared, drop, window, mime_of(*files))
    field = window.alignment.stepper.findChild(QLineEdit)
    qtbot.waitUntil(lambda: field.completer() is not None)
    model = field.completer().completionModel()
    assert {model.index(k, 0).data() for k in range(model.rowCount())} == {"S", "T"}
    qtbot.keyClicks(field, "t:2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.alignment.canvas.selection == (23, 26)
