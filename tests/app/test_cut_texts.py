"""Texts, rings and signs that were cut or left out where there was room for them."""

import re
from dataclasses import replace
from html import unescape
from itertools import combinations, product
from unittest.mock import Mock

import numpy as np
import pytest
from pyqtgraph import AxisItem
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QIcon, QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsView, QLabel, QMenu, QPushButton

from tests.app.alignments import sequence
from tests.app.fakes import fasta
from tests.app.parts import open_texts
from tests.core.screening.test_relation import random_letters
from wavediff.app.compare import annotator
from wavediff.app.compare.computation_facts import Fact, FactRows, computed_text
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.difference_list import CHANGE, KIND
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.sequence_chip import SequenceChip
from wavediff.app.compare.stepper import NOT_LISTED, NOT_YET
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.input_dialogs import RecordPicker
from wavediff.app.ui.labels import ElidedLabel, SentenceLabel, TwoLabels
from wavediff.app.ui.legend import KIND_PX
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import SVG, picture_file
from wavediff.app.ui.table_view import LEAST_STRETCHED_PX
from wavediff.app.ui.theme import style_sheet
from wavediff.app.window.panels.arrangement import Mode, place
from wavediff.app.window.panels.panels import LOWER
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockGrid
from wavediff.core.methods import METHODS
from wavediff.core.methods.options import Choice

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


@pytest.fixture
def styled(window, theme):
    """The window in its usual size, with the style sheet of the program."""
    window.resize(1280, 800)
    QApplication.instance().setStyleSheet(style_sheet(theme))
    yield window
    QApplication.instance().setStyleSheet("")


def compared(qtbot, window, a, b):
    qtbot.expect(window.session.compared, open_texts, window.session, a, b)
    qtbot.waitUntil(lambda: not window.turns.busy)


def test_remarks_of_contigs_are_read_in_the_list_and_below_the_tracks(qtbot, styled, tmp_path):
    a = random_letters(30_000, 5).decode()
    made = (
        ("one", a[:9_000]),
        ("chimera", a[15_500:18_000] + a[3_000:5_000]),
        ("alien", random_letters(2_000, 6).decode()),
    )
    files = [fasta(tmp_path / "ref.fa", ("ref", a)), fasta(tmp_path / "contigs.fa", *made)]
    styled.session.open_paths(files)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in styled.findChildren(RecordPicker)))
    picker = next(one for one in styled.findChildren(RecordPicker) if one.isVisible())
    next(one for one in picker.findChildren(QPushButton) if one.text() == "Contigs on A").click()
    qtbot.waitUntil(lambda: styled.session.contigs.answer is not None and styled.alignment.tracks.isVisible())
    styled.alignment.contigs.go_to("chimera")
    said = styled.alignment.tracks.where
    lines = [text for text, *_ in texts(said)]
    assert " ".join(lines) == said.text
    assert re.search("chimeric: [12],[0-9]{3} letters elsewhere; letters 1–2,5", said.text)
    rows = styled.view(DifferencesView).table.rows
    qtbot.waitUntil(lambda: any(re.match("chimeric: [12],[0-9]{3} letters", text) for text, *_ in texts(rows)))
    assert not rows.horizontalScrollBar().maximum(), "nothing is beyond the edge"
    assert any(text == "no shared k-mer" for text, *_ in texts(rows))


def test_the_title_of_a_tab_is_whole_with_the_focus_too(qtbot, styled, theme, subtests):
    compared(qtbot, styled, "ACGTACGTAC", "ACGTTCGTAC")
    bar = styled.tabs.bar
    styled.activateWindow()
    for at in range(bar.count()):
        bar.setCurrentIndex(at)
        wide = []
        for widget in (styled.header, bar):
            widget.setFocus()
            image = bar.grab(bar.tabRect(at)).toImage()
            dark = [
                any(image.pixelColor(x, y).lightness() < 60 for y in range(image.height()))
                for x in range(image.width())
            ]
            wide.append(sum(dark))
        with subtests.test(bar.tabText(at)):
            assert bar.hasFocus()
            assert wide[0] == wide[1] > 0


