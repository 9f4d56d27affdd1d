"""Worst cases of rearranged genomes, as resources/docs/compare.md has them: what is found, and what is told."""

import numpy as np
import pytest

from tests.core.compilers import nothing_ready
from tests.core.test_rearranged import blocks_of, changed, check_that_all_is_covered, missed, random_letters
from tests.depth import one_of
from wavediff.core.jobs.exact_matches import MAX_MATCHES, ExactMatchesJob
from wavediff.core.jobs.rearranged import BlockKind
from wavediff.core.kernels.rearranged import chain, ends
from wavediff.core.kernels.rearranged import run as rearranged
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.matching import reverse_complement


def test_sixty_copies_of_an_element_hide_nothing():
    rng = np.random.default_rng(3)
    element = random_letters(rng, 1_300)
    a = b"".join(random_letters(rng, 2_000) + changed(rng, element, 0.01)[0] for _ in range(60))
    b = a[:50_000] + reverse_complement(a[50_000:110_000]) + a[110_000:]
    found = blocks_of(a, b)
    assert found.text == "3 blocks: 1 inverted; 0 edits inside"
    assert (missed(found, 0, (50_000, 110_000), 1), missed(found, 1, (50_000, 110_000), 1)) == ([], [])


@pytest.mark.parametrize("between", [b"N" * 3_000, b"A" * 3_000, b"CA" * 1_500])
def test_runs_of_n_and_low_complexity_stay_inside(between):
    rng = np.random.default_rng(4)
    left, right = random_letters(rng, 3_000), random_letters(rng, 3_000)
    found = blocks_of(left + between + right, left + between + right)
    assert found.text == "1 block: in order; 0 edits inside"
    found = blocks_of(left + between + right, left + between[:-500] + right)
    assert found.edits == 0
    assert len(found.of(BlockKind.COLLINEAR)) == 2


def test_kernels_are_called_with_the_types_that_are_compiled_in_advance(monkeypatch):
    nothing_ready(monkeypatch)
    types = {"collect_chains": set(), "extension": set()}

    def noted(name, kernel):
        def call(*arguments):
            flags = [getattr(each, "flags", None) for each in arguments]
            layout = [of and (of.writeable, of.c_contiguous) for of in flags]
            dtypes = [getattr(each, "dtype", type(each)) for each in arguments]
            types[name].add((*dtypes, *layout))
            return kernel(*arguments)

        return call

    for module, name in ((chain, "collect_chains"), (ends, "extension"), (rearranged, "extension")):
        monkeypatch.setattr(module, name, noted(name, getattr(module, name)))
    rng = np.random.default_rng(6)
    for n in (2_000, 300_000):  # the least score is that of any block, or one by the lengths
        a, half = random_letters(rng, n), n // 2
        blocks_of(random_letters(rng, 200) + reverse_complement(a[half:]) + a[:half] + random_letters(rng, 200), a)
    assert {name: len(each) for name, each in types.items()} == {"collect_chains": 1, "extension": 1}


def test_pairs_without_blocks_end_with_a_word():
    rng = np.random.default_rng(5)
    a, b = random_letters(rng, 100_000), random_letters(rng, 100_000)
    found = blocks_of(a, b)
    assert found.text.startswith(f"no blocks: too few shared {found.k}-mers; ")
    assert found.n_matches < 100
    found = blocks_of(a[:45], a[:44], k=64)
    assert [block.kind for block in found.blocks] == [BlockKind.ONLY_B, BlockKind.ONLY_A]
    assert found.text == "no blocks: too few shared 64-mers; choose fewer seed letters, or compare as protein"
    for some, n in ((b"AC", 2), (b"", 0), (500 * b"N", 0), (a[:39], 39)):
        for k in (0, 64):
            text = blocks_of(a, some, k=k).text
            assert text.startswith(f"no blocks: B has {n} nucleotides (A,"), text
            assert text.endswith("(A, C, G, T); a block has 40 or more")
    for one, other in (
        (3_000 * b"N", 2_000 * b"N"),
        (3_000 * b"N", 2_960 * b"N" + 39 * b"A"),
        (200 * b"R", 190 * b"R"),
    ):
        found = blocks_of(one, other)
        assert [block.kind for block in found.blocks] == [BlockKind.ONLY_B, BlockKind.ONLY_A]
        assert found.text.startswith("no blocks: A has 0 nucleotides and B has "), found.text
    both = blocks_of(b"A", b"NC").text
    assert both == "no blocks: A has 1 nucleotide and B has 1 nucleotide (A, C, G, T); a block has 40 or more"
    assert blocks_of(b"", b"").blocks == ()
    assert [block.kind for block in blocks_of(a, b"").blocks] == [BlockKind.ONLY_A]


