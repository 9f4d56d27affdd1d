"""Picture of a dot plot: the visible part with axes, legend and figures."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF

from wavediff.app.compare.dots.dot_canvas import DotCanvas
from wavediff.app.compare.dots.dot_drawing import RAMP, level_of
from wavediff.app.compare.dots.dot_page import dot_legend, sentence
from wavediff.app.compare.dots.dot_tiles import DotTiles
from wavediff.app.compare.dots.dots_session import DotsSession, FoundDots, features_of, only_unique
from wavediff.app.compare.dots.letter_range import LetterRange
from wavediff.app.compare.run_picture import LEAST_WIDTH_PX, fit_map
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.pair import named
from wavediff.app.ui.picture_sheet import Pictured, Sheet, even, light
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.exact_matches import ExactMatches
from wavediff.core.screening.dot_index import DotIndex
from wavediff.core.sequences.sequence import Sequence

BESIDE_PX = 24, 120  # of the sheet, about: margins; title, legend and figures
USUAL_PX = 800, 900  # of a whole picture
MOST_HIGH_PX = 1400  # of the plot
FINER, TURN_SECONDS = 2, 0.05  # a pixel is 4 x 4 of a picture at up to 384 dpi; between two looks at a stop


def picture_frame(seen: BlockMapFrame) -> BlockMapFrame:
    """Return a frame of the letters visible in ``seen``, without margins, wide enough for title and legend."""
    box = seen.box(seen.matrix).intersected(seen.room)
    wanted = (LEAST_WIDTH_PX - BESIDE_PX[0] - seen.room.left()) / max(1.0, box.width())
    by = min(max(1.0, wanted), max(1.0, MOST_HIGH_PX / max(1.0, box.height())))
    return replace(seen, scale=seen.scale * by, room=QRectF(seen.room.topLeft(), box.size() * by))


def fine_tiles(tiles: DotTiles, seen: BlockMapFrame, cancel: CancelToken) -> DotTiles:
    """Return the tiles of a picture (any thread); empty if single runs are drawn."""
    fine = DotTiles(tiles.index, unique=tiles.unique)
    fine.want(*level_of(picture_frame(seen), FINER))
    while fine.make(TURN_SECONDS):
        cancel.raise_if_cancelled()
    return fine


def whole_picture(
    a: Sequence, b: Sequence, matches: ExactMatches, index: DotIndex, cancel: CancelToken,
    *, part: tuple[int, int, int, int] | None = None, size: tuple[int, int] = USUAL_PX,
    unique: bool = False, opacity: float = RAMP,
) -> Pictured:  # fmt: skip
    """Return the picture of all dots, or of those of ``part`` (see ``LetterRange``), about ``size`` pixels.

    Args:
        unique: draw ``only_unique`` matches. opacity: ``ramp`` of ``dot_drawing.opacity``.
    """
    seen = DotCanvas(light(), None, lambda: (a, b))
    seen.resize(*(side - margin for side, margin in zip(size, BESIDE_PX, strict=True)))
    seen.show_matrix(len(a), len(b))
    if part is not None:
        seen.look_at(LetterRange(*part))
    seen.show_ramp(opacity)
    dots = FoundDots((a, b), only_unique(matches) if unique else matches, features_of((a, b), cancel), unique)
    return dots_picture(seen, dots, fine_tiles(DotTiles(index, unique=unique), seen.frame, cancel))


def seen_dots(session: DotsSession, canvas: DotCanvas) -> dict[str, object]:
    """Return the options of ``--view dots``; None: the usual one."""
    return {"unique": session.unique or None, "opacity": None if canvas.ramp == RAMP else canvas.ramp}


def dots_picture(seen: DotCanvas, session: DotsSession | FoundDots, tiles: DotTiles) -> Pictured:
    """Return the picture of what ``seen`` shows, without the pointer; ``tiles``: see ``fine_tiles``."""
    theme, letters = light(), session.letters or (None, None)
    canvas = DotCanvas(theme, None, lambda: letters, patient=True, finer=FINER)
    names = named(one for one in letters if one is not None)
    frame = picture_frame(seen.frame)
    size = even((round(frame.room.right() + BESIDE_PX[0]), round(frame.room.bottom() + BESIDE_PX[1])))
    title = f"{' – '.join(names)}: Dots"
    sheet = Sheet(theme, title, canvas, (dot_legend(theme),), size, sentence(session))
    canvas.show_matrix(frame.n, frame.m)
    canvas.show_dots(tiles, session.features)
    canvas.show_ramp(seen.ramp)
    sheet.fit((canvas.width() - round(frame.room.right()), canvas.height() - round(frame.room.bottom())), 0)
    canvas.show_frame(frame)
    if seen.frame.fits:
        canvas.fit()
        fit_map(sheet, canvas)
    return Pictured(sheet)
