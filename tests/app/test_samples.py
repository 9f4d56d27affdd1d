"""The samples: what each is said to be, by the kernels."""

import pytest

from tests.core.screening.test_notices import notices
from wavediff.app.ui.samples import SAMPLES
from wavediff.core.jobs.read import ReadJob
from wavediff.core.methods import method
from wavediff.core.run.runner import run_job
from wavediff.core.screening.jobs import OrientJob
from wavediff.core.screening.notices import Offer
from wavediff.core.sequences.orientation import Orientation, Strand

EDITS = {"PhiX and its control": 5, "A turned circle": 15, "Human and orang-utan": 2_513, "kitten and sitting": 3}
TURNED = {"A turned circle": Offer(True, 2_000)}


def read(sample):
    a, b = (run_job(ReadJob(path=path)).sequence(0) for path in sample.paths)
    return a, b


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.title)
def test_a_sample_is_what_its_title_says(sample):
    a, b = read(sample)
    shown = b.oriented(sample.orientation)
    offers = [one.offer for one in notices(a, shown)]
    assert offers == ([TURNED[sample.title]] if sample.title in TURNED else []), "nothing else is to be mended"
    if sample.title in TURNED or sample.orientation.circular:
        strand = Strand.MINUS if sample.title in TURNED else None
        found = run_job(OrientJob(a=a.letters, b=b.letters, strand=strand, circular=True)).orientation
        assert sample.orientation in (Orientation(), found)
        shown = b.oriented(found)
    job = method("edit").job(a, shown, {}, fold_case=a.alphabet.folds_case)
    assert run_job(job).distance == EDITS[sample.title]
