"""The transform on a card, its inverse and the paper's quicksort, beside sorted rotations and the CPU."""

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given

from tests.core.pairs import random_letters
from tests.core.running import watched
from tests.core.test_bwt_job import spoilt_column
from tests.core.texts import HARD, check_every_column, check_transform, texts
from tests.depth import examples, one_of
from tests.oracles import bwt as oracle
from wavediff.core.base.errors import DeviceOutOfMemory, SelfCheckFailed
from wavediff.core.jobs.bwt import BwtJob, InverseBwtJob
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Step, StepDone
from wavediff.core.kernels.bwt.inverse.invert import InvalidTransform
from wavediff.core.run.runner import run_job
from wavediff.gpu.bwt import bwt_launches as steps_of
from wavediff.gpu.bwt import inverse, run, sync_set_sort
from wavediff.gpu.bwt.bwt_launches import LaunchQueue
from wavediff.gpu.bwt.sync_set_sort import shape_of
from wavediff.tests.bench.letters import fibonacci, frozen


def transform(card, text, **choices):
    return watched(run.run_on(card, BwtJob(text=frozen(text), **choices)))[1]


def inverted(card, last, primary):
    return watched(inverse.run_on(card, InverseBwtJob(last=frozen(last), primary=primary)))[1].text.tobytes()


def check_as_on_the_cpu(card, text, suffixes=True):
    cpu = run_job(BwtJob(text=frozen(text), suffixes=suffixes), device=Device.CPU)
    result = transform(card, text, suffixes=suffixes)
    assert (result.last.tobytes(), result.primary, result.n_runs) == (cpu.last.tobytes(), cpu.primary, cpu.n_runs)
    assert not suffixes or np.array_equal(result.suffixes, cpu.suffixes)


@pytest.mark.parametrize("name", one_of(2, HARD))
def test_it_is_the_last_column_of_the_sorted_rotations(card, name):
    result = check_transform(HARD[name], partial(transform, card), partial(inverted, card))
    assert result.device == "gpu"


@examples(20, HealthCheck.function_scoped_fixture)
@given(text=texts())
def test_it_agrees_with_sorted_suffixes(card, text):
    wanted = oracle.suffix_order(text)
    last = bytes(text[i - 1] for i in wanted if i)
    result = transform(card, text, suffixes=True)
    assert (result.last.tobytes(), result.primary) == (last, wanted.index(0))
    assert result.suffixes.tolist() == wanted


