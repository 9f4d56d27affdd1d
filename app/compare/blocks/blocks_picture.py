"""Picture of the ribbons of blocks, and of the letters at the borders of one block."""

from __future__ import annotations

from functools import partial

from wavediff.app.compare.blocks.block_rows import SIGNS
from wavediff.app.compare.blocks.blocks_view import RibbonCanvas
from wavediff.app.compare.blocks.border_letters import BORDER_PX
from wavediff.app.compare.blocks.ribbon_drawing import MOST_PX
from wavediff.app.ui.legend import KIND_PX, ROW_PX, Legend, Sign, paint_swatch
from wavediff.app.ui.pair import named
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, Pictured, Sheet, even, light
from wavediff.core.export.rearranged import RearrangedAnswer

BESIDE_PX = 24, 100 + ROW_PX  # of the sheet, about: margins; title, legend and answer


def whole_picture(answer: RearrangedAnswer, current: int, *, size: tuple[int, int] | None = None) -> Pictured:
    """Return the picture of all blocks and the border letters of ``current`` (from 1; 0: none)."""
    seen = RibbonCanvas(light())
    usual = DEFAULT_SIZE[0], MOST_PX + (2 * BORDER_PX if current else 0) + BESIDE_PX[1]
    seen.resize(*(side - beside for side, beside in zip(size or usual, BESIDE_PX, strict=True)))
    seen.show_block(answer, current)
    return blocks_picture(seen, answer)


def blocks_picture(seen: RibbonCanvas, answer: RearrangedAnswer) -> Pictured:
    """Return the picture of what ``seen`` shows."""
    theme = light()
    canvas = RibbonCanvas(theme)
    title = f"{' – '.join(named((answer.a, answer.b)))}: Blocks"
    size = even((seen.width() + BESIDE_PX[0], seen.height() + BESIDE_PX[1]))
    legend = Legend("Kinds of blocks", theme, height=KIND_PX)
    kinds = [kind for kind in SIGNS if answer.result.of(kind)]
    legend.set_signs([Sign(partial(paint_swatch, op=SIGNS[kind], theme=theme), str(kind), KIND_PX) for kind in kinds])
    sheet = Sheet(theme, title, canvas, (legend,), size, answer.result.text)
    canvas.show_block(answer, seen.current)
    canvas.window_shown = seen.window_shown
    return Pictured(sheet)
