"""The bar shows how far something is, and moves while nobody knows."""

import pytest

from wavediff.app.ui.progress_line import ProgressLine


@pytest.fixture
def line(qtbot):
    line = ProgressLine()
    qtbot.addWidget(line)
    line.setFixedSize(400, 5)
    line.show()
    qtbot.waitExposed(line)
    return line


def filled(line):
    """Return the pixels of the middle row that show the bar."""
    image = line.grab().toImage()
    colour, y = line.palette().highlight().color(), image.height() // 2
    ratio = image.devicePixelRatio()
    return [int(x / ratio) for x in range(image.width()) if image.pixelColor(x, y) == colour]


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_a_share_is_filled_from_the_left(line, share):
    line.show_share(share)
    seen = filled(line)
    assert seen[0] <= 3
    assert abs(seen[-1] - share * 400) <= 4


def test_nothing_is_filled_at_the_beginning(line):
    line.show_share(0.0)
    assert not filled(line)


def test_it_moves_while_nobody_knows_and_rests_after(qtbot, line):
    line.show_share(None)
    places = []
    for _ in range(2):
        before = line._at
        qtbot.waitUntil(lambda before=before: line._at != before)
        places.append(filled(line))
    assert places[0] != places[1]
    line.show_share(0.5)
    at = line._at
    qtbot.wait(250)
    assert line._at == at