def hard_text(kind, n):
    rng = np.random.default_rng(5)
    unit = random_letters(rng, n // 6, 4)
    changed = np.tile(unit, 6)
    changed[rng.integers(0, changed.size, n // 1000)] = unit[: n // 1000]
    return {
        "DNA": lambda: random_letters(rng, n, 4).tobytes(),
        "protein": lambda: random_letters(rng, n, 20).tobytes(),
        "bytes": lambda: random_letters(rng, n, 256).tobytes(),
        "in turn": lambda: b"ab" * (n // 2),
        "Fibonacci": lambda: fibonacci(n),
        "repeat": lambda: np.tile(unit, 6).tobytes(),
        "repeats with changes": changed.tobytes,
        "256 letters": lambda: bytes(range(256)) * (n // 256),
        "one letter and another": lambda: b"a" * (n - 1) + b"b",
        "mostly one letter": lambda: np.where(rng.random(n) < 0.99, 64, 65).astype(np.uint8).tobytes(),
    }[kind]()


KINDS = ("DNA", "protein", "bytes", "in turn", "Fibonacci", "repeat", "repeats with changes", "256 letters",
         "one letter and another", "mostly one letter")  # fmt: skip


@pytest.mark.parametrize("kind", one_of(2, KINDS))
def test_long_texts_agree_with_the_cpu(card, kind):
    """Where a sort that compares letter by letter would degenerate too."""
    check_as_on_the_cpu(card, hard_text(kind, 10_000))


SIZES = ((2, 4), (31, 4), (63, 4), (64, 12), (65, 4), (65, 27), (150, 50), (33, 100))


@pytest.mark.parametrize(("size", "few"), one_of(3, SIZES, [0, 1 << 21]))
def test_groups_of_every_size_are_told_apart(card, monkeypatch, size, few):
    """Those of up to 64 samples are sorted by counting, the others together, and up to 1,024 in short lists."""
    copies, n_letters = size
    monkeypatch.setattr(sync_set_sort, "FEW_ITEMS", few)
    rng = np.random.default_rng(copies)
    unit = random_letters(rng, 90, n_letters)
    text = np.concatenate([np.append(unit, random_letters(rng, 9, n_letters)) for _ in range(copies)]).tobytes()
    result = transform(card, text, suffixes=True)
    assert result.suffixes.tolist() == oracle.suffix_order(text)


@pytest.mark.parametrize(
    ("kind", "most", "checked"),
    one_of(5, ["Fibonacci", "repeats with changes", "in turn", "mostly one letter"], [1, 5], [0, 1 << 22]),
)
def test_lists_are_made_anew_whenever_that_is(card, monkeypatch, kind, most, checked):
    """With nearly all groups large ones; asked after each round or after some."""
    for name, value in {"FEW_ITEMS": 0, "SMALL_GROUP_ITEMS": most, "MIN_CHECKED_ITEMS": checked}.items():
        monkeypatch.setattr(sync_set_sort, name, value)
    check_as_on_the_cpu(card, hard_text(kind, 4_000))


@pytest.mark.gpu
@pytest.mark.parametrize("kind", KINDS)
def test_millions_of_letters_agree_with_the_cpu(cuda_card, kind):
    if cuda_card.free() < 1 << 30:
        pytest.skip("other programs have the memory of the card")
    check_as_on_the_cpu(cuda_card, hard_text(kind, 3_000_000), suffixes=False)


def test_which_columns_have_a_text_is_known_exactly(card):
    check_every_column(4, partial(inverted, card))


@pytest.mark.parametrize(("last", "primary"), [(b"ba" * 20_000, 7), (b"a" * 20_000, 3)])
def test_a_long_column_of_no_text_is_refused(card, last, primary):
    with pytest.raises(InvalidTransform, match="the last column of no text"):
        inverted(card, last, primary)


@pytest.mark.parametrize(("spacing", "most"), one_of(2, [1, 2, 31, 128, 10_000], [1, 7, 1 << 13]))
def test_chains_of_any_length_go_on_where_a_launch_stopped(card, spacing, most):
    text = random_letters(np.random.default_rng(spacing), 700, 5).tobytes()
    last, primary = oracle.bwt(text)
    steps = LaunchQueue(card, Step(1), "inverse")
    back = watched(inverse.invert_on_card(steps, card.upload(frozen(last)), primary, spacing, most))[1]
    assert card.download(back).tobytes() == text


@pytest.mark.parametrize(("n", "n_letters"), [(4095, 255), (4096, 1), (4096, 256), (4097, 2), (8193, 256)])
def test_columns_round_the_edges_of_a_tile(card, n, n_letters):
    text = random_letters(np.random.default_rng(n), n, n_letters).tobytes()
    check_as_on_the_cpu(card, text, suffixes=False)
    result = transform(card, text)
    assert inverted(card, result.last, result.primary) == text


@pytest.mark.parametrize("kind", ["DNA", "repeats with changes", "256 letters"])
def test_long_arrays_take_several_launches(card, monkeypatch, kind):
    """None is longer for a text of a thousand million letters."""
    monkeypatch.setattr(steps_of, "LAUNCH_ITEMS", 1 << 10)
    check_as_on_the_cpu(card, hard_text(kind, 9_000))


def test_nothing_is_under_way_when_an_event_is_told(card, monkeypatch):
    """A job may end at any event, and what it held goes to others then."""
    made = []
    init = LaunchQueue.__init__

    def noted(self, *arguments):
        init(self, *arguments)
        made.append(self)

    monkeypatch.setattr(LaunchQueue, "__init__", noted)
    for _ in run.run_on(card, BwtJob(text=frozen(hard_text("repeats with changes", 6_000)))):
        assert not made[0].waiting


def test_launches_are_cut_where_blocks_of_threads_end():
    n = 5 * steps_of.LAUNCH_ITEMS + 3
    cut = steps_of.spans(n)
    assert len(cut) == 6
    assert cut[0][0] == 0
    assert cut[-1][1] == n
    assert all(end == then for (_, end), (then, _) in itertools.pairwise(cut))
    assert all(end - first <= steps_of.LAUNCH_ITEMS and first % steps_of.BLOCK_THREADS == 0 for first, end in cut)
    assert {end - first for first, end in steps_of.spans(1 << 30, 100, 1)[:-1]} == {steps_of.LAUNCH_ITEMS // 100}
    assert steps_of.spans(0) == []


@pytest.mark.parametrize("wrong", ["a letter", "the row", "two letters swapped"])
def test_a_result_that_contradicts_itself_is_never_returned(card, monkeypatch, wrong):
    real = run.sort

    def spoilt(steps, job, text, letters):
        found = yield from real(steps, job, text, letters)
        last, primary = spoilt_column(card.download(found.last), found.primary, wrong)
        return run.SortResult(card.upload(last), primary, "spoilt", "")

    monkeypatch.setattr(run, "sort", spoilt)
    for text in (b"abracadabra" * 20, fibonacci(3_000)):
        with pytest.raises(SelfCheckFailed, match="discarded"):
            transform(card, text)


def test_what_does_not_fit_is_refused_before_anything_is_allocated(card, monkeypatch):
    """The runner then takes the CPU."""
    text = frozen(b"banana" * 1000)
    monkeypatch.setattr(card, "free", lambda: 10_000)
    with pytest.raises(DeviceOutOfMemory, match=r"of 6,000 letters needs .* GiB on .*, 0\.00 GiB are free"):
        transform(card, text.tobytes())
    with pytest.raises(DeviceOutOfMemory, match=r"the inverse of 6,000 letters needs"):
        watched(inverse.run_on(card, InverseBwtJob(last=text, primary=0)))


def test_every_part_is_told_with_its_time(card):
    events, result = watched(run.run_on(card, BwtJob(text=frozen(hard_text("repeats with changes", 6000)))))
    seconds = {}
    for event in events:
        if isinstance(event, StepDone):
            seconds[event.kernel] = seconds.get(event.kernel, 0.0) + event.seconds
    parts = ["upload", "pack", "sample", "name", "double", "spread", "sort", "last column", "verify", "download"]
    assert list(seconds) == parts
    assert sum(seconds.values()) == pytest.approx(result.kernel_seconds)
    assert seconds["verify"] == pytest.approx(result.check_seconds)


def test_how_a_text_is_cut_holds_what_the_order_rests_on():
    for n_letters in range(2, 257):
        shape = shape_of(n_letters)
        assert n_letters <= 1 << shape.bits
        assert shape.bits * shape.names <= 64, n_letters
        assert shape.letters == shape.names - 1, n_letters
        assert shape.inner >= 1, n_letters
        assert shape.reach >= 1, n_letters
        # A key says which sample is next, and what two samples share of a name has the next sample in it.
        assert shape.inner + 2 * shape.reach - 1 <= shape.letters, n_letters
        assert shape.inner + 2 * shape.reach <= shape.names, n_letters
