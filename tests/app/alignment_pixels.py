"""Run as a program under a ``QT_SCALE_FACTOR``: what is on the screen must be the composed page, pixel by pixel."""

from __future__ import annotations

import sys

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tests.app.alignments import random_pair
from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.ui.pair import SharedCursor
from wavediff.app.ui.theme import Scheme, Theme


def main(ratio: float, wrapped: bool) -> None:
    app = QApplication([])
    view = AlignmentView(Theme(Scheme.LIGHT), SharedCursor())
    view.canvas.set_wrapped(wrapped)
    view.resize(701, 433)  # odd sizes: at 1.5 the letters start between two device pixels
    view.show()
    view.show_result(*random_pair(2000), fold_case=False)
    while view.model is None:
        app.processEvents()
    canvas = view.canvas
    canvas.scroll_to(1234)
    app.processEvents()
    surface = canvas.surface
    assert canvas.devicePixelRatioF() == ratio
    assert surface is not None
    assert surface.height == int(canvas.height() * ratio)
    shot = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    seen = np.frombuffer(shot.constBits(), np.uint32).reshape(shot.height(), -1)[:, : shot.width()]
    page = canvas._page
    assert page is not None
    columns = surface.columns_per_line if wrapped else page.rows.op.size
    assert page.pixels.shape[1] == columns * surface.cells.width
    assert page.pixels.shape[0] % surface.cells.pitch == 0
    origin = canvas.mapTo(view, QPoint(0, 0))
    left, top = round(origin.x() * ratio) + canvas.gutter, round(origin.y() * ratio)
    line = page.first_line + 1 if wrapped else 0
    y = surface.line_top(line, canvas.position)
    x = 0 if wrapped else page.col0 * surface.cells.width - canvas.position
    first = max(0, -x)  # what sticks out at the left is cut
    width = min(surface.width, page.pixels.shape[1] + x) - max(0, x)
    block = page.pixels[(line - page.first_line) * surface.cells.pitch :][: surface.cells.block]
    expected = block[:, first : first + width]
    found = seen[top + y :, left + max(0, x) :][: block.shape[0], :width]
    assert np.unique(expected).size > 20
    assert np.array_equal(found & 0xFFFFFF, expected & 0xFFFFFF)
    sys.stdout.write("same pixels\n")


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2] == "wrapped")
