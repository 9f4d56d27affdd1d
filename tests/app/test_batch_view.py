"""Many pairs in the window: reading, table, map, opening one of them, saving."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QPushButton
from rapidfuzz.distance import Levenshtein

from tests.app.fakes import fasta
from tests.app.parts import button
from tests.app.test_cut_texts import texts
from wavediff.app.batch import batch_table, cluster_row, heat_map
from wavediff.app.batch.batch_table import LENGTH_A, NAME_A, NAME_B, SHARE, VALUE, BatchTable, ordered
from wavediff.app.batch.batch_view import BatchView
from wavediff.app.batch.heat_map import HeatMap
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.core.export.batch import BatchAnswer, tsv
from wavediff.core.export.registry import BATCH, of_id
from wavediff.core.jobs.choices import Device, Pairing, TreeMethod
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.events import DeviceChosen, NoticeRaised, Progress, StepDone
from wavediff.core.methods import AFFINE, EDIT, SWAP
from wavediff.core.methods.swap import SwapKernel
from wavediff.core.reading import read
from wavediff.core.sequences.letter_rules import UracilRule

A = {"apple": "ACGTACGT", "pear": "ACGT", "fig": "", "plum": "GGGTTTACG"}
B = {"x": "ACGTAGCT", "y": "TTTT", "z": "ACGTACGT"}
FAR = 30_000  # ms, for a first run that compiles


@pytest.fixture
def many(session):
    return session.many


@pytest.fixture
def files(tmp_path):
    return [fasta(tmp_path / "a.fa", *A.items()), fasta(tmp_path / "b.fa", *B.items())]


def run(qtbot, many, paths):
    with qtbot.waitSignal(many.finished, timeout=FAR, check_params_cb=lambda outcome: outcome is not None):
        many.open(paths)
    return many.outcome


@pytest.mark.parametrize(
    ("size", "starts", "hides"),
    [((3_000, 1_400), "Severe_acute", False), ((1_280, 800), "…", False), ((800, 500), "…", True)],
    ids=str,
)
def test_names_of_one_family_are_told_apart_at_every_width(qtbot, window, tmp_path, size, starts, hides):
    """What all begin with goes first, then the lengths; a tip has the whole name."""
    family = "Severe_acute_respiratory_syndrome_coronavirus_2_isolate"
    names = [f"{family}_{k:03}_Wuhan" for k in range(4)]
    run(qtbot, window.session.many, [fasta(tmp_path / "many.fa", *((name, "ACGTACGT") for name in names))])
    window.resize(*size)
    window.show_panel("batch")
    view = window.view(BatchView)
    table, model = view.table, view.model
    qtbot.waitUntil(lambda: view.isVisible() and not window.turns.busy)
    for column in (NAME_A, NAME_B):
        index = model.index(0, column)
        shown = table.fontMetrics().elidedText(index.data(), table.textElideMode(), table.columnWidth(column) - 8)
        assert shown.startswith(starts)
        assert f"_{0 if column == NAME_A else 1:03}"[1:] in shown, shown
        assert family in index.data(Qt.ItemDataRole.ToolTipRole)
    assert table.isColumnHidden(LENGTH_A) is hides
    window.resize(800, 500)
    view.filter.setText("no such name")
    window.resize(3_000, 1_400)
    qtbot.waitUntil(lambda: not table.isColumnHidden(LENGTH_A) and model.rowCount() == 0)


def test_one_file_with_itself_and_two_with_each_other(qtbot, many, files):
    own = run(qtbot, many, files[:1])
    assert own.result.own
    assert own.result.values.tolist() == [[Levenshtein.distance(x, y) for y in A.values()] for x in A.values()]
    assert many.status.startswith("6 pairs in ")
    both = run(qtbot, many, files)
    assert both.result.values.tolist() == [[Levenshtein.distance(x, y) for y in B.values()] for x in A.values()]
    qtbot.expect(many.finished, many.choose, method=SWAP, pairs=Pairing.ALL_TO_ALL, device=Device.CPU)
    assert many.outcome.result.values[0, 0] == 1
    assert both.result.values[0, 0] == 2


def test_nucleotides_beside_a_protein_are_told_of(qtbot, many, files, notices, tmp_path):
    protein = fasta(tmp_path / "p.fa", ("p", "MKVLAWERFHISPEMKVLAWQRFHISPE"))
    assert [one.kind for one in run(qtbot, many, [files[0], protein]).notices] == ["alphabets"]
    assert any(one.level is Severity.WARNING and "A is DNA, B is protein" in one.text for one in notices)
    assert run(qtbot, many, files).notices == ()


def test_what_cannot_be_is_said(qtbot, many, files, notices, tmp_path):
    run(qtbot, many, files)
    many.choose(method=EDIT, pairs=Pairing.ONE_TO_ONE, device=Device.AUTO)
    assert "there is 4 and 3 records" in notices[-1].text
    qtbot.expect(many.noticed, many.open, [tmp_path / "missing.fa"])
    assert notices[-1].level is Severity.ERROR
    assert "missing.fa" in notices[-1].text
    assert not many.running
    many.choose_tree(TreeMethod.NJ)
    one = fasta(tmp_path / "one.fa", ("one", "ACGT"))
    qtbot.expect(many.noticed, many.open, [one])
    assert f"{one}: 1 record; two or more are compared with each other" in notices[-1].text
    assert (many.outcome, many.tree, many.running) == (None, None, False)
    about, ended = notices[-1].about, []
    many.replaced.connect(ended.append)
    run(qtbot, many, files)
    assert any(about & each for each in ended), "it goes with the next files"


def test_stop_frees_it_at_once(qtbot, many, tmp_path):
    letters = "ACGT" * 60_000
    big = fasta(tmp_path / "big.fa", *((f"r{k}", letters) for k in range(3)))
    qtbot.expect(many.finished, many.open, [big])
    assert many.running
    many.stop()
    assert not many.running
    assert many.status == "Stopped"
    assert many.outcome is None


def test_pairs_of_other_options_are_marked_until_they_are_run(qtbot, window, many, files):
    view = window.view(BatchView)
    run(qtbot, many, files)
    again = button(view, "Run")
    many.choose(method=SWAP)
    many.stop()
    assert view.status.text == "Stopped · options have changed: run again"
    assert view.model.n_pairs == 12, "those of before"
    many.choose(pairs=Pairing.ONE_TO_ONE)
    assert "run again" in view.status.text, "refused: 4 and 3 records"
    many.choose(pairs=Pairing.ALL_TO_ALL)
    many.stop()
    qtbot.waitUntil(again.isEnabled)
    with qtbot.waitSignal(many.finished, timeout=FAR):
        again.click()
    assert many.outcome.result.method is SWAP
    assert "run again" not in view.status.text
    many.choose(method=EDIT)
    many.stop()
    with qtbot.waitSignal(many.finished, timeout=FAR):
        many.choose(method=SWAP)
    assert "run again" not in view.status.text


def test_the_table_sorts_and_filters(qtbot, many, files):
    outcome = run(qtbot, many, files)
    table = BatchTable()
    table.show(outcome)
    assert table.rowCount() == table.n_pairs == 12

    def column(k):
        return [table.data(table.index(row, k)) for row in range(table.rowCount())]

    assert column(NAME_A) == [name for name in A for _ in B]
    assert column(NAME_B) == list(B) * 4
    for k in (VALUE, SHARE):
        table.sort(k, Qt.SortOrder.DescendingOrder)
        shown = [float(text.rstrip(" %")) for text in column(k)]
        assert shown == sorted(shown, reverse=True)
    table.sort(NAME_A)
    assert column(NAME_A) == sorted(column(NAME_A))
    assert column(NAME_B) == list(B) * 4, "stable"
    table.set_filter("P")
    assert set(column(NAME_A)) == {"apple", "pear", "plum"}
    assert table.n_pairs == 12
    table.set_filter("fig")
    a, b = table.pair(1)
    assert (outcome.a.name(a), outcome.b.name(b)) == ("fig", "y")
    table.set_filter("")
    table.show(None)
    assert table.rowCount() == 0


def test_the_recipe_of_a_map_is_that_of_its_answer_whatever_is_chosen_now(qtbot, many, files):
    many.choose(letters=UracilRule.EXACT, method=AFFINE, gap_open=7)
    made = heat_map.heat_recipe(run(qtbot, many, files)).words
    answer = many.outcome
    many.run = lambda: None
    many.choose(letters=UracilRule.AUTO, method=AFFINE, gap_open=9)
    assert heat_map.heat_recipe(answer).words == made
    assert {"--gap-open", "7", "--letters"} <= {*made}


@pytest.mark.parametrize("fraction", [0.0, 0.5])
def test_the_table_shows_and_sorts_scores_below_zero_and_fractions(qtbot, many, files, fraction):
    outcome = run(qtbot, many, files)
    values = outcome.result.values.astype(np.float64 if fraction else np.int32)
    shares = np.linspace(0, 1, values.size, dtype=np.float32).reshape(values.shape)
    scores = replace(outcome.result, values=-values - fraction, shares=shares)
    table = BatchTable()
    table.show(replace(outcome, result=scores))
    table.sort(VALUE)
    shown = [float(table.data(table.index(row, VALUE))) for row in range(table.rowCount())]
    assert shown == sorted(scores.values.ravel().tolist())
    table.sort(SHARE)
    assert table.data(table.index(table.rowCount() - 1, SHARE)) == "100.00 %"
    lines = b"".join(tsv(BatchAnswer(outcome.a, outcome.b, scores, True, 1))).decode().splitlines()
    assert [line.split("\t")[6] for line in lines[1:]] == [f"{one:g}" for one in scores.values.ravel()]
    assert lines[-1].split("\t")[7] == "1.000000"


def test_parts_are_said_and_saved(qtbot, many, tmp_path):
    said = []
    many.noticed.connect(said.append)
    files = [
        fasta(tmp_path / f"{name}.fa", (name, one)) for name, one in (("a", "MKV" + "LAGE" * 20), ("b", "LAGE" * 5))
    ]
    outcome = run(qtbot, many, [Path(one) for one in files])
    assert [(one.a, one.b, one.inner) for one in outcome.parts.found] == [(0, 0, "b")]
    assert said[-1].text.startswith("In 1 pair one sequence is part of the other, so")


def test_many_pairs_say_which_identity_it_is(qtbot, many, files):
    table = BatchTable()
    table.show(run(qtbot, many, files))
    assert table.headerData(SHARE, Qt.Orientation.Horizontal) == "Identity by distance"
    tips = [table.headerData(one, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) for one in (VALUE, SHARE)]
    assert all(tip.endswith("; without an alignment N and other codes count as letters") for tip in tips)
    assert tsv(table.outcome).__next__().split(b"\t")[7] == b"identity"


def test_orders_of_any_keys():
    rng = np.random.default_rng(0)
    for most in (5, 1 << 16, 1 << 32):
        keys = rng.integers(0, most, 3000)
        assert np.array_equal(ordered(keys), np.argsort(keys, kind="stable"))


def test_a_low_panel_shows_map_and_table_without_scrolling(qtbot, window, session, files):
    """They share the room there is, whatever they would take."""
    area, view = window.areas["batch"], window.view(BatchView)
    run(qtbot, session.many, files)
    window.resize(1280, 1100)
    window.show()
    window.actions_by_id["batch"].trigger()
    area.setFixedSize(864, 384)
    QApplication.processEvents()
    assert area.verticalScrollBar().maximum() == 0
    assert view.table.visibleRegion().boundingRect() == view.table.rect()
    area.setFixedSize(864, 100)
    QApplication.processEvents()
    assert area.verticalScrollBar().maximum() > 0


def test_a_narrow_panel_scrolls_to_a_map_that_names_its_rows(qtbot, window, session, tmp_path):
    area, heat = window.areas["batch"], window.view(BatchView).map
    session.many.choose_tree(TreeMethod.NJ)
    run(qtbot, session.many, [fasta(tmp_path / "ten.fa", *((f"rec{k}", "ACGTACGT"[k % 5 :]) for k in range(10)))])
    window.resize(1280, 1100)
    window.show()
    window.actions_by_id["batch"].trigger()
    area.setFixedSize(432, 270)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: heat.tree is not None and not heat.busy)
    assert {f"rec{k}" for k in range(10)} <= {word for word, *_ in texts(heat)}
    assert heat.area().height() >= 10 * heat.fontMetrics().ascent()
    assert area.verticalScrollBar().maximum() > 0


@pytest.mark.parametrize("tree", [None, TreeMethod.NJ], ids=str)
def test_the_names_of_rows_stand_between_the_turned_label_and_the_map(qtbot, window, session, tmp_path, tree):
    session.many.choose_tree(tree)
    run(qtbot, session.many, [fasta(tmp_path / "eight.fa", *((f"r{k}", "ACGTACGT"[k:] + "A") for k in range(8)))])
    window.resize(1280, 800)
    window.show_panel("batch")
    heat = window.view(BatchView).map
    qtbot.waitUntil(lambda: not heat.busy and (heat.tree is None) is (tree is None))
    names = [(word, x) for word, x, _ in texts(heat) if word.startswith("r")]
    assert len(names) == 8
    for word, x in names:
        assert heat_map.MARGIN <= x < x + heat.fontMetrics().horizontalAdvance(word) <= heat.area().left(), word


def test_a_cell_of_the_map_is_its_pair(qtbot, many, files, monkeypatch):
    view = HeatMap(Theme(Scheme.LIGHT))
    qtbot.addWidget(view)
    view.resize(300, 320)
    view.show()
    assert view.message == "Nothing compared yet"
    outcome = run(qtbot, many, files)
    for most in (100, 2):  # cell by cell, and the closest of some
        monkeypatch.setattr(heat_map, "MAX_CELLS_SIDE", most)
        view.show_outcome(outcome)
        qtbot.waitUntil(lambda: view.message == "")
        area = view.area()
        rows, cols = view.levels.shape
        width, height = area.width() / cols, area.height() / rows
        best = {
            view.cell_at(QPointF(area.left() + (j + 0.5) * width, area.top() + (i + 0.5) * height))
            for i in range(rows)
            for j in range(cols)
        }
        if most == 100:
            assert best == {(i, j) for i in range(4) for j in range(3)}
        else:
            assert (0, 2) in best, "apple and z are the same"
            assert len(best) == rows * cols == 4
        view.grab()
    assert view.cell_at(QPointF(1, 1)) is None
    assert view.describe((0, 2)) == "A apple · B z · 0 · 100 % alike"


def test_a_pair_of_the_table_or_the_map_is_shown_as_an_alignment(qtbot, window, session, files):
    assert not window.areas["batch"].isVisible()
    run(qtbot, session.many, files)
    window.actions_by_id["batch"].trigger()
    assert window.areas["batch"].isVisible()
    said = [one.text for one in window.view(BatchView).findChildren(ElidedLabel)]
    assert any("a.fa: 4 records · " in one and one.endswith("b.fa: 3 records") for one in said)
    tree = next(one for one in window.view(BatchView).findChildren(QComboBox) if "Tree" in one.accessibleName())
    assert [tree.itemText(k) for k in range(3)] == ["No tree", "Tree: neighbour joining", "Tree: UPGMA"]
    with qtbot.waitSignal(session.compared, timeout=FAR):
        window.view(BatchView).table.clicked.emit(window.view(BatchView).model.index(5, VALUE))
    names = [one.name for one in session.pair.complete or ()]
    assert names == ["pear", "z"]
    assert session.choices.method == "edit"
    qtbot.expect(session.compared, window.view(BatchView).map.chosen.emit, 0, 0)
    assert [one.name for one in session.pair.complete or ()] == ["apple", "x"]
    assert window.view(BatchView).table.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows


def saved(qtbot, view, path, kind="tsv"):
    with qtbot.waitSignal(view.noticed) as told:
        view.save(path, of_id(BATCH, kind))
    return told.args[0]


def test_all_pairs_are_saved(qtbot, window, session, files, tmp_path):
    run(qtbot, session.many, files)
    view = window.view(BatchView)
    saved(qtbot, view, tmp_path / "out.tsv")
    saved(qtbot, view, tmp_path / "out.JSON", "json")
    assert len((tmp_path / "out.tsv").read_text().splitlines()) == 13
    assert '"values"' in (tmp_path / "out.JSON").read_text()
    assert saved(qtbot, view, tmp_path).level is Severity.ERROR


def test_the_pairs_that_the_filter_shows_are_saved_in_their_order(qtbot, window, session, files, tmp_path):
    run(qtbot, session.many, files)
    view = window.view(BatchView)
    view.filter.setText("plum")
    view.model.sort(NAME_B, Qt.SortOrder.DescendingOrder)
    assert saved(qtbot, view, tmp_path / "out.tsv").text.startswith("3 pairs saved in")
    saved(qtbot, view, tmp_path / "out.json", "json")
    lines = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()[1:]]
    expected = [Levenshtein.distance(A["plum"], B[name]) for name in "zyx"]
    assert [(line[1], line[3], int(line[6])) for line in lines] == list(zip(["plum"] * 3, "zyx", expected, strict=True))
    found = json.loads((tmp_path / "out.json").read_text())
    assert "values" not in found
    assert found["listed"] == [[3, k, value] for k, value in zip((2, 1, 0), expected, strict=True)]
    view.filter.setText("nobody")
    saved(qtbot, view, tmp_path / "none.json", "json")
    assert json.loads((tmp_path / "none.json").read_text())["listed"] == []


def test_device_and_kernel_are_chosen_where_there_is_a_card(qtbot, window, session, files, monkeypatch):
    view, many, devices = window.view(BatchView), session.many, session.devices
    sent = []

    def submit(job, _, device):
        sent.append((job, device))
        many.changed.emit()

    monkeypatch.setattr(many, "_submit", submit)
    many.loads = (read(files[0]),)
    boxes = {box.accessibleName(): box for box in view.findChildren(QComboBox)}

    def choose(name, value):
        boxes[name].setCurrentIndex(boxes[name].findData(value))
        boxes[name].activated.emit(boxes[name].currentIndex())

    assert boxes["Kernel"].isHidden()
    choose("Method for each pair", SWAP)
    assert not boxes["Kernel"].isHidden()
    assert "GPU not used: not checked yet" in boxes["Kernel"].itemText(1)
    devices.reason = None
    devices.changed.emit()
    assert [boxes["Kernel"].itemText(row) for row in range(3)] == ["Default", "Kim 2015", "Kim 2015, global memory"]
    choose("Device", Device.GPU)
    choose("Kernel", SwapKernel.KIM_GLOBAL)
    job, device = sent[-1]
    assert (job.method, job.value("kernel"), device) == (SWAP, SwapKernel.KIM_GLOBAL, Device.GPU)
    choose("Method for each pair", EDIT)
    assert boxes["Kernel"].isHidden()
    assert sent[-1][0].options == {}


def test_a_table_of_too_many_pairs_says_so(qtbot, window, session, files, monkeypatch):
    monkeypatch.setattr(batch_table, "MAX_PAIRS", 5)
    run(qtbot, session.many, files)
    assert window.view(BatchView).model.rowCount() == 0
    assert "not listed: more than" in window.view(BatchView).status.text
    assert window.actions_by_id["stop"].isEnabled() == session.many.running


def test_an_address_sends_the_pairs_to_a_cluster(qtbot, many, files):
    run(qtbot, many, files[:1])
    many.choose(cluster=Cluster("tcp://127.0.0.1:9"))
    assert many.running
    assert many.slot.job.cluster.address == "tcp://127.0.0.1:9"
    many.stop()
    qtbot.expect(many.finished, many.choose, cluster=Cluster())
    assert many.outcome.result.device == "cpu"


def test_the_workers_stand_behind_the_pairs_once(many):
    workers = "2 workers with 2 threads"
    many.slot.reported.emit(DeviceChosen(1, "cluster", workers))
    for event in (
        Progress(1, "comparing", 5, 9, "pairs"),
        StepDone(1, "tiles", 1, 0, 0.1),
        NoticeRaised(1, "One more"),
    ):
        many.slot.reported.emit(event)
    assert many.status == f"5 of 9 pairs · {workers}"
    many.slot.reported.emit(DeviceChosen(1, "cpu", "as chosen"))
    many.slot.reported.emit(Progress(1, "comparing", 6, 9, "pairs"))
    assert many.status == "6 of 9 pairs"


def test_the_files_of_a_cluster_that_encrypts_are_asked_for_beside_its_address(qtbot, many, window, files, monkeypatch):
    run(qtbot, many, files[:1])
    row = window.view(BatchView).cluster
    buttons = dict(zip(row.files.lines, row.files.findChildren(QPushButton), strict=True))
    assert row.address.isEnabled()
    assert row.tls.isHidden()
    row.address.setText(" tls://there:8786 ")
    row.address.editingFinished.emit()
    assert many.cluster == Cluster("tls://there:8786")
    assert not row.tls.isHidden()
    row.tls.click()
    assert row.files.isVisible()
    for id_ in row.files.lines:
        monkeypatch.setattr("wavediff.app.batch.cluster_row.ask_file", lambda *_, id_=id_, **__: f"/{id_}.pem")
        buttons[id_].click()
        assert many.cluster.ca == "", "asked for once all are there"
    row.files.close()
    assert many.cluster == Cluster("tls://there:8786", "/ca.pem", "/certificate.pem", "/key.pem")
    many.choose(cluster=replace(many.cluster, address="tcp://127.0.0.1:9"))
    assert many.slot.job.cluster == Cluster("tcp://127.0.0.1:9"), "without files, which are kept"
    many.stop()
    many.choose(cluster=Cluster())
    assert (row.address.text(), row.files.lines["ca"].text()) == ("", "")


def test_without_its_package_a_cluster_says_how_it_is_had(qtbot, session, theme, monkeypatch):
    monkeypatch.setattr(cluster_row, "find_spec", lambda name: None)
    many = session.many
    view = BatchView(many, session.devices, theme)
    qtbot.addWidget(view)
    assert not view.cluster.address.isEnabled()
    assert view.cluster.address.placeholderText().startswith("For a cluster: the package distributed is missing here: ")
    assert view.cluster.address.toolTip().endswith("-m pip install distributed")
    many.choose(cluster=Cluster("tcp://there:8786"))  # kept from a time when it was there
    assert view.cluster.address.isEnabled()
    many.choose(cluster=Cluster())
    assert not view.cluster.address.isEnabled()


def test_the_map_of_the_smallest_window_has_room_for_its_rows(qtbot, many, window, files):
    run(qtbot, many, files)
    window.resize(640, 400)
    window.show_panel("batch")
    view = window.view(BatchView)
    qtbot.waitUntil(lambda: view.map.visibleRegion().boundingRect().height() >= 80)
    assert view.map.x() + view.map.width() <= view.table.mapTo(view, QPoint()).x(), "next to the pairs, not above"
    assert view.map.width() >= 150


@pytest.mark.parametrize("size", [(640, 400), (800, 500), (1_280, 800)], ids=str)
@pytest.mark.parametrize("side", [2, 1 << 10], ids=["several pairs a cell", "a pair a cell"])
def test_the_scale_below_the_map_is_whole(qtbot, many, window, tmp_path, monkeypatch, size, side):
    monkeypatch.setattr(heat_map, "MAX_CELLS_SIDE", side)
    many.choose_tree(TreeMethod.NJ)
    run(qtbot, many, [fasta(tmp_path / "many.fa", *((f"a_long_name_of_{k}", "ACGTACGT"[k:]) for k in range(6)))])
    window.resize(*size)
    window.show_panel("batch")
    heat = window.view(BatchView).map
    qtbot.waitUntil(lambda: many.tree is not None and heat.isVisible() and not window.turns.busy)
    seen, metrics = texts(heat), heat.fontMetrics()
    *_, (low, left, _), (high, right, _) = seen
    assert (low[-1], high[:3]) == ("%", "100"), seen
    assert 0 <= left < left + metrics.horizontalAdvance(low) < right
    assert right + metrics.horizontalAdvance(high) <= heat.width()
