"""Files of many records, and more than two files: the picker offers A, B and many pairs."""

import re

import numpy as np
import pytest
from Bio import Phylo
from Bio.Nexus.Nexus import Nexus
from PySide6.QtCore import QItemSelectionModel, QPointF
from PySide6.QtWidgets import QLineEdit, QMessageBox, QPushButton
from rapidfuzz.distance import Levenshtein

from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from tests.app.test_cut_texts import texts
from tests.cli.helpers import call
from wavediff.app.batch import batch_session
from wavediff.app.batch.batch_view import BatchView
from wavediff.app.batch.heat_map import HeatMap
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.input_dialogs import FilePicker, RecordPicker
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.pair import Side
from wavediff.core.export.batch import BatchAnswer
from wavediff.core.export.matrix import tree_of
from wavediff.core.export.registry import MATRIX
from wavediff.core.jobs.choices import Pairing, TreeMethod
from wavediff.core.jobs.events import run_to_end
from wavediff.core.methods.batch import BatchJob
from wavediff.core.reading import parse, read
from wavediff.core.reading.gathered import gathered
from wavediff.core.reading.load import comparable_pools
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.characters import decoded

SIX = {f"line{k}": "ACGTACGTAC"[: 10 - k] + "TT" * k for k in range(6)}
FAR = 30_000  # ms, for a first run that compiles


def many_of(qtbot, window, kind, *, rows=(), needle=""):
    """Take many pairs from the picker of a kind that comes; return what was compared."""
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)))
    (picker,) = window.findChildren(kind)
    if needle:
        qtbot.expect(picker.model.filtered, picker.findChild(QLineEdit).setText, needle)
    select = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in rows:
        picker.table.selectionModel().select(picker.model.index(row, 0), select)
    button = next(one for one in picker.findChildren(QPushButton) if one.text() == "Many pairs")
    with qtbot.waitSignal(window.session.many.finished, timeout=FAR, check_params_cb=lambda found: found is not None):
        button.click()
    qtbot.waitUntil(lambda: not window.findChildren(kind))
    assert window.areas["batch"].isVisible()
    return window.session.many.outcome


def distances(a, b):
    return [[Levenshtein.distance(x, y) for y in b] for x in a]


def test_the_records_of_one_file_are_compared_with_each_other(qtbot, window, tmp_path):
    path = fasta(tmp_path / "six.fa", *SIX.items())
    window.session.many.pairs = Pairing.ONE_TO_ONE
    drop(window, mime_of(path))
    outcome = many_of(qtbot, window, RecordPicker)
    assert outcome.result.own
    assert outcome.result.values.tolist() == distances(SIX.values(), SIX.values())
    assert window.session.pair.complete is None
    assert not window.session.loader.busy
    drop(window, mime_of(path))
    outcome = many_of(qtbot, window, RecordPicker, rows=(2, 4))
    assert [outcome.a.name(k) for k in range(3)] == ["line0", "line2", "line4"]
    drop(window, mime_of(fasta(tmp_path / "more.fa", *SIX.items(), ("other", "ACGT"))))
    assert many_of(qtbot, window, RecordPicker, needle="line").result.values.shape == (6, 6)


def test_the_records_of_two_files_are_compared_with_those_of_the_other(qtbot, window, tmp_path):
    one = fasta(tmp_path / "one.fa", ("single", "ACGTACGT"))
    six = fasta(tmp_path / "six.fa", *SIX.items())
    for files in ((one, six), (six, one)):
        drop(window, mime_of(*files))
        values = many_of(qtbot, window, RecordPicker).result.values
        expected = distances(["ACGTACGT"], SIX.values())
        assert values.tolist() == (expected if files[0] is one else np.transpose(expected).tolist())


def test_the_records_of_several_files_are_compared_with_each_other(qtbot, window, tmp_path):
    files = [fasta(tmp_path / f"{name}.fa", ("same", SIX[name])) for name in SIX]
    drop(window, mime_of(*files))
    outcome = many_of(qtbot, window, FilePicker)
    assert [outcome.a.name(k) for k in range(6)] == [f"{name}.fa:same" for name in SIX]
    assert outcome.result.values.tolist() == distances(SIX.values(), SIX.values())
    drop(window, mime_of(*files))
    qtbot.waitUntil(lambda: bool(window.findChildren(FilePicker)))
    qtbot.expect(window.session.compared, window.findChild(FilePicker).accept)
    assert [window.session.pair[side].source for side in Side] == [str(one) for one in files[:2]]


GENBANK = """LOCUS       gb 12 bp DNA linear UNK 01-JAN-2000
FEATURES             Location/Qualifiers
     CDS             1..12
ORIGIN
        1 acgtacgtac gt
//
"""