def test_the_ring_of_a_table_with_the_focus_is_whole(qtbot, styled, theme, subtests):
    compared(qtbot, styled, "ACGTACGTAC" * 9, "ACGTTCGTACGG" * 9)
    styled.activateWindow()
    for panel in ("statistics", "timings", "skipped", "differences"):
        with subtests.test(panel):
            styled.show_panel(panel)
            view = styled.views[panel]
            table = view.table.rows if isinstance(view, DifferencesView) else view.table
            table.setFocus()
            QApplication.processEvents()
            seen = table.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
            for x in (0, 1, seen.width() - 2, seen.width() - 1):
                assert {seen.pixel(x, y) for y in range(4, seen.height() - 4)} == {theme.accent.rgb()}, x


def test_a_kind_that_is_switched_off_keeps_its_letter(window):
    size = QSize(KIND_PX, KIND_PX)
    signs = {}
    for kind in (Kinds.MISMATCH, Kinds.INSERTION, Kinds.DELETION):
        icon = window.alignment.stepper.kind_buttons[kind].icon()
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
    for width in range(640, 120, -1):
        chip.resize(width, 32)
        said = [text for text, _, _ in texts(chip)]
        facts = next((k for k, text in enumerate(("16,569 DNA", "16,569")) if text in said), 2)
        whole = 0 if MITO in said else 1 if any(text.startswith(name) for text in said) else 2
        shown.append((whole, facts))
    assert shown == sorted(shown)  # what was given up does not come back
    assert list(dict.fromkeys(shown)) == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)]


def test_names_that_differ_at_their_ends_do_so_where_they_are_cut(qtbot, theme):
    chip, shown = SequenceChip(Side.A, theme), []
    qtbot.addWidget(chip)
    chip.resize(200, 32)
    for name in ("Escherichia_coli_K12_MG1655_thrA", "Escherichia_coli_K12_MG1655_lacZ"):
        chip.show_sequence(replace(sequence("ACGT"), name=name, description="chromosome"))
        (cut,) = (text for text, _, _ in texts(chip) if "…" in text)
        assert [name.startswith(part) or name.endswith(part) for part in cut.split("…")] == [True, True]
        shown.append(cut)
    assert shown[0] != shown[1]


def test_changes_and_kinds_are_cut_only_where_the_column_ends(qtbot, window):
    window.resize(1280, 800)
    gap = "TTAGGCCACCATTGCAAGGCATGCAT"
    open_texts(window.session, "ACGTTGCA" * 9 + "GATTACA" * 5, "ACGTTGCA" * 9 + gap + "GATTACA" * 5)
    qtbot.waitUntil(lambda: window.session.outcome is not None and not window.turns.busy)
    model = window.view(DifferencesView).model
    qtbot.waitUntil(lambda: model.n_rows > 0)
    rows = window.view(DifferencesView).table.rows
    metrics, column = rows.fontMetrics(), KIND
    for row in range(model.rowCount()):
        text = model.index(row, column).data()
        assert metrics.horizontalAdvance(text) + KIND_PX + 24 <= rows.columnWidth(column)
    changes = [model.index(row, CHANGE).data() for row in range(model.rowCount())]
    assert "…" not in "".join(changes), changes
    open_texts(window.session, "kitten", "sitting")  # the list is narrower beside the cells
    qtbot.waitUntil(lambda: window.arrangement.mode is Mode.SMALL_PAIR and not window.turns.busy, timeout=10_000)
    assert rows.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("strategy", ["full", "diagonals", "free-ends", "hirschberg", "subsequence"])
@pytest.mark.parametrize("reason", ["too small", "short", "every cell", "too different"])
def test_the_sentence_over_the_map_has_room(theme, strategy, reason):
    model, grid = BlockMapModel(), BlockGrid(50_000, 50_000, 50_000, 50_000)
    model.start(1, 50_000, 50_000)
    model.apply(Planned(1, grid, np.zeros(grid.shape, np.uint8), strategy, reason, 1))
    said = computed_text(model, None).replace("matrix:", "matrix computed:")
    assert said
    assert QFontMetricsF(theme.small_font).horizontalAdvance(said) <= 392 - 2 * 16, said


