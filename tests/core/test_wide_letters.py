"""Texts of any number of characters: compared, searched and written by characters, never by their bytes."""

import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein

from tests.depth import examples
from tests.oracles import edit, free_ends, lcs, swap_edit
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.fasta import fasta
from wavediff.core.export.json import about
from wavediff.core.export.tsv import tsv
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.choices import Pairing
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import EDIT, BandMode
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LCS, Strategy
from wavediff.core.methods.swap import SWAP
from wavediff.core.reading import parse
from wavediff.core.reading.load import comparable_pools, with_common_characters
from wavediff.core.run.runner import run_job
from wavediff.core.sequences import common_characters
from wavediff.core.sequences.characters import FIRST_CODE, decoded, folding_of
from wavediff.core.sequences.common_characters import narrowed
from wavediff.core.sequences.read_as import ReadAs

CASE = Path(__file__).parents[1] / "data" / "many_characters"
# What a text may hold: all but NUL, which the reader refuses, and surrogates, which UTF-8 cannot hold.
POINTS = [*range(1, 0xD800), *range(0xE000, sys.maxunicode + 1)]
MANY = 300  # characters in both texts: more than there are bytes
ORACLES = {EDIT: edit.distance, LCS: lcs.length, SWAP: lambda a, b: int(swap_edit.table(a, b)[-1, -1])}
PEERS = {EDIT: Levenshtein.distance, LCS: LCSseq.similarity, SWAP: DamerauLevenshtein.distance}  # for long ones


def pair_of(a, b):
    both = (parse(one.encode(), read_as=ReadAs.TEXT).sequence(0) for one in (a, b))
    return common_characters.with_common_characters(*both)


def changed(rng, a, edits, letters):
    b = list(a)
    for _ in range(edits):
        at, kind = rng.randrange(len(b) + 1), rng.randrange(4)
        if kind == 0:
            b.insert(at, rng.choice(letters))
        elif kind == 1:
            del b[at : at + 1]
        elif kind == 2:
            b[at : at + 1] = rng.choice(letters)
        else:
            b[at : at + 2] = b[at : at + 2][::-1]
    return "".join(b)


