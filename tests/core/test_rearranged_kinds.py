"""Each kind of rearrangement by itself, with ten seeds: kinds, borders to the letter, no false difference."""

import numpy as np
import pytest

import wavediff
from tests.core.test_rearranged import blocks_of, changed, check_that_all_is_covered, missed, random_letters
from tests.depth import one_of
from wavediff.core.export.rearranged import table
from wavediff.core.jobs.rearranged import BlockKind
from wavediff.core.sequences.matching import reverse_complement

SIZE, LEAST = 12_000, 200  # letters of A, and between two borders
KINDS = {
    "inversion": "3 blocks: 1 inverted",
    "exchange": "5 blocks: 2 moved",
    "exchange on the other strand": "5 blocks: 2 inverted (2 of them moved)",
    "move": "4 blocks: 1 moved",
    "move on the other strand": "4 blocks: 1 inverted (1 of them moved)",
    "tandem copy": "3 blocks: 1 duplicated",
    "dispersed copy": "3 blocks: 1 duplicated",
    "dispersed copy on the other strand": "3 blocks: 1 duplicated",
    "loss": "3 blocks: 1 only in A",
    "loss of a tandem copy": "3 blocks: 1 duplicated",
    "loss of a dispersed copy": "3 blocks: 1 duplicated",
    "gain": "3 blocks: 1 only in B",
    "another origin": "2 blocks: 1 moved",
}


def places(rng, n):
    """Return so many places in A, in order and apart."""
    free = SIZE - (n + 1) * LEAST
    return (np.sort(rng.integers(0, free, n)) + LEAST * np.arange(1, n + 1)).tolist()


def made(kind, rng):
    """Return A, B, and the borders in each of them."""
    a = random_letters(rng, SIZE)
    w, x, y, z = places(rng, 4)
    turned = reverse_complement if kind.endswith("other strand") else bytes
    if kind == "inversion":
        return a, a[:w] + reverse_complement(a[w:x]) + a[x:], {w, x}, {w, x}
    if kind.startswith("exchange"):
        b = a[:w] + turned(a[y:z]) + a[x:y] + turned(a[w:x]) + a[z:]
        return a, b, {w, x, y, z}, {w, w + z - y, w + z - x, z}
    if kind.startswith("move"):
        return a, a[:w] + a[x:y] + turned(a[w:x]) + a[y:], {w, x, y}, {w, w + y - x, y}
    if kind == "tandem copy":
        return a, a[:x] + a[w:], {w, x}, {w, x, x + x - w}
    if kind.startswith("dispersed copy"):
        return a, a[:y] + turned(a[w:x]) + a[y:], {w, x, y}, {y, y + x - w}
    if kind.startswith("loss of a "):
        b, a, in_b, in_a = made(kind.removeprefix("loss of a "), rng)
        return a, b, in_a, in_b
    if kind == "loss":
        return a, a[:w] + a[x:], {w, x}, {w}
    if kind == "gain":
        return a, a[:w] + random_letters(rng, x - w) + a[w:], {w}, {w, x}
    return a, a[w:] + a[:w], {w}, {SIZE - w}


@pytest.mark.parametrize("seed", one_of(4, range(10)))
@pytest.mark.parametrize("kind", KINDS)
def test_borders_to_the_letter_and_no_false_difference(kind, seed):
    a, b, in_a, in_b = made(kind, np.random.default_rng(seed))
    found = blocks_of(a, b)
    assert found.text == f"{KINDS[kind]}; 0 edits inside"
    assert (missed(found, 0, in_a, 1), missed(found, 1, in_b, 1)) == ([], [])
    check_that_all_is_covered(found, a, b)


@pytest.mark.parametrize("seed", one_of(4, range(10)))
@pytest.mark.parametrize("kind", KINDS)
def test_of_changed_letters_each_is_one_difference_at_most(kind, seed):
    rng = np.random.default_rng(100 + seed)
    a, b, _, _ = made(kind, rng)
    b, n_changed = changed(rng, b, 0.02)
    found = blocks_of(a, b)
    assert found.text.split(";")[0] == KINDS[kind]
    edits = sum(block.result.distance for block in found.blocks if block.result and block.copy_in != "A")
    assert 0.95 * n_changed <= edits <= n_changed or (kind == "gain" and edits <= n_changed)
    check_that_all_is_covered(found, a, b)


@pytest.mark.parametrize("seed", range(10))
def test_circles_from_another_origin(seed):
    """An inversion in a circle that begins elsewhere, on the other strand for half of the seeds."""
    rng = np.random.default_rng(seed)
    a = random_letters(rng, SIZE)
    start, end, origin = places(rng, 3)
    b = a[:start] + reverse_complement(a[start:end]) + a[end:]
    b, borders = b[origin:] + b[:origin], [(at - origin) % SIZE for at in (start, end)]
    if seed % 2:
        b, borders = reverse_complement(b), [SIZE - at for at in borders]
    answer = wavediff.blocks(a, b, orient=("plus", "minus")[seed % 2], topology="circular")
    assert str(answer).startswith("3 blocks: 1 inverted; 0 edits inside")
    told = [(row[f"b_{end}"], row[f"b_{end}_range"]) for row in table(answer) for end in ("start", "end")]
    for border in borders:
        assert any(low - 1 <= border <= high + 1 for at, (low, high) in told if low <= at <= high)


@pytest.mark.parametrize("seed", range(4))
def test_of_two_copies_the_one_in_order_is_no_copy(seed):
    """A has a part twice and B once: the copy elsewhere is more like that of B, and still the one that A has more."""
    rng = np.random.default_rng(seed)
    left, part, between, right, *other = (random_letters(rng, n) for n in (3_000, 900, 4_000, 3_000, *[400] * 4))
    here = changed(rng, part, 0.08)[0]
    a = left + other[0] + here + other[1] + between + part + right
    found = blocks_of(a, left + other[2] + part + other[3] + between + right)
    twice = found.of(BlockKind.DUPLICATED)
    assert [(block.copy_in, block.a[0].at) for block in twice] == [("A", pytest.approx(8_700, abs=64))]
    assert not found.of(BlockKind.MOVED)
    starts = [block.a[0].at for block in found.of(BlockKind.COLLINEAR)]
    assert starts == [pytest.approx(at, abs=64) for at in (0, 3_400, 4_700, 9_600)]