@pytest.mark.parametrize(
    ("n", "size"),
    [(3_000, (700, 320)), (3_000, (400, 420)), (7, (392, 300)), (400_000, (392, 320)), (50_000_000, (320, 500))],
)
def test_no_number_of_an_axis_is_cut(qtbot, theme, n, size):
    model = BlockMapModel()
    model.start(1, n, n)
    board = BlockMapCanvas(model, theme, letters=lambda: (None, None))
    qtbot.addWidget(board)
    board.resize(*size)
    high = QFontMetricsF(theme.small_font)
    seen = texts(board)
    numbers = [text for text, *_ in seen if text.strip(",. M\xa0\u202f0123456789") == ""]
    assert len(numbers) > 2
    alone = [text for text in numbers if numbers.count(text) == 1]
    assert len(alone) <= 1, alone  # the others stand on both sides; a name may take the place of the first
    for text, x, y in seen:
        assert x >= 0, text
        assert x + high.horizontalAdvance(text) <= size[0] + 1, text
        assert high.ascent() - 2 <= y <= size[1] - high.descent() + 2, text


def test_what_stands_for_a_count_of_differences_is_whole(qtbot, window, pair):
    window.resize(1280, 800)
    stepper = window.alignment.stepper
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    for text in (f"differences: {NOT_YET}", f"differences: {NOT_LISTED}"):
        stepper.show_place(text)
        assert " ".join(line for line, *_ in texts(stepper.place_label)) == text


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
    open_texts(window.session, "kitten", "sitting")
    qtbot.waitUntil(lambda: window.session.outcome is not None and not window.turns.busy)
    window.show_panel("skipped")
    table = window.views["skipped"].table
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)
    for width in (1200, 300):
        window.views["skipped"].resize(width, 200)
        QApplication.processEvents()
        assert table.columnWidth(0) >= min(table.sizeHintForColumn(0), LEAST_STRETCHED_PX), width


def test_every_panel_is_seen_whole(qtbot, styled):
    window = styled
    window.show_panel("lessons")
    qtbot.waitUntil(lambda: not window.tabs.lacking)
    assert not window.alignment.isVisible()  # there are no letters, and their room is the lesson's
    for texts in (("ACGTTGCA" * 9, "ACGTAGCA" * 9), ("kitten", "sitting")):
        compared(qtbot, window, *texts)
        for panel in LOWER:
            window.tabs.show_panel(panel.id)
            QApplication.processEvents()
            qtbot.waitUntil(lambda: not window.tabs.lacking)
            assert window.alignment.canvas.isVisible()


def test_a_few_pairs_have_a_map_that_can_be_pointed_at(qtbot, styled, tmp_path):
    window = styled
    compared(qtbot, window, "ACGTTGCA" * 9, "ACGTAGCA" * 9)
    window.tabs.show_panel("batch")
    path = fasta(tmp_path / "eight.fa", *((f"r{k}", "ACGTTGCA" * (9 + k)) for k in range(8)))
    qtbot.expect(window.session.many.finished, window.session.many.open, [path])
    heat_map = window.views["batch"].map
    QApplication.processEvents()
    assert heat_map.area().width() >= 8 * 12  # pixels a cell
    for text, x, _ in texts(heat_map):
        assert x + heat_map.fontMetrics().horizontalAdvance(text) <= heat_map.width(), text


def test_a_wrong_place_is_told_whole_and_until_something_else_is_done(qtbot, window):
    window.resize(1280, 800)
    compared(qtbot, window, "kitten", "sitting")
    letters = window.alignment
    field = letters.stepper.field
    field.setFocus()
    for typed, said in (
        ("xyz", "not a number"),
        ("nosuchrecordhere:5", "is not A, B"),
        ("100", "no column 100, only 1 to 7"),
    ):
        field.clear()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert said in letters.notice.text
        assert letters.notice.fontMetrics().horizontalAdvance(letters.notice.text) <= letters.notice.width()
        qtbot.keyClicks(field, "1")
        assert letters.notice.text == ""
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClick(letters.canvas, Qt.Key.Key_Right)
    assert letters.notice.text == ""


