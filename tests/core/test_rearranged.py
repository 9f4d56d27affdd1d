"""Collinear blocks of sequences that were rearranged on purpose: kinds, borders and differences."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz import distance

from tests.core.assemblies import random_letters
from tests.depth import examples, one_of
from wavediff.core.jobs.rearranged import BlockKind, RearrangedJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.matching import reverse_complement

EVENTS = ("inversion", "move", "tandem copy", "dispersed copy", "loss", "gain")
SLOT = 4_000  # letters in which one event lies


def changed(rng, letters, share):
    """Return ``letters`` with substitutions, and how many there are."""
    out = np.frombuffer(letters, np.uint8).copy()
    at = np.flatnonzero(rng.random(out.size) < share)
    for place in at.tolist():
        out[place] = rng.choice([letter for letter in b"ACGT" if letter != out[place]])
    return out.tobytes(), at.size


def rearranged(seed, share):
    """Return A, B, the borders in B and A between which something happened, and the substitutions made."""
    rng = np.random.default_rng(seed)
    events = [*EVENTS, EVENTS[seed % 6], EVENTS[seed // 6 % 6]]
    rng.shuffle(events)
    a = random_letters(rng, SLOT * (len(events) + 1))  # the last slot is copied from
    pieces, moved = [], []  # (start, end, minus) of A, or new letters
    last = 0
    for slot, event in enumerate(events):
        start = slot * SLOT + int(rng.integers(500, 1_500))
        end = start + int(rng.integers(150, 1_200))
        pieces.append((last, start, False))
        last = end
        if event == "inversion":
            pieces.append((start, end, True))
        elif event == "move":
            moved.append((start, end, False))
        elif event == "tandem copy":
            pieces += [(start, end, False)] * 2
        elif event == "dispersed copy":
            source = len(a) - int(rng.integers(1_500, 3_500))
            pieces += [(start, end, False), (source, source + int(rng.integers(150, 1_200)), bool(rng.integers(2)))]
        elif event == "gain":
            pieces += [(start, end, False), random_letters(rng, int(rng.integers(100, 800)))]
    pieces.append((last, len(a), False))
    for piece in moved:
        pieces.insert(int(rng.integers(1, len(pieces))), piece)
    b, in_a, in_b, n_changed = b"", set(), set(), 0
    for before, piece in zip([None, *pieces], pieces, strict=False):
        if isinstance(piece, bytes):
            letters, n = piece, 0
        else:
            letters = reverse_complement(a[piece[0] : piece[1]]) if piece[2] else a[piece[0] : piece[1]]
            letters, n = changed(rng, letters, share)
        n_changed += n
        old = [one for one in (before, piece) if isinstance(one, tuple)]
        follows = len(old) == 2 and before[1] == piece[0] and not before[2] and not piece[2]
        if before is not None and not follows:
            in_b.add(len(b))
            in_a |= {before[not before[2]]} if isinstance(before, tuple) else set()
            in_a |= {piece[piece[2]]} if isinstance(piece, tuple) else set()
        b += letters
    return a, b, in_a, in_b, n_changed


def blocks_of(a, b, **options):
    return run_job(RearrangedJob(a=np.frombuffer(a, np.uint8), b=np.frombuffer(b, np.uint8), **options))


def missed(found, axis, places, tolerance):
    """Return the places beside which no border is told, with what fits as well."""
    borders = [border for block in found.blocks for border in block.on(axis)]
    return [at for at in places if not any(low - tolerance <= at <= high + tolerance for _, low, high in borders)]


def check_that_all_is_covered(found, a, b):
    """Each letter is in one block, but for copies; each block is aligned as its letters stand."""
    for axis, size, alone in ((0, len(a), BlockKind.ONLY_B), (1, len(b), BlockKind.ONLY_A)):
        covered = np.zeros(size, np.int64)
        own = np.zeros(size, np.int64)
        for block in found.blocks:
            first, last = block.on(axis)
            assert 0 <= first.low <= first.at <= first.high <= size
            covered[first.at : last.at] += 1
            if block.kind not in (BlockKind.DUPLICATED, alone):
                own[first.at : last.at] += 1
        assert covered.min(initial=1) >= 1
        assert own.max(initial=0) <= 1
    for block in found.blocks:
        if block.result is None:
            assert 0 in block.size
            continue
        one, other = a[block.a[0].at : block.a[1].at], b[block.b[0].at : block.b[1].at]
        assert (block.result.alignment.n_a, block.result.alignment.n_b) == (len(one), len(other)) == block.size
        other = reverse_complement(other) if block.minus else other
        assert block.result.distance == distance.Levenshtein.distance(one, other)


@pytest.mark.parametrize("seed", range(10))
def test_what_was_rearranged_is_found_to_the_letter(seed):
    a, b, in_a, in_b, _ = rearranged(seed, 0)
    found = blocks_of(a, b)
    assert (missed(found, 0, in_a, 1), missed(found, 1, in_b, 1)) == ([], [])
    assert found.edits == 0
    kinds = {kind: len(found.of(kind)) for kind in BlockKind}
    assert all(kinds.values()), found.text
    check_that_all_is_covered(found, a, b)


@pytest.mark.parametrize("seed", one_of(4, range(10)))
def test_differences_inside_are_those_that_were_made(seed):
    """Beside a border a substitution may be placed otherwise, at no more cost."""
    a, b, in_a, in_b, n_changed = rearranged(seed, 0.02)
    found = blocks_of(a, b)
    assert (missed(found, 0, in_a, 8), missed(found, 1, in_b, 8)) == ([], [])
    assert 0.95 * n_changed <= found.edits <= n_changed
    check_that_all_is_covered(found, a, b)


@examples(60)
@given(
    seed=st.integers(0, 1 << 30),
    pieces=st.lists(st.tuples(st.integers(0, 39), st.integers(1, 12), st.booleans()), max_size=6),
    letters=st.sampled_from([b"ACGT", b"ACGT", b"AC", b"ACGTN"]),
)
@example(seed=33133, pieces=[(29, 8, False), (10, 2, False), (24, 7, False)], letters=b"AC")  # of a chain of two events
@example(
    seed=992969105,
    pieces=[(24, 7, False), (10, 12, False), (9, 9, True), (2, 11, False), (15, 2, True), (29, 5, False)],
    letters=b"AC",
)  # of a circle with gaps at the borders
@example(
    seed=701642415,
    pieces=[(37, 11, False), (32, 2, True), (21, 10, False), (14, 12, True), (26, 7, True), (24, 11, True)],
    letters=b"AC",
)  # of a border between two matches
@example(
    seed=169330793,
    pieces=[(20, 12, False), (35, 7, False), (9, 4, True), (25, 3, True), (22, 9, True), (28, 11, True)],
    letters=b"AC",
)  # of a block between the matches of another one
@example(seed=0, pieces=[(0, 2, False), (30, 3, False)], letters=b"AC")  # of a copy that cannot be cut off as a whole
def test_any_pieces_cover_all_letters(seed, pieces, letters):
    rng = np.random.default_rng(seed)
    a = np.frombuffer(letters, np.uint8)[rng.integers(0, len(letters), 1_000)].tobytes()
    b = b"".join(
        reverse_complement(a[25 * at : 25 * (at + n)]) if minus else a[25 * at : 25 * (at + n)]
        for at, n, minus in pieces
    )
    check_that_all_is_covered(blocks_of(a, b), a, b)


@pytest.mark.parametrize(("letters", "k"), [(b"A" * 5_000, 0), (b"ACGT" * 100, 11), (b"ACGTTGCA", 11), (b"N" * 50, 0)])
def test_equal_letters_are_one_block_whatever_the_seeds(letters, k):
    found = blocks_of(letters, letters.lower(), k=k)
    assert found.text == "1 block: in order; 0 edits inside"
    check_that_all_is_covered(found, letters, letters)


def test_case_u_and_the_other_strand():
    rng = np.random.default_rng(6)
    a = random_letters(rng, 2_000)
    found = blocks_of(a, reverse_complement(a).lower().replace(b"t", b"u"))
    assert found.text == "1 block: 1 inverted; 0 edits inside"
