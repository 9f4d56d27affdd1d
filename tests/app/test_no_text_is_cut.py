"""No heading, figure, choice or field is cut: in every panel, in windows of several sizes, and on the projector.

A name may be cut, with an ellipsis and a tip that has the whole of it.
"""

import shutil
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtWidgets import QComboBox, QTableView

from tests.app.alignments import sequence
from tests.app.parts import open_texts
from tests.app.real_kernels import fake_kernels  # noqa: F401
from tests.app.test_cut_texts import texts
from tests.core.screening.test_relation import random_letters
from tests.journeys.screen import cut_off
from wavediff.app.batch.batch_view import BatchView
from wavediff.app.compare.pair.sequence_chip import SequenceChip
from wavediff.app.compare.stepper import LEAST_FIELD_PX
from wavediff.app.search.search_session import SearchRequest
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import style_sheet
from wavediff.app.window.panels.panels import PANELS
from wavediff.core.sequences.pattern_list import read_list
from wavediff.core.system.program import ROOT

SIZES = {"usual": (1280, 800), "small": (800, 500), "200 % of 1280 x 800": (640, 400)}
OF_THE_SCREEN = ("does not fit", "QToolButton")  # that offscreen is 800 x 800; journeys look at these


@pytest.fixture
def styled(request, theme, qapp, monkeypatch):
    qapp.setStyleSheet(style_sheet(theme))
    monkeypatch.setattr(BatchView, "ask_files", Mock())
    yield request.getfixturevalue("window")
    qapp.setStyleSheet("")


def cut(qapp):
    qapp.processEvents()
    return [fault for fault in cut_off() if not any(each in fault for each in OF_THE_SCREEN)]


def compared(qtbot, window, a, b):
    qtbot.expect(window.session.compared, open_texts, window.session, a, b)
    qtbot.waitUntil(lambda: not window.turns.busy)


