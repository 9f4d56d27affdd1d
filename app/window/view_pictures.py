"""The pictures of a comparison that the command line writes, by the part that they show."""

from __future__ import annotations

from app.compare.band_picture import band_picture, band_runs
from app.compare.differences_picture import differences_picture
from app.compare.letters_picture import COLOURS, letters_of, letters_picture
from app.compare.run_picture import run_picture
from app.ui.comparison import Comparison
from app.ui.picture_sheet import Pictured
from app.window.cells_picture import cells_picture
from core.jobs.cancel import CancelToken
from core.jobs.choices import View
from core.jobs.events import Recorded


def view_picture(
    view: View,
    outcome: Comparison,
    recorded: Recorded,
    cancel: CancelToken,
    *,
    moves: bool,
    at: str = "1",
    colours: str = "differences",
    unit: str | None = None,
    step: int | None = None,
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of one part of a comparison, and its film where it moves.

    Args:
        recorded: its run. moves: a film is wanted. size: pixels; None: as suits it.
        at, colours: of letters, as typed. unit, step: of cells.

    Raises:
        WavediffError: there is no such part of this comparison.
    """
    recipe, answer = outcome.recipe, outcome.told
    match view:
        case View.LETTERS:
            model = letters_of(outcome)
            return letters_picture(model, recipe, answer, at=at, colours=COLOURS[colours], size=size)
        case View.DIFFERENCES:
            return differences_picture(letters_of(outcome), recipe, answer, size=size)
        case View.BAND:
            return band_picture(outcome, band_runs(outcome, cancel, widening=moves), recipe, size)
        case View.CELLS:
            return cells_picture(outcome, unit=unit, step=step, moves=moves, size=size)
    return run_picture(outcome, recorded, answer, size)
