"""How each sequence is read, in its popover, and the way out that a refusal offers: through the widgets."""

import struct
import zlib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from wavediff.app.compare.alignment_actions import CopyFormat
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

# The platform of the tests has no window manager to hand size hints on to.
MARKDOWN = b"# Notes\r\n\r\nHamlet asks:\r\n\r\n> to be or not to be\r\n\r\nThat is it.\r\n"
HEAD = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
PNG = HEAD + struct.pack(">I", zlib.crc32(HEAD[12:]))


@pytest.fixture
def markdown(tmp_path):
    path = tmp_path / "notes.md"
    path.write_bytes(MARKDOWN)
    return path


def popover(window, side):
    return window.header.popovers[side]


def choose(window, side, text):
    """Choose the segment that has this text, else the format of the file."""
    segments, box = popover(window, side).alphabet, popover(window, side).format
    found = [each for each in segments.buttons if each.text() == text]
    if found:
        found[0].click()
    else:
        row = box.findText(text, Qt.MatchFlag.MatchStartsWith)
        box.setCurrentIndex(row)
        box.activated.emit(row)


def checked(window, side):
    """File format and letters that are shown as chosen."""
    chosen = [each.text() for each in popover(window, side).alphabet.buttons if each.isChecked()]
    return [popover(window, side).format.currentText(), *chosen]


def on(window, side):
    sequence = window.session.pair[side]
    assert sequence is not None
    return sequence


def way_out(window):
    return window.answer.bar.findChildren(QPushButton)[0]


@pytest.mark.parametrize(("data", "label"), [(MARKDOWN, "Read as plain text"), (PNG, "Read as bytes")])
def test_a_refusal_offers_what_would_take_the_file(qtbot, window, pair, tmp_path, data, label):
    path = tmp_path / "file.fa"
    path.write_bytes(data)
    if data == MARKDOWN:
        qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    drop(window, mime_of(path), window.header.chips[Side.A])
    qtbot.waitUntil(lambda: way_out(window).isVisible())
    assert way_out(window).text() == label
    qtbot.expect(window.session.pair.changed, qtbot.mouseClick, way_out(window), Qt.MouseButton.LeftButton)
    expected = data if data == PNG else data.replace(b"\r\n", b"\n")[:-1]
    assert on(window, Side.A).letters.tobytes() == expected
    assert all(each.level is Severity.INFO for each in window.answer.notices.notices)  # the file's own
    assert not window.answer.bar.isVisible()


def test_what_was_opened_beside_it_comes_too(qtbot, window, pair, markdown):
    for files in ((markdown, pair[1]), (pair[0], markdown), (markdown, markdown)):
        drop(window, mime_of(*files))
        n_loaded = 0
        while n_loaded < len({*files}) - 1:  # two of them are texts at once
            qtbot.waitUntil(lambda: way_out(window).isVisible() and not window.session.loader.busy)
            qtbot.mouseClick(way_out(window), Qt.MouseButton.LeftButton)
            n_loaded += 1
        sources = [str(path) for path in files]
        qtbot.waitUntil(lambda wanted=sources: [on(window, side).source for side in Side] == wanted)
        for side, path in zip(Side, files, strict=True):
            assert on(window, side).source == str(path)
            assert str(on(window, side).alphabet) == ("text" if path == markdown else "DNA")


def test_a_notice_that_can_be_helped_by_nothing_has_no_button(qtbot, window, tmp_path):
    (tmp_path / "gone.fa").write_bytes(b"")
    mime = mime_of(tmp_path / "gone.fa")
    (tmp_path / "gone.fa").unlink()
    drop(window, mime)
    qtbot.waitUntil(window.answer.bar.isVisible)
    assert not way_out(window).isVisible()


def test_the_chooser_reads_again(qtbot, window, pair):
    def offered():
        return not popover(window, Side.A).alphabet.isHidden()

    assert not offered()
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    assert offered()
    assert checked(window, Side.A) == ["Automatic (FASTA)", "DNA"]
    for text, letters, marks in (
        ("Bytes", pair[0].read_bytes(), ["Bytes", "Text"]),
        ("Plain text", pair[0].read_bytes()[:-1], ["Plain text", "Text"]),
        ("Protein", pair[0].read_bytes()[:-1], ["Plain text", "Protein"]),
        ("FASTA", b"ACGTACGTAC", ["FASTA", "Protein"]),
        ("DNA", b"ACGTACGTAC", ["FASTA", "DNA"]),
        ("Automatic", b"ACGTACGTAC", ["Automatic (FASTA)", "DNA"]),
    ):
        qtbot.expect(window.session.compared, choose, window, Side.A, text)
        assert on(window, Side.A).letters.tobytes() == letters
        assert checked(window, Side.A) == marks
    assert checked(window, Side.B) == ["Automatic (FASTA)", "DNA"]


def test_what_cannot_be_read_so_stays_as_it_is(qtbot, window, pair):
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    choose(window, Side.A, "FASTQ")
    qtbot.waitUntil(window.answer.bar.isVisible)
    assert "FASTQ" in window.answer.notices.notices[-1].text
    assert checked(window, Side.A) == ["Automatic (FASTA)", "DNA"]
    assert on(window, Side.A).name == "one"