def test_what_is_said_of_an_option_is_seen_to_its_end(qtbot, window, theme):
    window.resize(1280, 800)
    compared(qtbot, window, "kitten", "sitting")
    popover = window.header.options_popover
    popover.open_under(window.header.options_button)
    for method in METHODS:
        window.session.choose(method=method)
        for line in popover.all_lines:
            for option in method.options:
                for entry in option.values if isinstance(option, Choice) else ():
                    line.say(entry.tip)
                    popover.fit()
                    QApplication.processEvents()
                    assert line.isHidden() or line.hint.height() >= line.hint.heightForWidth(line.hint.width()), (
                        entry.tip
                    )
    popover.close()


def test_no_cell_and_no_heading_of_a_table_of_figures_is_cut(qtbot, window, subtests):
    window.resize(1280, 800)
    for method in METHODS:
        window.session.choose(method=method)
        compared(qtbot, window, "kitten", "sitting")
        for panel, width in product(("statistics", "timings", "skipped"), (1200, 424)):
            with subtests.test(method.id, panel=panel, width=width):
                window.show_panel(panel)
                table = window.views[panel].table
                qtbot.waitUntil(lambda table=table: table.model().rowCount() > 0)
                window.views[panel].resize(width, 200)
                QApplication.processEvents()
                check_cells(table)


def check_cells(table):
    header = table.horizontalHeader()
    for column in range(header.count()):
        assert header.sectionSizeHint(column) <= header.sectionSize(column), column
        for row in range(table.model().rowCount()):
            text = str(table.model().index(row, column).data() or "")
            room = QRect(0, 0, table.columnWidth(column) - 6, 1 << 15)
            taken = table.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text)
            assert taken.height() <= table.rowHeight(row), text
            assert taken.width() <= room.width(), text


def test_the_frame_of_the_focus_is_drawn_once(qtbot, styled, subtests):
    styled.activateWindow()
    cards = (each for each in styled.start.findChildren(QPushButton) if each.property("control") == "card")
    controls = next(cards), styled.views["race"].run_button, styled.views["lessons"].stage.transport.buttons["end"]
    for one in controls[1:]:
        one.setParent(styled.start)
        one.setEnabled(True)
        one.show()
        one.move(8, 8)
    for one in controls:
        with subtests.test(one.text()):
            one.raise_()
            QApplication.processEvents()
            inside = []
            for on in (False, True):
                (one if on else styled.start.sample).setFocus()
                QApplication.processEvents()
                assert one.hasFocus() is on
                inside.append(one.grab(one.rect().adjusted(3, 3, -3, -3)).toImage())
            assert inside[0] == inside[1]


def test_an_error_of_the_tracks_is_reported(qtbot, window, monkeypatch):
    def fail(*_arguments):
        raise ValueError("no tracks")

    monkeypatch.setattr(annotator, "find_tracks", fail)
    with qtbot.captureExceptions() as errors:
        compared(qtbot, window, "kitten", "sitting")
        qtbot.waitUntil(lambda: bool(errors))
    assert str(errors[0][1]) == "no tracks"


def test_window_start_page_and_options_fit_a_screen_of_640_by_400(qtbot, styled, monkeypatch):
    screen = Mock(availableGeometry=lambda: QRect(0, 0, 640, 400))
    monkeypatch.setattr(QGuiApplication, "primaryScreen", lambda: screen)
    window = styled
    place(window, b"")
    qtbot.waitUntil(lambda: window.width() == 640 and "Samples" not in [text for text, _, _ in texts(window.start)])
    window.start.layout().activate()
    QApplication.processEvents()
    assert window.height() < 400  # and the title bar
    for label in window.start.findChildren(QLabel):
        assert not label.isVisible() or label.height() >= label.heightForWidth(label.width()), label.text()
    buttons = window.start.findChildren(QPushButton)
    assert not any(
        a.geometry().intersects(b.geometry()) for a, b in combinations(buttons, 2) if a.parent() is b.parent()
    )
    assert all(each.toolTip() for each in buttons if each.property("control") == "card")
    popover = window.header.options_popover
    monkeypatch.setattr(window.header.options_button, "screen", lambda: screen)
    popover.open_under(window.header.options_button)
    assert popover.width() <= 640
    popover.close()


