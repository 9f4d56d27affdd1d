"""Texts, rings and signs that were cut or left out where there was room for them."""

import re
from dataclasses import replace
from html import unescape

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QFontMetricsF, QIcon, QImage
from PySide6.QtWidgets import QApplication

from tests.app.alignments import sequence
from wavediff.app.compare.differences_order import CHANGE, KIND
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.run_picture import MapWithAxes
from wavediff.app.compare.stepper import NOT_LISTED, NOT_YET
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.figures_table import LEAST_STRETCHED_PX
from wavediff.app.ui.kind_swatch import SWATCH_PX
from wavediff.app.ui.labels import ElidedLabel, SentenceLabel, TwoLabels
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import SVG, picture_file
from wavediff.app.ui.style import style_sheet
from wavediff.app.window.frame.sequence_chip import SequenceChip
from wavediff.core.jobs.difference_index import Kinds

MITO = "NC_012920.1 Homo sapiens mitochondrion, complete genome"


def texts(widget):
    made = picture_file(lambda on, _: widget.render(on, QPoint()), SVG, widget.size(), 96, {"Title": "x"}).decode()
    moved, text = r'<g[^>]*transform="matrix\(1,0,0,1,([-\d.]+),([-\d.]+)\)"', r'<text [^>]*x="([-\d.]+)" y="([-\d.]+)"'
    found = re.finditer(rf"{moved}|{text}[^>]*>([^<]*)<", made)
    at, seen = (0.0, 0.0), []
    for one in found:
        if one.group(1) is not None:
            at = float(one.group(1)), float(one.group(2))
        else:
            seen.append((unescape(one.group(5)).strip(), at[0] + float(one.group(3)), at[1] + float(one.group(4))))
    return seen


@pytest.mark.parametrize("panel", ["statistics", "timings", "skipped", "differences"])
def test_the_ring_of_a_table_with_the_focus_is_whole(qtbot, window, theme, panel):
    window.resize(1280, 800)
    QApplication.instance().setStyleSheet(style_sheet(theme))
    window.session.open_texts("ACGTACGTAC" * 9, "ACGTTCGTACGG" * 9)
    qtbot.waitUntil(lambda: window.session.outcome is not None and not window.turns.busy)
    window.activateWindow()
    window.show_panel(panel)
    view = window.views[panel]
    table = view.table.rows if isinstance(view, DifferencesView) else view.table
    table.setFocus()
    QApplication.processEvents()
    seen = table.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    QApplication.instance().setStyleSheet("")
    accent = theme.accent.rgb()
    for x in (0, 1, seen.width() - 2, seen.width() - 1):
        assert {seen.pixel(x, y) for y in range(4, seen.height() - 4)} == {accent}, x


def test_a_kind_that_is_switched_off_keeps_its_letter(window):
    size = QSize(SWATCH_PX, SWATCH_PX)
    signs = {}
    for kind in (Kinds.MISMATCH, Kinds.INSERTION, Kinds.DELETION):
        icon = window.alignment.stepper._swatch(kind)
        on, off = (icon.pixmap(size, QIcon.Mode.Normal, state).toImage() for state in (QIcon.State.On, QIcon.State.Off))
        assert on != off
        signs[kind] = bytes(off.constBits())
    assert len(set(signs.values())) == 3  # all that differs is the letter


def test_of_two_texts_the_longer_is_cut_and_only_where_both_do_not_fit(qtbot):
    labels = first, second = ElidedLabel(), ElidedLabel()
    line = TwoLabels(first, second, 16)
    qtbot.addWidget(line)
    words = "insertion, 4,321 letters", "Go to: xyz is not a number; write 12,345 column, A:5000 letter of A"
    line.set_texts(*words)
    line.show()
    short, long = (label.fontMetrics().horizontalAdvance(text) for label, text in zip(labels, words, strict=True))
    for width, whole in ((short + long + 30, [True, True]), (short + long, [True, False]), (short, [False, False])):
        line.resize(width, 24)
        assert [room <= label.width() for room, label in zip((short, long), labels, strict=True)] == whole
        assert first.geometry().right() < second.geometry().left()
        assert second.geometry().right() < width


