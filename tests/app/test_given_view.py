"""The panel of an alignment made elsewhere: opened, dropped, alone, on the other strand, wrong, and in the letters."""

import gzip

import pytest
from PySide6.QtCore import Qt

from tests.app.fakes import fasta
from tests.core.reading.test_alignment_files import BLOCK
from tests.core.reading.test_alignments import GOOD, A, B
from wavediff.app.compare.given_view import EMPTY, GivenView
from wavediff.app.ui.drop_data import DropData
from wavediff.core.sequences.orientation import Strand, reverse_complement

ROWS = ">a\nACGTACGTT-AGCTAGGCTTACGATCGAT\n>b\nACGTACG--TAGCTAGGCTTACGATCGAT\n"


@pytest.fixture
def pair(qtbot, window, tmp_path):
    """A window that has compared a pair by scores, with real kernels."""
    window.resize(1280, 800)
    window.session.start_with("affine")
    files = fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", B))
    qtbot.expect(window.session.compared, window.session.open_paths, files)
    return window


def view_of(window):
    return window.view(GivenView)


def drop(qtbot, window, path, text):
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    window.commands.take(DropData((path,)), None)
    qtbot.waitUntil(view_of(window).isVisible)


def shown(qtbot, window, words):
    qtbot.waitUntil(lambda: words in view_of(window).text.toPlainText())
    return view_of(window).text.toPlainText()


def test_a_file_that_is_dropped_on_the_pair_stands_beside_ours(qtbot, pair, tmp_path):
    assert view_of(pair).text.toPlainText() == EMPTY
    drop(qtbot, pair, tmp_path / "own.paf", GOOD)
    text = shown(qtbot, pair, "Theirs")
    assert f"{tmp_path / 'own.paf'}, line 1, 0 columns differ from ours" in text
    assert "score (DNAfull, gaps 10 + 0.5)" in text
    assert pair.session.pair.complete is not None
    qtbot.expect(pair.session.compared, pair.session.choose, gap_open=4)
    shown(qtbot, pair, "score (DNAfull, gaps 4 + 0.5)")


@pytest.mark.parametrize("name", ["rows.aln", "rows.ALN.gz"])
def test_a_file_alone_is_the_pair_too(qtbot, window, tmp_path, name):
    window.session.start_with("affine")
    with qtbot.waitSignal(window.session.compared):
        drop(qtbot, window, tmp_path / name, ROWS)
    text = shown(qtbot, window, "2 columns differ from ours")
    assert "^^" in text
    assert [one.name for one in window.session.pair.complete] == ["a", "b"]


def test_a_block_of_a_genome_alone_is_the_pair_under_its_places(qtbot, window, tmp_path):
    window.session.start_with("affine")
    with qtbot.waitSignal(window.session.compared):
        drop(qtbot, window, tmp_path / "block.maf", BLOCK.format("-"))
    shown(qtbot, window, "block.maf, line 3, ")
    assert [one.name for one in window.session.pair.complete] == ["hum.chr1:6-13", "mus.chr2:39-47(-)"]


def test_b_is_turned_to_the_strand_of_the_file(qtbot, pair, tmp_path):
    minus = reverse_complement(B.encode()).decode()
    files = fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", minus))
    qtbot.expect(pair.session.compared, pair.session.open_paths, files)
    drop(qtbot, pair, tmp_path / "own.paf", GOOD.replace("\t+\t", "\t-\t"))
    shown(qtbot, pair, "0 columns differ from ours")
    assert pair.session.pair.orientation.strand is Strand.MINUS


def test_theirs_in_the_letters_and_ours_again(qtbot, pair, tmp_path):
    drop(qtbot, pair, tmp_path / "t.paf", GOOD.replace("7=1D9=1I10=1D7=1I9=", "7=1D37M").replace("37M", "36M1I"))
    shown(qtbot, pair, "columns differ from ours")
    ours = pair.alignment.model.index.alignment.cigar()
    qtbot.mouseClick(view_of(pair).in_letters, Qt.MouseButton.LeftButton)
    theirs = pair.alignment.model.index.alignment.cigar()
    assert theirs.startswith("7=1D")
    assert theirs != ours
    qtbot.mouseClick(view_of(pair).in_letters, Qt.MouseButton.LeftButton)
    assert pair.alignment.model.index.alignment.cigar() == ours


def test_one_of_several_is_chosen_and_another_pair_forgets_the_file(qtbot, pair, tmp_path):
    other = GOOD.replace("b\t44", "q\t44").replace("7=1D9=1I10=1D7=1I9=", "44M")
    drop(qtbot, pair, tmp_path / "two.paf", other + GOOD.replace("b\t44", "r\t44"))
    shown(qtbot, pair, "no alignment of a with b; there is 1: a 1-44 with q 1-44; 2: a 1-44 with r 1-44")
    view = view_of(pair)
    assert [view.choice.itemText(k) for k in range(3)][1:] == ["a 1-44 with q 1-44", "a 1-44 with r 1-44"]
    view.choice.setCurrentIndex(2)
    view.choice.activated.emit(2)
    shown(qtbot, pair, "line 2, 0 columns differ from ours")
    qtbot.expect(pair.session.compared, pair.session.open_paths, [fasta(tmp_path / "c.fa", ("c", B))])
    assert view.text.toPlainText() == EMPTY


@pytest.mark.parametrize("text", ["", "nothing\n", GOOD.replace("7=1D9=", "6=1D10="), GOOD[:40]])
def test_a_wrong_file_is_said_in_one_line(qtbot, pair, tmp_path, text):
    drop(qtbot, pair, tmp_path / "bad.paf", text)
    said = shown(qtbot, pair, "bad.paf")
    assert "\n" not in said
    assert not view_of(pair).in_letters.isEnabled()


def test_the_button_asks_for_a_file(qtbot, pair, tmp_path, monkeypatch):
    path = tmp_path / "own.paf"
    path.write_text(GOOD)
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileName", lambda *_, **__: (str(path), ""))
    pair.arrangement.show_panel("given")
    qtbot.mouseClick(view_of(pair).button, Qt.MouseButton.LeftButton)
    shown(qtbot, pair, "Theirs")
