"""Samples of a run on a card see what is wrong, and the CPU repeats the job."""

import pytest
from rapidfuzz.distance import LCSseq

from tests.gpu import fake_cupy
from tests.gpu.spot_checking import letters, samples
from wavediff.core.base.errors import SelfCheckFailed
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import NoticeRaised, Step
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run.runner import run_job
from wavediff.gpu.card import current_card
from wavediff.gpu.pairwise.lcs.kawanami import KawanamiMatrix, Strings
from wavediff.gpu.pairwise.strips.staggered import StaggeredRows
from wavediff.gpu.pairwise.strips.strip_layout import DeltaBits, TileSpacing
from wavediff.gpu.pairwise.strips.strip_matrix import StripMatrix


class Broken:
    """A card whose borders are spoiled after each launch of the matrix."""

    def __init__(self, card, spoil):
        self._card, self._spoil = card, spoil
        self.matrix = None

    def __getattr__(self, name):
        return getattr(self._card, name)

    def launch(self, kernel, blocks, threads, shared, *arguments, **watched):
        seconds = self._card.launch(kernel, blocks, threads, shared, *arguments, **watched)
        if self.matrix is not None and len(arguments) == 1:
            self._spoil(self.matrix)
        return seconds


def spoil_mail(matrix):
    """What every strip hands down at the fourth column of a group."""
    matrix.mail[:] ^= 1 << 4


def spoil_rows(matrix):
    matrix.kept_v[:] ^= 1 << 9


def spoil_borders(matrix):
    matrix.kept_h[:] ^= 1


@pytest.mark.parametrize("delta_bits", DeltaBits)
@pytest.mark.parametrize("spoil", [spoil_mail, spoil_rows, spoil_borders])
def test_a_border_that_is_wrong_is_found(card, always_sampled, delta_bits, spoil):
    broken = Broken(card, spoil)
    tiles = None if spoil is spoil_mail else TileSpacing(16, 8)
    matrix = broken.matrix = StripMatrix(
        broken, [(letters(1, 3000), letters(2, 900))], StaggeredRows(4, 1), delta_bits, tiles=tiles, slice_seconds=60.0
    )  # one launch: what is spoiled twice is as it was
    with pytest.raises(
        SelfCheckFailed, match=r"rows .* and columns .*, computed again on the CPU, come out differently"
    ):
        list(matrix.compute(Step(1)))


class Misread:
    """A card whose other queue brings something else from the mailboxes."""

    def __init__(self, card):
        self._card = card

    def __getattr__(self, name):
        return getattr(self._card, name)

    def sibling(self):
        return Misread(self._card)

    def download(self, array):
        return self._card.download(array) ^ (1 << 4)


@pytest.mark.parametrize("delta_bits", DeltaBits)
def test_the_sample_beside_the_launches_sees_what_is_wrong(card, no_samples, delta_bits):
    matrix = StripMatrix(card, [(letters(1, 3000), letters(2, 900))], StaggeredRows(4, 1), delta_bits)
    sibling, card_of_matrix = Misread(card), matrix.card
    matrix.card = type(
        "Sibling", (), {"__getattr__": lambda _, name: getattr(card_of_matrix, name), "sibling": lambda _: sibling}
    )()
    with pytest.raises(SelfCheckFailed, match="come out differently"):
        samples(matrix)


def test_a_block_of_kawanami_that_is_wrong_is_found(card, always_sampled, monkeypatch):
    matrix = KawanamiMatrix(Strings(card, letters(1, 2048), letters(2, 3000), 4))
    launch_each = card.launch_each

    def spoil(*arguments):
        seconds = launch_each(*arguments)
        if matrix.carries is not None:  # that is, after its blocks
            matrix.carries[:] ^= 8
        return seconds

    monkeypatch.setattr(card, "launch_each", spoil)
    with pytest.raises(SelfCheckFailed, match="come out differently"):
        samples(matrix)


def test_the_cpu_repeats_a_job_whose_sample_differs_and_the_card_rests(host_card, always_sampled, monkeypatch):
    """From the border to the notice: nothing that a card got wrong is ever shown."""
    fake_cupy.install(monkeypatch)
    a, b = letters(1, 3000), letters(2, 900)
    spoiled = []

    class Spoiling(Broken):
        def launch(self, kernel, blocks, threads, shared, *arguments, **watched):
            seconds = self._card.launch(kernel, blocks, threads, shared, *arguments, **watched)
            for matrix in made:
                if len(arguments) == 1:
                    spoil_mail(matrix)
                    spoiled.append(matrix)
            return seconds

    made = []
    begin = StripMatrix.__init__

    def note(self, *args, **more):
        begin(self, *args, **more)
        made.append(self)

    monkeypatch.setattr(StripMatrix, "__init__", note)
    monkeypatch.setattr(current_card, "card", lambda: Spoiling(host_card, spoil_mail))
    events = []
    result = run_job(LcsJob(a=a, b=b, strategy=Strategy.FULL), device=Device.GPU, report=events.append)
    assert spoiled
    assert (result.device, result.length) == ("cpu", LCSseq.similarity(a.tobytes(), b.tobytes()))
    (notice,) = (one.text for one in events if isinstance(one, NoticeRaised))
    assert "it computed a wrong result: rows " in notice
    assert "is not used again until the program is restarted" in notice
    assert "come out differently" in (current_card.obstacle() or "")