def test_the_name_of_a_sequence_is_cut_last(qtbot, theme):
    chip = SequenceChip(Side.A, theme)
    qtbot.addWidget(chip)
    name, description = MITO.split(" ", 1)
    chip.show_sequence(replace(sequence("ACGT" * 4142 + "A"), name=name, description=description))
    shown = []
    for width in range(640, 120, -10):
        chip.resize(width, 32)
        said = [text for text, _, _ in texts(chip)]
        facts = next((k for k, text in enumerate(("16,569 DNA", "16,569")) if text in said), 2)
        whole = 0 if MITO in said else 1 if any(text.startswith(name) for text in said) else 2
        shown.append((whole, facts))
    assert shown == sorted(shown)  # what was given up does not come back
    assert list(dict.fromkeys(shown)) == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)]


def test_changes_and_kinds_are_cut_only_where_the_column_ends(qtbot, window):
    window.resize(1280, 800)
    gap = "TTAGGCCACCATTGCAAGGCATGCAT"
    window.session.open_texts("ACGTTGCA" * 9 + "GATTACA" * 5, "ACGTTGCA" * 9 + gap + "GATTACA" * 5)
    qtbot.waitUntil(lambda: window.session.outcome is not None and not window.turns.busy)
    model = window.view(DifferencesView).model
    qtbot.waitUntil(lambda: model.n_rows > 0)
    rows = window.view(DifferencesView).table.rows
    metrics, column = rows.fontMetrics(), KIND
    for row in range(model.rowCount()):
        text = model.index(row, column).data()
        assert metrics.horizontalAdvance(text) + SWATCH_PX + 24 <= rows.columnWidth(column)
    changes = [model.index(row, CHANGE).data() for row in range(model.rowCount())]
    assert "…" not in "".join(changes), changes


@pytest.mark.parametrize(
    ("n", "size"), [(3_000, (700, 320)), (3_000, (400, 420)), (7, (392, 300)), (50_000_000, (320, 500))]
)
def test_no_number_of_an_axis_is_cut(qtbot, theme, n, size):
    model = BlockMapModel()
    model.start(1, n, n)
    board = MapWithAxes(model, None, theme)
    qtbot.addWidget(board)
    board.resize(*size)
    high = QFontMetricsF(theme.small_font)
    seen = texts(board)
    assert len(seen) > 4
    for text, x, y in seen:
        assert x >= 0, text
        assert x + high.horizontalAdvance(text) <= size[0] + 1, text
        assert high.ascent() - 2 <= y <= size[1] - high.descent() + 2, text


def test_what_stands_for_a_count_of_differences_is_whole(qtbot, window, pair):
    window.resize(1280, 800)
    stepper = window.alignment.stepper
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    for text in (NOT_YET, NOT_LISTED):
        stepper.show_place(text)
        assert stepper._place.fontMetrics().horizontalAdvance(text) <= stepper._place.width()


def test_a_long_sentence_in_a_narrow_panel_is_seen_to_its_end(qtbot, theme):
    kinds = "4,045 + 1 by a substitution, 4,044 + 1 by a deletion and 4,046 + 1 by an insertion"
    sentence = f"C and A differ. Least of {kinds}: 4,045."
    label = SentenceLabel(3)
    qtbot.addWidget(label)
    label.setFont(theme.title_font)
    for width in (900, 360, 250):
        label.resize(width, label.height())
        label.set_text(sentence)
        lines = texts(label)
        assert " ".join(line for line, _, _ in lines) == sentence
        assert max(y for _, _, y in lines) <= label.height(), width


def test_the_name_of_a_row_has_room_in_a_narrow_panel(qtbot, window):
    window.resize(1280, 800)
    window.session.open_texts("kitten", "sitting")
    qtbot.waitUntil(lambda: window.session.outcome is not None and not window.turns.busy)
    window.show_panel("skipped")
    table = window.views["skipped"].table
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)
    for width in (1200, 300):
        window.views["skipped"].resize(width, 200)
        QApplication.processEvents()
        assert table.columnWidth(0) >= min(table.sizeHintForColumn(0), LEAST_STRETCHED_PX), width