@pytest.mark.parametrize(
    ("n", "m", "unit", "alone", "edits"),
    [
        (5_000, 4_999, b"A", None, 1),
        (5_000, 4_900, b"A", BlockKind.ONLY_A, 0),
        (1_000, 1_090, b"TTAGGG", BlockKind.ONLY_B, 0),
        (300, 280, random_letters(np.random.default_rng(1), 171), BlockKind.ONLY_A, 0),
    ],
)
@pytest.mark.parametrize("minus", [False, True])
def test_repeats_alone_are_aligned_from_end_to_end(n, m, unit, alone, edits, minus):
    a, b = n * unit, m * (reverse_complement(unit) if minus else unit)
    found = blocks_of(a, b)
    kinds = {BlockKind.INVERTED if minus else BlockKind.COLLINEAR} | {alone} - {None}
    assert (sorted(block.kind for block in found.blocks), found.edits) == (sorted(kinds), edits)
    assert found.n_left_out > 0
    check_that_all_is_covered(found, a, b)


def test_repeats_that_are_too_long_to_align_unasked_are_told():
    found = blocks_of(b"A" * 300_000, b"A" * 299_999)
    said = "no blocks: the shared 16-mers have too many places; compare from end to end"
    assert found.text == f"{said}, or choose more seed letters"
    assert blocks_of(b"A" * 300_000, b"A" * 299_999, k=64).text == said.replace("16", "64")


@pytest.mark.parametrize(("copies", "share"), one_of(2, [300, 1_000], [0, 0.02, 0.2]))
def test_a_satellite_of_more_copies_than_seeds_have_is_one_block(copies, share):
    rng = np.random.default_rng(copies)
    unit = random_letters(rng, 171)
    satellite = b"".join(changed(rng, unit, share)[0] for _ in range(copies))
    left, right = random_letters(rng, 3_000), random_letters(rng, 3_000)
    b, n_changed = changed(rng, left + satellite + right, 0.01)
    found = blocks_of(left + satellite + right, b)
    assert [block.kind for block in found.blocks] == [BlockKind.COLLINEAR]
    assert 0.95 * n_changed <= found.edits <= n_changed


def test_a_satellite_that_lost_copies_has_the_fewest_edits_and_losses():
    """Losses cost the same in many places, and in pieces: together they are no more than what was made."""
    rng = np.random.default_rng(8)
    unit = random_letters(rng, 171)
    satellite, (shorter, n_changed) = 300 * unit, changed(rng, 280 * unit, 0.01)
    left, right = random_letters(rng, 3_000), random_letters(rng, 3_000)
    found = blocks_of(left + satellite + right, left + shorter + right)
    assert {block.kind for block in found.blocks} == {BlockKind.COLLINEAR, BlockKind.ONLY_A}
    assert found.edits + sum(block.size[0] for block in found.of(BlockKind.ONLY_A)) <= 20 * 171 + n_changed
    assert len(found.blocks) < 20


@pytest.mark.parametrize(("swaps", "size"), one_of(2, [False, True], [(40, 3), (100, 1), (200, 5)]))
def test_more_equal_copies_of_a_tandem_array_are_one_block(swaps, size):
    """Its border fits from the first copy on to the end of the array."""
    copies, more = size
    rng = np.random.default_rng(copies)
    unit, left, right = (random_letters(rng, n) for n in (171, 3_000, 3_000))
    short, long = (left + n * unit + right for n in (copies, copies + more))
    found = blocks_of(*((long, short) if swaps else (short, long)))
    assert found.edits == 0
    alone = [BlockKind.DUPLICATED, BlockKind.ONLY_A if swaps else BlockKind.ONLY_B]
    (other,) = [block for block in found.blocks if block.kind is not BlockKind.COLLINEAR]
    assert other.kind in alone
    assert other.size[0 if swaps else 1] == 171 * more
    border = found.of(BlockKind.COLLINEAR)[0].a[1]
    assert border.low <= 3_000 + 171
    assert border.high >= 3_000 + 171 * copies


@pytest.mark.parametrize(("before", "share", "seed"), one_of(41, [0, 20, 40], [0.02, 0.05, 0.1], range(10)))
def test_more_copies_of_an_array_of_unlike_ones_are_one_block(before, share, seed):
    """Three of its copies once more behind so many of them, and in the other direction these lost."""
    rng = np.random.default_rng(seed)
    unit, left, right = (random_letters(rng, n) for n in (171, 3_000, 3_000))
    copies = [changed(rng, unit, share)[0] for _ in range(40)]
    first = int(rng.integers(0, 37))
    more = copies[:before] + copies[first : first + 3] + copies[before:]
    one, other = (left + b"".join(some) + right for some in (copies, more))
    at = 3_000 + 171 * before
    for a, b, in_a, in_b in ((one, other, {at}, {at, at + 513}), (other, one, {at, at + 513}, {at})):
        found = blocks_of(a, b)
        assert found.text == "3 blocks: 1 duplicated; 0 edits inside"
        assert (missed(found, 0, in_a, 1), missed(found, 1, in_b, 1)) == ([], [])
        check_that_all_is_covered(found, a, b)


