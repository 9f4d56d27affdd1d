"""A run as a picture or a film: the map of the computation with its axes, its legend, a clock and the answer."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from wavediff.app.compare.computation_facts import computed_text
from wavediff.app.ui.block_map.alignment_path import MatrixPath
from wavediff.app.ui.block_map.block_map import BlockMapModel
from wavediff.app.ui.block_map.block_map_canvas import BlockMapCanvas
from wavediff.app.ui.block_map.map_axes import TOP_PX, left_room, paint_axes
from wavediff.app.ui.block_map.map_legend import MapLegend
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.picture_sheet import END_MS, Moments, Pictured, Sheet, even, light, pair_title
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import duration
from wavediff.core.export.recipe import Recipe
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import Recorded

SIZE = (780, 880)  # pixels
LEAST_WIDTH_PX = 560  # of the picture of a small matrix, so that its title and legend have room
N_FRAMES, FRAME_MS = 80, 100  # of a film: as long as a replay at normal speed


class MapWithAxes(QWidget):
    """The whole matrix, as large a square as there is room for, with positions beside it."""

    def __init__(self, model: BlockMapModel, outcome: Comparison | None, theme: Theme) -> None:
        super().__init__()
        self._model, self._outcome, self._theme = model, outcome, theme
        self.canvas = BlockMapCanvas(model, theme, self)

    def show_model(self, model: BlockMapModel) -> None:
        """Show another run over the same matrix."""
        self._model = model
        self.canvas.show_model(model)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        left = left_room(self._model.n, QFontMetricsF(self._theme.small_font))
        self.canvas.setGeometry(left, TOP_PX, max(1, self.width() - left), max(1, self.height() - TOP_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._model.n_cells:
            a, b = (None, None) if self._outcome is None else (self._outcome.a, self._outcome.b)
            paint_axes(painter, self.canvas.frame, QPointF(self.canvas.pos()), self._theme, a, b)


def run_picture(
    outcome: Comparison,
    recorded: Recorded,
    answer: str,
    *,
    moment: float = 1.0,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of a run that was recorded, and its film.

    Args:
        answer: stands below. moment: that the picture shows, a share of the run's time. size: pixels; None:
            no more than the map needs.
    """
    model = BlockMapModel.of(len(outcome.a), len(outcome.b), *recorded.attempts, recorded)
    return _pictured(model, outcome, run_title(outcome), answer, outcome.recipe, size, moment)


def run_title(outcome: Comparison) -> str:
    return pair_title(outcome, outcome.method.long_name)


def shown_picture(
    model: BlockMapModel, outcome: Comparison | None, title: str, answer: str, *, share: float = 1.0
) -> Pictured:
    """Return the same of a run that a map shows, which stays as it is.

    Args:
        outcome: whose path the map shows; None where the letters are not there. share: 0 to 1, how far it is replayed.
    """
    copy = BlockMapModel.of(model.n, model.m, *model.told)
    if model.colours is not None:
        copy.colour_by(model.colours.by)
    return _pictured(copy, outcome, title, answer, None, None, share)


def _pictured(
    model: BlockMapModel,
    outcome: Comparison | None,
    title: str,
    answer: str,
    recipe: Recipe | None,
    size: tuple[int, int] | None,
    share: float = 1.0,
) -> Pictured:
    theme = light()
    board, legend = MapWithAxes(model, outcome, theme), MapLegend(theme)
    alignment = None if outcome is None else outcome.result.alignment
    path = None if alignment is None else MatrixPath.of(alignment)
    sheet = Sheet(theme, title, board, (legend,), even(size or SIZE))
    total = model.recorded_seconds

    def show(step: int) -> None:
        at_end = step >= N_FRAMES or model.playback is None
        model.show_moment(None if at_end else step / N_FRAMES)
        board.canvas.show_path(path if at_end else None)
        legend.show_map(model, board.canvas.frame.scale, has_path=at_end and path is not None, ended=at_end)
        clock = f"{duration(total * step / N_FRAMES)} of {duration(total)}"
        how = computed_text(model, outcome)
        sheet.text.setText("\n".join((answer, " · ".join(filter(None, (clock if total else "", how))))))

    show(N_FRAMES)
    if size is None:
        fit_map(sheet, board)
    seen = round(share * N_FRAMES)
    show(seen)
    moments = Moments(show, (*[FRAME_MS] * N_FRAMES, END_MS)) if model.playback is not None else None
    moment = {"moment": f"{round(100 * seen / N_FRAMES)}%"} if seen < N_FRAMES and model.playback is not None else {}
    return Pictured(sheet, recipe, moments, [theme, model], {"view": str(View.MAP), **moment})


def fit_map(sheet: Sheet, board: MapWithAxes) -> None:
    """Make a sheet no larger than its map needs."""
    sheet.settle()
    canvas = board.canvas
    matrix = canvas.frame.box(canvas.frame.matrix)
    wide = max(LEAST_WIDTH_PX, sheet.width() - canvas.width() + ceil(matrix.width()) + 1)
    sheet.resize(even((wide + 1, sheet.height() - canvas.height() + ceil(matrix.height()) + 2)))
    sheet.settle()