def test_pasted_text_can_be_read_again_and_swapping_takes_it_along(qtbot, window, session, pair):
    session.open_paths([pair[1]], Side.B)
    qtbot.expect(session.compared, session.open_text, "ACGT ACGT\n", Side.A)
    assert checked(window, Side.A) == ["Automatic (plain text)", "DNA"]
    qtbot.expect(session.compared, choose, window, Side.A, "Bytes")
    assert on(window, Side.A).letters.tobytes() == b"ACGT ACGT\n"
    qtbot.expect(session.compared, session.swap)
    assert checked(window, Side.B) == ["Bytes", "Text"]
    assert checked(window, Side.A) == ["Automatic (FASTA)", "DNA"]
    qtbot.expect(session.compared, choose, window, Side.B, "Plain text")
    assert on(window, Side.B).letters.tobytes() == b"ACGT ACGT"
    assert on(window, Side.A).name == "two"
    assert session.recent.pairs == ()


def test_a_record_stays_chosen_where_only_the_letters_are_said_otherwise(qtbot, window, session, pair, tmp_path):
    many = fasta(tmp_path / "many.fa", ("r1", "A"), ("r2", "CC"), ("r3", "GGG"))
    session.open_paths([pair[0]], Side.A)
    session.open_paths([many], Side.B)
    with qtbot.waitSignal(session.loader.choice_wanted) as asked:
        pass
    qtbot.expect(session.compared, session.loader.choose, asked.args[0], {Side.B: 2})
    qtbot.expect(session.compared, choose, window, Side.B, "Protein")
    assert (on(window, Side.B).name, on(window, Side.B).alphabet) == ("r3", Alphabet.PROTEIN)
    qtbot.expect(session.compared, choose, window, Side.B, "Bytes")
    assert on(window, Side.B).letters.tobytes() == many.read_bytes()


def test_a_recent_pair_is_read_as_it_was(qtbot, window, session, pair, tmp_path):
    qtbot.expect(session.compared, drop, window, mime_of(*pair))
    for text in ("Bytes", "Protein"):
        qtbot.expect(session.compared, choose, window, Side.A, text)
    kept = RecentPairs(SettingsFile(tmp_path / "wavediff.ini")).pairs
    assert kept == session.recent.pairs
    assert [(one.a, one.b) for one in kept] == [
        (
            ReadItem(Side.A, pair[0], record=1, read_as=ReadAs.BYTES, alphabet=Alphabet.PROTEIN),
            ReadItem(Side.B, pair[1], record=1),
        )
    ]
    qtbot.expect(session.compared, session.open_paths, pair)
    assert session.recent.pairs[0].a == ReadItem(Side.A, pair[0], record=1)
    qtbot.expect(session.compared, session.open_recent, kept[0])
    assert on(window, Side.A).letters.tobytes() == pair[0].read_bytes()
    assert checked(window, Side.A) == ["Bytes", "Protein"]


def test_records_of_many_pairs_can_be_read_again(qtbot, window, session, tmp_path):
    from wavediff.core.reading import read

    load = read(fasta(tmp_path / "many.fa", ("r1", "ACGT"), ("r2", "ACGTT")))
    qtbot.expect(session.compared, session.open_records, load, 0, load, 1, session.start)
    qtbot.expect(session.compared, choose, window, Side.B, "Protein")
    assert (on(window, Side.B).name, on(window, Side.B).alphabet) == ("r2", Alphabet.PROTEIN)
    assert session.recent.pairs == ()


def test_the_chip_calls_bytes_by_their_name(qtbot, window, markdown):
    qtbot.expect(window.session.pair.changed, drop, window, mime_of(markdown), window.header.chips[Side.A])
    assert window.header.chips[Side.A].accessibleName() == "Sequence A: notes.md · 56 Text"
    qtbot.expect(window.session.pair.changed, choose, window, Side.A, "Bytes")
    assert window.header.chips[Side.A].accessibleName().endswith(f"{len(MARKDOWN)} Bytes · notes.md")


def test_a_text_is_compared_shown_and_copied_in_its_own_letters(window, session, qtbot, tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path, text in zip(paths, ("Příliš žluťoučký kůň 🧬\n", "Přilis žluťoučký kůň 🧬\n"), strict=True):
        path.write_text(text, encoding="utf-8")
    qtbot.expect(session.compared, session.open_paths, paths)
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    a, b = session.pair.complete or (None, None)
    assert (len(a), len(b), a.characters) == (22, 22, b.characters)
    window.alignment.canvas.select_all()
    window.alignment.copy_as(CopyFormat.PLAIN_A)
    assert QGuiApplication.clipboard().text() == "Příliš žluťoučký kůň 🧬"
    window.alignment.copy()
    assert "\nPř" in QGuiApplication.clipboard().text()
    assert window.alignment.model.describe(1).count("ř") == 2