def test_files_of_all_kinds_and_a_folder_bring_the_picker(qtbot, window, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    fasta(folder / "c.fa", ("c", "ACGTACGA"))
    (folder / ".hidden").write_text("no")
    gb, text, rows, features = (tmp_path / name for name in ("a.gb", "t.txt", "rows.aln", "x.gff3"))
    gb.write_text(GENBANK)
    text.write_text("some words\nof a text\n")
    rows.write_text("CLUSTAL\n\nb ACGT-CGT\nc ACGTACGA\n")
    features.write_text("##gff-version 3\nb\t.\tCDS\t1\t6\t.\t+\t0\tID=x\n")
    b = fasta(tmp_path / "b.fa", ("b", "ACGTCGT"))
    drop(window, mime_of(gb, b, text, folder, rows, features))
    qtbot.waitUntil(lambda: bool(window.findChildren(FilePicker)))
    (picker,) = window.findChildren(FilePicker)
    model = picker.model
    assert [model.index(row, 1).data() for row in range(model.rowCount())] == ["a.gb", "b.fa", "t.txt", "c.fa"]
    assert any(
        one.text.endswith(". A and B are opened with: x.gff3, rows.aln") for one in picker.findChildren(ElidedLabel)
    )
    picker._chosen = {Side.A: 1, Side.B: 3}
    with qtbot.waitSignal(window.session.compared, timeout=FAR):
        picker.accept()
    qtbot.waitUntil(lambda: window.session.outcome is not None and window.session.outcome.given is not None)
    assert [window.session.pair[side].name for side in Side] == ["b", "c"]
    assert window.session.pair[Side.A].spans, "of the file of features"
    drop(window, mime_of(gb, b, folder))
    outcome = many_of(qtbot, window, FilePicker)
    assert outcome.result.values.tolist() == distances(*2 * [["ACGTACGTACGT", "ACGTCGT", "ACGTACGA"]])


@pytest.mark.parametrize("texts", [("añb", "ñandú", "plain"), ("x\u4e00y", "é", "ab")])
def test_texts_of_other_characters_keep_what_they_say(tmp_path, texts):
    files = [tmp_path / f"{k}.txt" for k in range(3)]
    for path, text in zip(files, texts, strict=True):
        path.write_text(text)
    loads = [read(path) for path in files]
    found = gathered([(load, [0]) for load in loads])
    assert tuple(decoded(one.letters, one.characters) for one in map(found.sequence, range(3))) == texts
    files[2].write_bytes(b"raw \xff\xfe\xfd")
    found = gathered([(read(path), [0]) for path in files])
    assert [found.sequence(k).letters.tobytes() for k in range(3)] == [path.read_bytes() for path in files]


def test_records_keep_what_belongs_to_them():
    a, b = parse(">x one two\nACGT\n>y\nGG\n"), parse(">z\nTTTT\n")
    found = gathered([(a, [1, 0]), (b, [0])])
    assert [(found.name(k), found.description(k)) for k in range(3)] == [("y", ""), ("x", "one two"), ("z", "")]
    assert [found.sequence(k).letters.tobytes() for k in range(3)] == [b"GG", b"ACGT", b"TTTT"]
    assert gathered([(a, [0, 1])]) is a


SHUFFLED = [3, 0, 5, 1, 4, 2]


@pytest.fixture
def clades(tmp_path):
    """Three pairs of sequences, each pair far from the others, in an order that mixes them."""
    ends = ("AAAAAAAAAA", "CCCCCCCCCC", "GGGGGGGGGG")
    records = [(f"pair{k // 2}_{k % 2}", ends[k // 2] + "ACGT" * 5 + "T" * (k % 2)) for k in range(6)]
    return fasta(tmp_path / "clades.fa", *(records[k] for k in SHUFFLED))


def choose_tree(qtbot, window, method):
    box = next(one for one in window.view(BatchView).findChildren(Chooser) if method in one.values)
    box.choose(method)
    box.activated.emit(box.currentIndex())
    view = window.view(BatchView)
    qtbot.waitUntil(lambda: (view.map.tree is None) is (method is None) and not view.map.busy)


@pytest.mark.parametrize("method", list(TreeMethod))
def test_a_tree_orders_the_map_and_is_saved(qtbot, window, clades, tmp_path, method):
    many, view = window.session.many, window.view(BatchView)
    with qtbot.waitSignal(many.finished, timeout=FAR, check_params_cb=lambda found: found is not None):
        many.open([clades])
    choose_tree(qtbot, window, method)
    names = [many.outcome.a.name(k) for k in view.map.tree.order.tolist()]
    assert sorted(tuple(sorted(names[k : k + 2])) for k in (0, 2, 4)) == [
        ("pair0_0", "pair0_1"), ("pair1_0", "pair1_1"), ("pair2_0", "pair2_1"),
    ]  # fmt: skip
    view.map.resize(420, 380)
    area, (rows, cols) = view.map.area(), view.map.levels.shape
    for i in range(rows):
        for j in range(cols):
            at = QPointF(area.left() + (j + 0.5) * area.width() / cols, area.top() + (i + 0.5) * area.height() / rows)
            assert [many.outcome.a.name(k) for k in view.map.cell_at(at)] == [names[i], names[j]]
    view.map.grab()
    for kind in MATRIX:
        with qtbot.waitSignal(view.noticed):
            view.save(tmp_path / f"out.{kind.id}", kind)
    tree = Phylo.read(tmp_path / "out.newick", "newick")
    assert sorted(leaf.name for leaf in tree.get_terminals()) == sorted(names)
    assert Nexus((tmp_path / "out.nexus").read_text()).ntax == 6
    assert (tmp_path / "out.phylip").read_text().splitlines()[0] == "6"
    assert (tmp_path / "out.csv").read_text().splitlines()[0].split(",")[1:] == [
        many.outcome.a.name(k) for k in range(6)
    ]
    choose_tree(qtbot, window, None)
    assert view.map.cell_at(QPointF(view.map.area().left() + 1, view.map.area().top() + 1)) == (0, 0)


def test_the_map_with_its_tree_is_a_picture_that_opens_again(qtbot, window, clades, tmp_path, capsys):
    to = tmp_path / "map.png"
    code, _, err = call(capsys, "batch", clades, "--png", to, "--tree", "upgma", "--quiet")
    assert (code, err) == (1, "")
    many, view = window.session.many, window.view(BatchView)
    window.commands.open_paths([to])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    window.findChild(QMessageBox, "picture_box").button(QMessageBox.StandardButton.Open).click()
    qtbot.waitUntil(lambda: view.map.tree is not None and not view.map.busy, timeout=FAR)
    assert many.tree_method is TreeMethod.UPGMA


def test_a_map_of_three_files_is_a_picture_that_opens_again(qtbot, window, tmp_path, capsys):
    files, to = [fasta(tmp_path / f"{name}.fa", (name, SIX[name])) for name in [*SIX][:3]], tmp_path / "map.svg"
    assert call(capsys, "batch", *files, "--svg", to, "--quiet")[0] == 1
    window.commands.open_paths([to])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "picture_box") is not None)
    with qtbot.waitSignal(window.session.many.finished, check_params_cb=lambda found: found is not None):
        window.findChild(QMessageBox, "picture_box").button(QMessageBox.StandardButton.Open).click()
    assert [one.source for one in window.session.many.outcome.files] == [str(one) for one in files]
    assert window.session.many.outcome.result.values.tolist() == distances([*SIX.values()][:3], [*SIX.values()][:3])


@pytest.mark.parametrize(("wide", "high"), [(860, 340), (260, 270), (1720, 900)])
def test_a_tree_and_its_map_fill_their_place_with_names_and_a_scale(theme, tmp_path, wide, high):
    records = [(f"hCoV-19/lineage_{letter}", "ACGT" * 9 + letter * k) for k, letter in enumerate("ACGT")]
    load = read(fasta(tmp_path / "four.fa", *records))
    pool, _ = comparable_pools(load, None, False)
    outcome = BatchAnswer(load, load, run_job(BatchJob(a=pool, b=None)), True, 1, tree=TreeMethod.NJ)
    heat = HeatMap(theme)
    heat.resize(wide, high)
    heat.show_outcome(outcome, run_to_end(tree_of(outcome)))
    heat.finish()
    area, seen = heat.area(), texts(heat)
    assert area.height() >= 0.75 * high
    assert area.right() >= wide - 8 or area.width() >= 2.9 * area.height()
    names = [(text, x) for text, x, _ in seen if re.fullmatch("(hCoV-19/lineage_|…)[ACGT]", text)]
    assert len({name for name, _ in names}) == 4
    assert all(x + heat.fontMetrics().horizontalAdvance(name) <= area.left() for name, x in names)
    assert any(text.startswith(("0.0", "0.1", "0.2")) for text, *_ in seen), "the scale of the branches"
    for text, x, _ in seen:
        assert x + heat.fontMetrics().horizontalAdvance(text) <= wide, text


def test_two_files_have_no_tree_and_many_records_none_in_the_window(qtbot, window, clades, monkeypatch):
    many, view = window.session.many, window.view(BatchView)
    many.choose_tree(TreeMethod.NJ)
    with qtbot.waitSignal(many.finished, timeout=FAR, check_params_cb=lambda found: found is not None):
        many.open([clades, clades])
    assert view.map.tree is None
    assert not next(one for one in view.findChildren(Chooser) if TreeMethod.NJ in one.values).isEnabled()
    monkeypatch.setattr(batch_session, "MAX_LEAVES", 5)
    with qtbot.waitSignal(many.noticed, check_params_cb=lambda notice: "No tree of more than 5" in notice.text):
        many.open([clades])