@st.composite
def texts(draw):
    """Two texts of random Unicode, of few characters, of as many as have codes of one byte, or of more."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    letters = [chr(one) for one in rng.sample(POINTS, draw(st.sampled_from([3, 60, 200, MANY])))]
    a = "".join(rng.sample(letters, len(letters)) + rng.choices(letters, k=draw(st.sampled_from([0, 40]))))
    return a, changed(rng, a, draw(st.sampled_from([0, 1, 6, 60])), letters)


def replayed(result, a, b):
    """Return the edits of an alignment, whose equal columns are of equal characters and no others."""
    i = j = edits = 0
    for op, n in zip(result.alignment.ops.tolist(), result.alignment.lengths.tolist(), strict=True):
        sign = LETTER[op]
        for _ in range(n):
            assert sign not in "=X" or (a[i] == b[j]) == (sign == "=")
            i, j, edits = i + (sign != "I"), j + (sign != "D"), edits + (sign != "=")
    assert (i, j) == (len(a), len(b))
    return edits


@pytest.mark.parametrize("method", ORACLES)
@given(both=texts())
@examples(60)
def test_bug_f2_random_unicode_has_the_value_of_the_textbook(method, both):
    a, b = both
    pair = pair_of(a, b)
    assert tuple(decoded(one.letters, one.characters) for one in pair) == both
    result = run_job(method.job(*pair, {}, fold_case=False, threads=1))
    assert method.value(result) == ORACLES[method](a, b)
    edits = replayed(result, a, b)
    if method is EDIT:
        assert edits == result.distance
    elif method is LCS:
        assert edits >= len(a) + len(b) - 2 * result.length >= 0


FULL = {"edit": {"band": BandMode.NONE, "block_rows": 512}, "lcs": {"strategy": Strategy.FULL, "block_rows": 512}}
WAYS = [
    pytest.param(EDIT, {}, id="edit"),
    pytest.param(EDIT, FULL["edit"], id="edit full"),
    pytest.param(EDIT, {"band": BandMode.SUDO}, id="edit band", marks=pytest.mark.thorough),
    pytest.param(EDIT, {"path": TracebackMethod.NONE}, id="edit number"),
    pytest.param(LCS, {}, id="lcs"),
    pytest.param(LCS, FULL["lcs"], id="lcs full", marks=pytest.mark.thorough),
    pytest.param(LCS, {"strategy": Strategy.BAND}, id="lcs band", marks=pytest.mark.thorough),
    pytest.param(LCS, {"path": TracebackMethod.HIRSCHBERG}, id="lcs hirschberg", marks=pytest.mark.thorough),
    pytest.param(SWAP, {}, id="swap"),
]


@pytest.mark.parametrize("edits", [3, 900])
@pytest.mark.parametrize(("method", "choices"), WAYS)
def test_every_strategy_takes_more_characters_than_bytes(method, choices, edits):
    rng = random.Random(edits)
    letters = [chr(0x4E00 + k) for k in range(1200)]
    a = "".join(rng.sample(letters, 1200))
    b = changed(rng, a, edits, letters)
    job = replace(method.job(*pair_of(a, b), {}, fold_case=False, threads=2), **choices)
    assert job.a.dtype == job.b.dtype == np.uint16
    result = run_job(job)
    assert method.value(result) == PEERS[method](a, b)
    if job.path is not TracebackMethod.NONE:
        replayed(result, a, b)


def test_more_characters_than_two_bytes_count_are_compared():
    points = POINTS[200 : 200 + 66_000]
    a = "".join(map(chr, points))
    b = a[:30_000] + "x" + a[30_003:]
    pair = pair_of(a, b)
    assert pair[0].letters.dtype == np.uint32
    assert tuple(decoded(one.letters, one.characters) for one in pair) == (a, b)
    result = run_job(EDIT.job(*pair, {}, fold_case=False))
    assert (result.distance, replayed(result, a, b)) == (3, 3)


@pytest.mark.parametrize("fold_case", [False, True])
@given(seed=st.integers(0, 2**32 - 1), n=st.sampled_from([1, 100, 225, 232, 252, 255, 400]))
@examples(60)
def test_letters_are_bytes_wherever_that_changes_nothing(seed, n, fold_case):
    """Two letters are equal as bytes just where they are equal as wide codes, also to a kernel that folds ASCII."""
    rng = np.random.default_rng(seed)
    wide = np.concatenate([rng.integers(1, FIRST_CODE, rng.integers(30)), FIRST_CODE + rng.permutation(2 * n)[:n]])
    one, other = (rng.choice(wide, 2 * n).astype(np.uint16) for _ in range(2))
    folded = folding_of(fold_case, one.astype(np.uint8))  # texts of a job are folded
    one, other = (np.where(each < 128, folded[np.minimum(each, 127)], each).astype(np.uint16) for each in (one, other))
    a, b = narrowed(one, other, fold_case)
    assert a.dtype == b.dtype
    shared = np.intersect1d(one[one >= FIRST_CODE], other[other >= FIRST_CODE]).size
    if shared <= 100:
        assert a.dtype == np.uint8
    if a.dtype == np.uint8:
        table = folding_of(fold_case, a)
        a, b = table[a], table[b]
    assert np.array_equal(a[:, None] == b[None], one[:, None] == other[None])


def test_bug_f2_four_hundred_chinese_characters_have_six_edits():
    a, b = ((CASE / name).read_text().removesuffix("\n") for name in ("a.txt", "b.txt"))
    pair = pair_of(a, b)
    assert [len(one) for one in pair] == [400, 398]
    assert all("byte" not in notice for one in pair for notice in one.notices)
    result = run_job(EDIT.job(*pair, {}, fold_case=False))
    assert (result.distance, replayed(result, a, b)) == (6, 6)
    found = Comparison(*pair, EDIT, False, 1, result)
    rows = [line.split("\t") for line in b"".join(tsv(found)).decode().splitlines()[1:]]
    assert all(len(letter) <= 3 and "\\x" not in letter for row in rows for letter in row[-2:])
    lines = b"".join(fasta(found)).decode().split(">")[1:]
    gapped = ["".join(one.splitlines()[1:]) for one in lines]
    assert [one.replace("-", "") for one in gapped] == [a, b]
    assert sum(x != y for x, y in zip(*gapped, strict=True)) == 6
    assert about(pair[0])["length"] == 400


def test_several_gaps_of_a_subsequence_are_put_in_place():
    """The shorter text is no part of the longer one in one piece: looking for it must end."""
    a = "".join(chr(0x4E00 + k % 400) for k in range(1500))
    b = "".join(letter for k, letter in enumerate(a) if k % 9 or not 9 < k < 900)
    result = run_job(EDIT.job(*pair_of(a, b), {}, fold_case=False, threads=1))
    assert result.distance == replayed(result, a, b) == len(a) - len(b)


@pytest.mark.parametrize("method", [EDIT, LCS, SWAP])
def test_batches_take_more_characters_than_bytes(method):
    rng = random.Random(4)
    letters = [chr(0x4E00 + k) for k in range(500)]
    a = "".join(letters)
    b = changed(rng, a, 60, letters)
    loads = with_common_characters(*(parse(one.encode(), read_as=ReadAs.TEXT) for one in (a, b)))
    pools = comparable_pools(*loads, False)
    for pairs in Pairing:
        result = run_job(BatchJob(a=pools[0], b=pools[1], pairs=pairs, method=method))
        assert result.values.reshape(-1).tolist() == [PEERS[method](a, b)]


def test_batches_fold_letters_beyond_ascii():
    loads = with_common_characters(*(parse(one.encode(), read_as=ReadAs.TEXT) for one in ("köln, élan", "KÖLN, ÉLAN")))
    for fold_case, want in ((True, 0), (False, 8)):
        pools = comparable_pools(*loads, fold_case)
        assert run_job(BatchJob(a=pools[0], b=pools[1], fold_case=fold_case)).values.tolist() == [[want]]


@pytest.mark.parametrize("ends", [Ends.A, Ends.B, Ends.BOTH])
def test_free_ends_take_more_characters_than_bytes(ends):
    rng = random.Random(7)
    letters = [chr(0x4E00 + k) for k in range(700)]
    a = "".join(rng.choices(letters, k=500))
    part = changed(rng, a[60:], 8, letters)
    host, guest = (a + part[:100], part) if ends is Ends.BOTH else (a + a[::-1], a[:20] + part)
    pair = pair_of(*((guest, host) if ends is Ends.B else (host, guest)))
    job = replace(EDIT.job(*pair, {}, fold_case=False), ends=ends)
    result = run_job(job)
    if ends is Ends.BOTH:
        assert result.distance <= 16  # a swap of two letters is two edits
        assert result.place.b_end - result.place.b_start > 300
    else:
        assert result.distance == min(free_ends.last_column(host, guest, free_rows=True))
