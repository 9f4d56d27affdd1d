"""Ribbons of blocks, and the letters at the borders of one, as a picture."""

from __future__ import annotations

from wavediff.app.compare.blocks.blocks_view import RibbonCanvas
from wavediff.app.ui.pair import named
from wavediff.app.ui.picture_sheet import Pictured, Sheet, even, light
from wavediff.core.export.rearranged import RearrangedAnswer

BESIDE_PX = 24, 100  # of the sheet, about: margins; title and answer


def blocks_picture(seen: RibbonCanvas, answer: RearrangedAnswer) -> Pictured:
    """Return the picture of what ``seen`` shows."""
    theme = light()
    canvas = RibbonCanvas(theme)
    title = f"{' – '.join(named((answer.a, answer.b)))}: Blocks"
    size = even((seen.width() + BESIDE_PX[0], seen.height() + BESIDE_PX[1]))
    sheet = Sheet(theme, title, canvas, (), size)
    sheet.text.setText(answer.result.text)
    sheet.settle()
    canvas.show_block(answer, seen.current)
    return Pictured(sheet, None, None, [theme], {}, by_command=False)
