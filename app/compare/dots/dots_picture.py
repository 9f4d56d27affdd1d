"""A dot plot as a picture: the part that is seen, its axes, legend and figures."""

from __future__ import annotations

from wavediff.app.compare.dots.dot_canvas import DotCanvas
from wavediff.app.compare.dots.dot_page import dot_legend, sentence
from wavediff.app.compare.dots.dots_session import DotsSession
from wavediff.app.compare.run_picture import LEAST_WIDTH_PX, fit_map
from wavediff.app.ui.pair import named
from wavediff.app.ui.picture_sheet import Pictured, Sheet, even, light

BESIDE_PX = 24, 120  # of the sheet, about: margins; title, legend and figures


def dots_picture(seen: DotCanvas, session: DotsSession) -> Pictured:
    """Return the picture of what ``seen`` shows."""
    theme, letters = light(), session.letters or (None, None)
    canvas = DotCanvas(theme, None, lambda: letters, patient=True)
    names = named(one for one in letters if one is not None)
    size = even((max(LEAST_WIDTH_PX, seen.width() + BESIDE_PX[0]), seen.height() + BESIDE_PX[1]))
    sheet = Sheet(theme, f"{' – '.join(names)}: Dots", canvas, (dot_legend(theme),), size)
    sheet.text.setText(sentence(session))
    sheet.settle()
    canvas.show_matrix(seen.frame.n, seen.frame.m)
    canvas.show_dots(session.tiles, session.features)
    canvas.show_ramp(seen.ramp)
    canvas.show_cross(seen.cross, seen.ring)
    canvas.show_frame(seen.frame)
    if seen.frame.fits:
        fit_map(sheet, canvas)
    return Pictured(sheet, None, None, [theme, session], {}, by_command=False)