@pytest.mark.parametrize("seed", one_of(10, range(10)))
@pytest.mark.parametrize("before", [0, 20, 40])
def test_copies_of_an_array_that_are_like_no_other_are_alone_or_have_their_own_differences(before, seed):
    """Three copies that one array has more, 10 % from all others: hardly one of their differences is outside them."""
    rng = np.random.default_rng(seed)
    unit, left, right = (random_letters(rng, n) for n in (171, 3_000, 3_000))
    copies = [changed(rng, unit, 0.05)[0] for _ in range(43)]
    kept = copies[:before] + copies[before + 3 :]
    for one, other in ((kept, copies), (copies, kept)):
        a, b = (left + b"".join(some) + right for some in (one, other))
        found = blocks_of(a, b)
        collinear = found.of(BlockKind.COLLINEAR)
        assert (len(collinear), collinear[0].a[0].at, collinear[1].a[1].at) == (2, 0, len(a))
        assert sum(block.result.distance for block in collinear) <= 5
        assert found.edits <= 0.12 * 513
        check_that_all_is_covered(found, a, b)


def test_copies_of_ribosomal_genes_are_told_apart_by_what_lies_beside_them():
    """Seven copies of 5 kb, nearly equal, of which an inversion has two at its ends."""
    rng = np.random.default_rng(9)
    gene = random_letters(rng, 5_000)
    spacers = [random_letters(rng, 4_000) for _ in range(8)]
    a = spacers[0] + b"".join(changed(rng, gene, 0.0005)[0] + spacer for spacer in spacers[1:])
    found = blocks_of(a, a)
    assert found.text == "1 block: in order; 0 edits inside"
    start, end = 4_000 + 2 * 9_000 - 1_000, 4_000 + 5 * 9_000 + 1_000  # in the spacers before and behind three genes
    b = a[:start] + reverse_complement(a[start:end]) + a[end:]
    found = blocks_of(a, b)
    assert found.text == "3 blocks: 1 inverted; 0 edits inside"
    assert (missed(found, 0, (start, end), 1), missed(found, 1, (start, end), 1)) == ([], [])


def test_an_inversion_between_two_copies_has_borders_as_wide_as_they_are():
    """Copies on both strands, between which all is turned: the cut may lie anywhere in them."""
    rng = np.random.default_rng(10)
    gene = random_letters(rng, 5_000)
    left, middle, right = (random_letters(rng, 6_000) for _ in range(3))
    a = left + gene + middle + reverse_complement(gene) + right
    b = left + gene + reverse_complement(middle) + reverse_complement(gene) + right
    found = blocks_of(a, b)
    assert found.text == "3 blocks: 1 inverted; 0 edits inside"
    assert missed(found, 0, (6_000, 11_000, 17_000, 22_000), 1) == []


@pytest.mark.parametrize("unit", [b"A", b"CA", b"N", bytes(random_letters(np.random.default_rng(2), 300))])
def test_a_genome_against_itself_is_one_block(unit):
    rng = np.random.default_rng(11)
    a = random_letters(rng, 4_000) + 200 * unit + random_letters(rng, 4_000) + 20 * unit + random_letters(rng, 4_000)
    found = blocks_of(a, a)
    assert found.text == "1 block: in order; 0 edits inside"


@pytest.mark.thorough
def test_a_hundred_million_dots_are_bounded():
    """7,000 families of 120 copies of 20 letters: 10^8 pairs of places, in 20 Mb beside 100 kb that occur once."""
    rng = np.random.default_rng(12)
    families, copies = 7_000, 120
    each = rng.integers(0, 4, (families, 20), dtype=np.uint8)
    order = rng.permutation(np.repeat(np.arange(families), copies))
    lines = np.concatenate([each[order], rng.integers(0, 4, (order.size, 4), dtype=np.uint8)], axis=1)
    letters = np.frombuffer(b"ACGT", np.uint8)
    once = letters[rng.integers(0, 4, 100_000)]
    a, b = (np.concatenate([once, letters[lines[turn]].ravel()]) for turn in (slice(None), slice(None, None, -1)))
    found = run_job(ExactMatchesJob(a=a, b=b, k=16))
    assert 0 < len(found) <= MAX_MATCHES
    assert found.max_copies < 120
    assert found.n_left_out > 100 * families
    assert (found.a_starts[found.lengths >= 100_000].tolist()) == [0]


def test_unknown_letters_are_no_differences():
    """As in a comparison from end to end, and in contigs."""
    a = random_letters(np.random.default_rng(4), 3_000)
    b = a[:1_000] + reverse_complement(a[1_000:1_400] + b"N" * 100 + a[1_500:2_199] + b"A") + a[2_200:]
    found = blocks_of(a, b)
    other = a[2_199:2_200] != b"A"
    assert [block.kind for block in found.blocks].count(BlockKind.INVERTED) == 1
    assert (found.differences, found.edits) == (other, 100 + other)
    assert "inside (100 unknown bases not counted)" in found.text
    check_that_all_is_covered(found, a, b)