@pytest.mark.parametrize("n", [7, 60_000])
def test_every_panel(qtbot, qapp, styled, subtests, n):
    window, session = styled, styled.session
    a = random_letters(n, 3).decode()
    compared(qtbot, window, a, a[: n // 2] + "T" + a[n // 2 + n // 600 + 1 :])
    wish = SearchRequest(read_list(b"GATTAC\nlong name\tACG\n"))
    qtbot.expect(session.search.finished, session.search.run, wish)
    for name, size in SIZES.items():
        window.resize(*size)
        for panel in PANELS:
            with subtests.test(panel.id, size=name):
                window.show_panel(panel.id)
                if panel.id == "bwt":
                    qtbot.waitUntil(lambda: session.transform.current is not None)
                    window.views["bwt"].search.pattern.setText(a[:6])
                    found = window.views["bwt"].search.findChildren(QTableView)
                    qtbot.waitUntil(lambda found=found: all(table.model().rowCount() > 0 for table in found))
                    qapp.processEvents()
                    for table in found:
                        assert table.visibleRegion().boundingRect().width() >= table.width() - 2
                        assert table.horizontalScrollBar().maximum() == 0
                assert not cut(qapp)
    speed = window.views["computation"].transport.speed
    window.resize(*SIZES["usual"])
    for number in range(speed.count()):
        speed.activated.emit(number)
        assert not cut(qapp)


def test_options_with_a_file(qtbot, qapp, styled, tmp_path):
    compared(qtbot, styled, "ACGTACGGT", "ACGGACGT")
    file = tmp_path / "a folder with a long name" / "score.txt"
    file.parent.mkdir()
    shutil.copy(ROOT / "resources" / "matrices" / "DNAfull", file)
    styled.session.choose(method="affine", matrix=str(file))
    popover = styled.header.options_popover
    popover.open_under(styled.header.options_button)
    box = next(one for one in popover.findChildren(QComboBox) if one.isEditable() and one.isVisible())
    popover.setFocus()
    assert not cut(qapp)
    seen = [box.lineEdit().grab().toImage()]
    for cursor in (0, len(box.currentText())):  # what is seen does not depend on the place of the cursor
        box.lineEdit().setCursorPosition(cursor)
        seen.append(box.lineEdit().grab().toImage())
    assert seen[0] == seen[1] == seen[2]
    assert (box.currentText(), box.lineEdit().hasFocus()) == (str(file), False)
    popover.close()


def test_the_projector_at_every_speed(qtbot, qapp, styled):
    styled.show_panel("lessons")
    view = styled.views["lessons"]
    controls = view.stage.transport, view.stage.transport.speed
    before = [each.height() for each in controls]
    view.hall_button.click()
    hall = view.stage.window()
    hall.showNormal()
    hall.resize(*SIZES["usual"])
    for number in range(view.stage.transport.speed.count()):
        view.stage.transport.speed_wanted.emit(number)
        assert not cut(qapp)
    hall.close()
    qtbot.waitUntil(lambda: [each.height() for each in controls] == before)


def test_the_names_of_two_sequences_are_whole_beside_their_lengths(qtbot, qapp, styled, subtests):
    for name in ("bigB", "chrIV", "pUC19", "one"):
        chip = SequenceChip(Side.B, styled.theme)
        qtbot.addWidget(chip)
        chip.show_sequence(replace(sequence("ACGT" * 12_499 + "A"), name=name, description="inverted 2-3 Mb"))
        for width in range(150, 260):
            chip.resize(width, 32)
            with subtests.test(name, width=width):
                said = [text for text, _, _ in texts(chip)]
                assert any(text.startswith(name) for text in said), said


def test_the_counts_of_kinds_are_whole_before_the_place_is_in_one_line(qtbot, qapp, styled, subtests):
    compared(qtbot, styled, "kitten", "sitting")
    stepper = styled.alignment.stepper
    place, kinds = stepper.place_label, [each for each in stepper.kind_buttons.values() if each.isVisible()]
    assert [each.text() for each in kinds] == ["2", "1"]
    seen = set()
    for width in range(stepper.minimumSizeHint().width(), 700, 3):
        with subtests.test(width=width):
            stepper.resize(width, stepper.height())
            qapp.processEvents()
            whole = all(each.width() >= each.sizeHint().width() for each in kinds)
            seen.add(whole)
            assert whole or place.width() == place.minimumWidth(), "the counts go last"
            lines = texts(place)
            assert " ".join(line for line, *_ in lines).replace("\xa0", " ") == place.text == "difference 1 of 3"
            assert all(x >= 0 and y < place.height() for _, x, y in lines)
            assert len(lines) == 1 or lines[1][0].startswith("1"), "the numbers stay together"
            assert stepper.field.width() == LEAST_FIELD_PX or place.width() >= place.maximumWidth() - 1
    assert seen == {False, True}


@pytest.mark.parametrize("size", [(640, 376), (720, 400), (800, 500)])
def test_the_sentence_of_a_step_is_in_view_and_whole(qtbot, qapp, styled, subtests, monkeypatch, size):
    styled.resize(*size)
    styled.show_panel("lessons")
    view = styled.views["lessons"]
    stage, placed = view.stage, []
    place = stage._place_sentence

    def place_once():
        placed.append(size)
        if len(placed) < 50:  # else the scene goes to and fro between two places for ever
            place()

    monkeypatch.setattr(stage, "_place_sentence", place_once)
    for number in range(view.lessons.count()):
        view.lessons.setCurrentIndex(number)
        with subtests.test(view.lessons.currentText()):
            placed.clear()
            view.lessons.activated.emit(number)
            for where in ("start", "on", "end"):
                stage.transport.wanted.emit(where)
                for _ in range(3):
                    qapp.processEvents()
                assert len(placed) < 20
                assert stage.sentence.visibleRegion().contains(stage.sentence.rect())
                lines = texts(stage.sentence)
                assert "".join("".join(line.split()) for line, *_ in lines) == "".join(stage.sentence.text.split())
                assert max(y for *_, y in lines) <= stage.sentence.height()
