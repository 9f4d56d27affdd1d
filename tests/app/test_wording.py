"""Texts of the window that say what is meant, in the words of the field: what is shown for what is known."""

from collections.abc import Callable

import pytest

from tests.app.alignments import sequence
from wavediff.app.bwt.bwt_session import BwtSession
from wavediff.app.compare.timings_model import COLUMNS, TimingsModel
from wavediff.app.race import race_session
from wavediff.app.ui import devices
from wavediff.app.ui.notices import Notice, Severity, error_text
from wavediff.app.ui.number_text import compiling_text
from wavediff.app.ui.pair import Pair
from wavediff.app.window.frame.options_popover import AMBIGUITY
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.registry import PICTURES
from wavediff.core.jobs.edit_result import SkipReason
from wavediff.core.jobs.events import KernelTiming, Progress
from wavediff.core.jobs.results import TieBreak
from wavediff.core.methods import method
from wavediff.core.methods.base import Ties
from wavediff.core.methods.wording import Edits, gaps_named
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import Alphabet

FIVE_GAPS = Edits(1, 5, 5, 0, 283)
MEANT: dict[str, tuple[Callable[[], object], object]] = {
    "skipped work": (
        lambda: [reason.text for reason in SkipReason],
        [
            "equal start or end",
            "the shorter lies inside the longer",
            "nothing in common",
            "not needed for the proof",
            "outside the band",
            "borders known beforehand",
        ],
    ),
    "gaps, fewest": (lambda: gaps_named(FIVE_GAPS, TieBreak(Ties.FEWEST_GAPS)), ["283 gaps"]),
    "gaps, fewest found": (lambda: gaps_named(FIVE_GAPS, TieBreak(Ties.FEWEST_GAPS, nearby=1)), ["283 gaps"]),
    "gaps, unrelated": (
        lambda: gaps_named(FIVE_GAPS, TieBreak(Ties.FEWEST_GAPS, unrelated=True)),
        ["283 gaps", "no more alike than shuffled letters"],
    ),
    "composition": (
        lambda: sequence("a b\tb\nc", alphabet=Alphabet.TEXT).composition,
        (("b", 2), ("tab", 1), ("line end", 1), ("space", 1), ("a", 1), ("c", 1)),
    ),
    "ambiguity": (lambda: AMBIGUITY.values[0].name, "Leave out N (X in proteins)"),
    "GPU": (lambda: {devices.NOT_ASKED, race_session.NOT_ASKED}, {"not checked yet"}),
    "pictures": (lambda: [kind.title for kind in PICTURES], ["PNG image", "SVG drawing", "PDF page"]),
    "a kernel that is waited for": (
        lambda: compiling_text(Progress(1, "compile verify", 0, 0, "steps")),
        "Compiling for the first use: check",
    ),
    "an option, by its control": (
        lambda: Notice(Severity.ERROR, "only the distance ('--traceback none') needs less").text,
        "only the distance (Traceback: None) needs less",
    ),
    "an option of a method": (
        lambda: error_text(WavediffError("the edit distance (--method edit) has no limit")),
        "the edit distance (Method: Edits) has no limit",
    ),
    "a value among words": (
        lambda: Notice(Severity.ERROR, "with free ends --band is auto or none").text,
        "with free ends Band is auto or none",
    ),
    "a kernel with a name": (
        lambda: compiling_text(Progress(1, "compile subsequence", 0, 0, "steps")),
        "Compiling for the first use: search for B inside A",
    ),
}


@pytest.mark.parametrize("what", MEANT)
def test_a_text_says_what_is_meant(what):
    shown, meant = MEANT[what]
    assert shown() == meant


def test_the_transform_says_what_its_button_does(qtbot):
    session = BwtSession(Pair(), lambda: True)
    assert session.status == "Press Transform to build the index (BWT)"
    assert session.close()


def test_timings_name_kernels_in_plain_words_and_no_speed_of_what_took_no_time(qtbot):
    model = TimingsModel()
    model.start(1, "cpu")
    for kernel, cells, seconds in (("encode", 0, 0.1), ("ties", 0, 0.1), ("subsequence", 0, 0.1), ("skipped", 5, 0.0)):
        model.apply(KernelTiming(1, kernel, "cpu", 1, cells, seconds, 0.0))
    model.flush()
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert names == ["letter encoding", "choice among equal paths", "search for B inside A", "skipped blocks"]
    assert model.index(3, COLUMNS.index("GCUPS")).data() == "–"
    assert "subsequence" in model.tsv(), "files have ids"


def test_a_score_counts_every_letter():
    a, b = sequence("ACGTACGTTAGACCATTAGA"), sequence("ACGTNNGTTAGACCATTAGA")
    affine = method("affine")
    result = run_job(affine.job(a, b, {}, fold_case=True))
    assert affine.headline(result, len(a), len(b)).startswith("Score ")
    assert "not counted" not in affine.headline(result, len(a), len(b))