def test_the_heading_of_the_computation_keeps_clear_of_its_views(window, subtests):
    view = window.view(ComputationView)
    heading = next(one for one in view.findChildren(QLabel) if one.text() == "Computation")
    for width in (320, 351, 700):
        with subtests.test(width=width):
            view.resize(width, 600)
            view._place()
            assert heading.isHidden() is (width < 360)
            assert heading.isHidden() or heading.x() + heading.sizeHint().width() < view.views.x()


def test_the_name_of_an_axis_keeps_clear_of_its_numbers(qtbot, window, tmp_path):
    texts = tmp_path / "a.txt", tmp_path / "b.txt"
    for path, word in zip(texts, ("session", "meeting"), strict=True):
        path.write_text("".join(f"{word if k % 17 == 0 else 'line'} {k}\n" for k in range(480)))
    window.resize(1280, 800)
    window.session.start_with("lines")
    qtbot.expect(window.session.compared, window.session.open_paths, texts)
    canvas = window.view(ComputationView).canvas
    items = canvas.findChild(QGraphicsView).scene().items()
    (across,) = (item for item in items if isinstance(item, AxisItem) and item.orientation == "top")
    for side in range(200, 400, 8):
        canvas.resize(side, side)
        canvas.grab()
        picture = QImage(8, 8, QImage.Format.Format_ARGB32)
        painter = QPainter(picture)
        _, _, ((name, _, words), *numbers) = across.generateDrawSpecs(painter)
        painter.end()
        assert (words, bool(numbers)) == ("B, lines →", True)
        assert min(box.left() for box, *_ in numbers) >= name.right() + 4, side


def test_lines_between_figures_are_whole_also_where_one_takes_two_lines(qtbot, styled, theme):
    rows = FactRows(theme)
    qtbot.addWidget(rows)
    rows.resize(200, 120)
    rows.show_facts([Fact("Memory", "short"), Fact("Strategy", "short")])
    rows.show()
    rows.show_facts([Fact("Memory", "much longer than fits into one line of it"), Fact("Strategy", "short")])
    below = rows._rows[1][1]
    qtbot.waitUntil(lambda: below.y() >= 30)
    line = rows.grab(QRect(0, below.y(), rows.width(), 1)).toImage()
    assert {line.pixelColor(x, 0).name() for x in range(line.width())} == {theme.grid.name()}


def test_numbers_of_kinds_that_are_out_of_date_are_dim(qtbot, window, pair):
    qtbot.expect(window.session.compared, window.session.open_paths, pair)
    qtbot.waitUntil(lambda: window.alignment.model is not None and not window.turns.busy)
    stepper = window.alignment.stepper
    button = next(each for each in stepper.kind_buttons.values() if each.isVisible())
    number = QRect(KIND_PX + 8, 0, button.width() - KIND_PX - 8, button.height())
    before = button.grab(number).toImage()
    stepper.show_place("before", "of the pair before")
    assert button.grab(number).toImage() != before


def test_a_menu_higher_than_the_screen_scrolls_instead_of_growing_wider_than_it(qtbot, styled):
    """As *View* does at 200 % on 1280 x 800, whose second column was cut with its shortcuts."""
    room = styled.screen().availableGeometry()
    for menu in styled.menuBar().findChildren(QMenu):
        for k in range(60):
            menu.addAction(f"Entry {k}").setShortcut("Ctrl+Shift+Alt+F12")
        menu.popup(room.topLeft())
        qtbot.waitUntil(menu.isVisible)
        assert len({menu.actionGeometry(action).left() for action in menu.actions() if not action.isSeparator()}) == 1
        assert menu.geometry().right() <= room.right(), menu.title()
        menu.close()
