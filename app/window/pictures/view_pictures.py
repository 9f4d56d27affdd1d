"""The pictures of a comparison that the command line writes, by the part that they show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wavediff.app.compare.band_picture import band_picture, band_runs
from wavediff.app.compare.differences_order import Listing
from wavediff.app.compare.differences_picture import differences_picture
from wavediff.app.compare.letters_picture import COLOURS, letters_of, letters_picture
from wavediff.app.compare.run_picture import run_picture
from wavediff.app.ui.comparison import Comparison
from wavediff.app.ui.picture_sheet import Pictured
from wavediff.app.window.pictures.cells_picture import cells_picture
from wavediff.app.window.pictures.table_pictures import FiguresOfRun, figures_picture
from wavediff.core.base.errors import WavediffError
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import KernelTiming, Recorded


def view_picture(
    view: View,
    outcome: Comparison,
    recorded: Recorded,
    timings: Iterable[KernelTiming],
    cancel: CancelToken,
    *,
    moves: bool,
    asked: Mapping[str, str],
    size: tuple[int, int] | None = None,
) -> Pictured:
    """Return the picture of one part of a comparison, and its film where it moves.

    Args:
        recorded, timings: its run. moves: a film is wanted. size: pixels; None: as suits it.
        asked: options that say which part of the view is seen, as typed; only those of this view.

    Raises:
        WavediffError: there is no such part of this comparison.
    """
    try:
        return _picture(view, outcome, recorded, timings, cancel, moves, asked, size)
    except ValueError as error:
        raise WavediffError(f"--view {view}: {error}") from error


def _picture(
    view: View,
    outcome: Comparison,
    recorded: Recorded,
    timings: Iterable[KernelTiming],
    cancel: CancelToken,
    moves: bool,
    asked: Mapping[str, str],
    size: tuple[int, int] | None,
) -> Pictured:
    recipe, answer = outcome.recipe, outcome.told
    match view:
        case View.LETTERS:
            colours = COLOURS[asked.get("colours", "differences")]
            at = asked.get("at", "1")
            return letters_picture(letters_of(outcome), recipe, answer, at=at, colours=colours, size=size)
        case View.DIFFERENCES:
            return differences_picture(letters_of(outcome), recipe, answer, asked=Listing.of(asked), size=size)
        case View.BAND:
            return band_picture(outcome, band_runs(outcome, cancel, widening=moves), recipe, size)
        case View.CELLS | View.WORDS:
            return cells_picture(outcome, view, recorded, cancel, **asked, moves=moves, size=size)
        case View.MAP:
            return run_picture(outcome, recorded, answer, **asked, size=size)
    return figures_picture(view, FiguresOfRun.of(outcome, recorded, timings), outcome, recipe, size)
