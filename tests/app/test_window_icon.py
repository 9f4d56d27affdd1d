"""The icon that every window of the program has."""

from PySide6.QtGui import QColor

from wavediff.app.window.application import create_qt


def test_the_icon_can_be_drawn_at_any_size(qtbot):
    icon = create_qt().windowIcon()
    for size in (16, 48, 256):
        picture = icon.pixmap(size, size).toImage()
        assert picture.width() >= size
        colors = {picture.pixelColor(x, y).name() for x in range(size) for y in range(size)}
        assert {QColor("#f59411").name(), QColor("#97c3e8").name()} <= colors  # the wavefront and what it has passed
