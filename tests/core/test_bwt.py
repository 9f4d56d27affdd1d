"""The transform and its inverse beside sorted rotations and an independent library."""

import hashlib
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.core.pairs import random_letters
from tests.core.texts import HARD, check_every_column, check_transform, texts
from tests.depth import examples, one_of
from tests.oracles import bwt as oracle
from wavediff.core.base.errors import NotEnoughMemory
from wavediff.core.jobs.bwt import BwtJob, IndexJob, InverseBwtJob
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.kernels.bwt.inverse.invert import SINGLE_CHAIN_ROWS, InvalidTransform
from wavediff.core.kernels.bwt.sort import suffix_types
from wavediff.core.reading import read
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import CPU_METHODS, fibonacci, frozen

DATA = Path(__file__).parents[1] / "data"
METHODS = CPU_METHODS


def transform(text, method=BwtMethod.AUTO, **choices):
    return run_job(BwtJob(text=frozen(text), method=method, **choices))


def pydivsufsort(text):
    """The transform by libdivsufsort, which stores no ``$`` either and counts rows from 0."""
    library = pytest.importorskip("pydivsufsort")
    primary, last = library.bw_transform(np.frombuffer(text, np.uint8).copy())
    return last.tobytes(), int(primary)


def inverted(last, primary, threads=1):
    return run_job(InverseBwtJob(last=frozen(last), primary=primary, threads=threads)).text.tobytes()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", HARD)
def test_it_is_the_last_column_of_the_sorted_rotations(name, method):
    check_transform(HARD[name], partial(transform, method=method), inverted)


@examples(60)
@given(text=texts())
def test_all_ways_agree_and_the_inverse_is_the_text(text):
    wanted = oracle.suffix_order(text)
    last = bytes(text[i - 1] for i in wanted if i)
    for method in METHODS:
        result = transform(text, method, suffixes=True)
        assert (result.last.tobytes(), result.primary) == (last, wanted.index(0))
        assert result.suffixes.tolist() == wanted
    back = run_job(InverseBwtJob(last=frozen(last), primary=wanted.index(0), threads=2))
    assert back.text.tobytes() == text


SIZES = (*(SINGLE_CHAIN_ROWS + more for more in (-2, -1, 0, 1)), 65_535, 65_537, 200_003)


@pytest.mark.parametrize(("n", "n_letters"), one_of(5, SIZES, [1, 2, 4, 15, 16, 17, 256]))
def test_long_texts_agree_with_an_independent_library(n, n_letters):
    """Round the length from which chains are walked side by side, and the letters walked at once."""
    text = random_letters(np.random.default_rng(n), n, n_letters).tobytes()
    result = transform(text)  # which compares its inverse with the text
    assert (result.last.tobytes(), result.primary) == pydivsufsort(text)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "kind", ["one letter", "in turn", "Fibonacci", "repeat", "repeats with changes", "256 letters"]
)
def test_what_repeats_does_not_degenerate(kind, method):
    """A sort that compares letter by letter would take hours for these."""
    rng = np.random.default_rng(5)
    unit = random_letters(rng, 50_000, 4)
    changed = np.tile(unit, 6)
    changed[rng.integers(0, changed.size, 300)] = unit[:300]
    text = {
        "one letter": b"a" * 300_000,
        "in turn": b"ab" * 150_000,
        "Fibonacci": fibonacci(300_000),
        "repeat": np.tile(unit, 6).tobytes(),
        "repeats with changes": changed.tobytes(),
        "256 letters": bytes(range(256)) * 1200,
    }[kind]
    result = transform(text, method)
    assert (result.last.tobytes(), result.primary) == pydivsufsort(text)


def test_more_names_than_a_table_begins_with_and_lengths_that_no_digest_tells():
    """Some million different LMS substrings, counted in several pieces, and some of more than 65,535 letters."""
    runs = b"".join(b"b" + b"a" * size for size in (70_000, 70_000, 65_600, 70_001, 70_000))
    for text in (random_letters(np.random.default_rng(6), 3_300_000, 256).tobytes(), runs + b"ab" + runs):
        result = transform(text, BwtMethod.SAIS)
        assert (result.last.tobytes(), result.primary) == pydivsufsort(text)


@pytest.fixture
def long_from_1000(monkeypatch):
    """Positions have 64 bits in texts of more than 1,000 letters, as beyond 2^31 otherwise."""
    monkeypatch.setattr(suffix_types, "MAX_INT32_LETTERS", 1000)


@pytest.mark.usefixtures("long_from_1000")
@pytest.mark.parametrize("kind", ["random", "few letters", "Fibonacci", "runs", "one letter", "repeats"])
def test_texts_beyond_31_bits_are_sorted_and_inverted_by_the_same_kernels_in_64(kind):
    rng = np.random.default_rng(8)
    unit = random_letters(rng, 1500, 4)
    text = {
        "random": random_letters(rng, 20_000, 200).tobytes(),
        "few letters": random_letters(rng, 60_000, 3).tobytes(),
        "Fibonacci": fibonacci(12_000),
        "runs": (b"b" * 700 + b"a" * 900) * 9,
        "one letter": b"a" * 2_000,
        "repeats": np.tile(unit, 8).tobytes() + b"\0" + unit.tobytes(),
    }[kind]
    expected = pydivsufsort(text)
    order = [len(text), *pytest.importorskip("pydivsufsort").divsufsort(np.frombuffer(text, np.uint8).copy()).tolist()]
    for method, suffixes in ((BwtMethod.PACKED, False), (BwtMethod.SAIS, False), (BwtMethod.SAIS, True)):
        result = transform(text, method, suffixes=suffixes)
        assert (result.last.tobytes(), result.primary) == expected
        if result.suffixes is not None:
            assert result.suffixes.dtype == np.int64
            assert result.suffixes.tolist() == order
    back = run_job(InverseBwtJob(last=frozen(expected[0]), primary=expected[1], threads=2))
    assert back.text.tobytes() == text


@pytest.mark.usefixtures("long_from_1000")
def test_what_numbers_rows_in_31_bits_refuses_more_in_a_sentence():
    text = frozen(b"abracadabra" * 100)
    for job, what in (
        (BwtJob(text=text, method=BwtMethod.TERNARY), "the ternary transform"),
        (IndexJob(text=text), "the index"),
        (IndexJob(text=text, method=BwtMethod.TERNARY), "the index"),
    ):
        with pytest.raises(NotEnoughMemory, match=f"{what} of 1,100 letters: at most 1,000 can be sorted"):
            run_job(job)


@pytest.mark.parametrize("method", METHODS)
def test_the_known_answer_of_lambda(method):
    text = read(DATA / "lambda_NC_001416.1.fa").sequence(0).letters.tobytes()
    assert hashlib.md5(text).hexdigest() == "509bdb356475a21077713babc47a4a35"
    result = transform(text, method)
    assert (result.length, result.primary, result.n_runs) == (48_502, 32_686, 35_328)
    assert result.mean_run_length == pytest.approx(48_502 / 35_328)
    last, primary = pydivsufsort(text)
    assert hashlib.sha256(result.last.data).digest() == hashlib.sha256(last).digest()
    assert primary == 32_686


def dna(kind, n):
    rng = np.random.default_rng(n)
    text = random_letters(rng, n, 4)
    if kind == "repeats":  # exact ones after different letters, and one that goes on to the end
        for size in (31, 32, 40, 700, 5000):
            to = int(rng.integers(n - size))
            text[to : to + size] = text[:size].copy()
        text[-900:] = text[5000:5900].copy()
    elif kind == "the start comes again":
        text[n // 2 : n // 2 + 200] = text[:200].copy()
    elif kind == "smallest letters last":
        text[-40:] = 0
        text[100:140] = 0
    elif kind == "mostly one letter":
        text[rng.random(n) < 0.99] = 64
    elif kind == "tandem":
        text = np.tile(text[: n // 50], 50)
    return text.tobytes()


@pytest.mark.parametrize("n", [40_000, 150_001])
@pytest.mark.parametrize(
    "kind", ["random", "repeats", "the start comes again", "smallest letters last", "mostly one letter", "tandem"]
)
def test_words_of_31_letters(kind, n):
    """What 31 letters do not tell apart is looked up, or left to induced sorting; the answer is the same."""
    text = dna(kind, n)
    result = transform(text)
    assert (result.last.tobytes(), result.primary) == pydivsufsort(text)
    assert result.strategy == ("sais" if kind in ("mostly one letter", "tandem") else "packed")
    assert result.reason


@pytest.mark.parametrize(
    ("last", "primary"),
    [(b"ab", 0), (b"ab", 1), (b"aab", 1), (b"aaaa", 2), (b"ba" * 20_000, 7), (b"a" * 20_000, 3), (b"aa", 0)],
)
def test_a_column_of_no_text_is_refused(last, primary):
    with pytest.raises(InvalidTransform, match="the last column of no text"):
        run_job(InverseBwtJob(last=frozen(last), primary=primary))


def test_which_columns_have_a_text_is_known_exactly():
    check_every_column(5, inverted)


@pytest.mark.parametrize("text", [HARD["banana"], HARD["mississippi"], b"a" * 300, fibonacci(700)])
def test_the_levels_of_the_ternary_quicksort_are_those_of_yamanaka(text):
    """Each segment is parted by its pivot into less, equal and greater; what is left at the end is the order."""
    result = run_job(BwtJob(text=frozen(text), method=BwtMethod.TERNARY, levels=True, suffixes=True))
    before, todo = np.arange(len(text) + 1), {(0, len(text) + 1)}
    rank = {suffix: place for place, suffix in enumerate(oracle.suffix_order(text))}
    for level in result.levels:
        made = list(zip(level.starts.tolist(), level.ends.tolist(), strict=True))
        parted = {one for one in todo if any(one[0] <= start < one[1] for start, _ in made)}
        assert sum(end - start for start, end in made) == sum(end - start for start, end in parted)
        for start, end in [*parted, *(todo - parted)]:
            assert sorted(level.order[start:end]) == sorted(before[start:end])
        for x, (start, end) in enumerate(made):
            for suffix in level.order[start:end].tolist():
                at, pivot, part = suffix + int(level.depths[x]), int(level.pivots[x]), int(level.parts[x])
                if not level.by_rank:
                    key = text[at] if at < len(text) else -1
                    assert (key > pivot) - (key < pivot) == part - 1
                else:  # by the ranks as they were when the round began, the last of equal ones for all
                    assert (rank[at] > pivot) == (part == 2)
        todo = (todo - parted) | {(start, end) for start, end in made if end - start > 1}
        before = level.order
    assert all(end - start == 1 for start, end in todo)
    assert result.suffixes is not None
    if result.levels:
        assert result.levels[-1].order.tolist() == result.suffixes.tolist()
    assert len(result.levels) < 120
    with pytest.raises(ValueError, match="levels are those"):
        BwtJob(text=frozen(text), levels=True)
