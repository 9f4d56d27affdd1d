"""Breakends of collinear blocks in VCF: htslib reads them, and A is put together as B by them alone."""

import re

import numpy as np
import pytest

import wavediff
from tests.core.test_rearranged import random_letters
from wavediff.core.sequences.matching import reverse_complement

pysam = pytest.importorskip("pysam")
BREAKEND = re.compile(r"([A-Z]*)([][])(\w+):(\d+)([][])([A-Z]*)")  # letters before, or behind


def breakends(path, a):
    """Return of each breakend its mate and the letters between, read in the direction of A.

    A breakend is a letter of A, from 0, and whether what is joined lies behind it.
    """
    found, mates = {}, {}
    with pysam.VariantFile(str(path)) as vcf:
        for record in vcf:
            if record.info.get("SVTYPE") != "BND":
                continue
            before, bracket, name, place, other, behind = BREAKEND.fullmatch(record.alts[0]).groups()
            assert (bracket, name, bool(before)) == (other, record.chrom, not behind)
            assert record.ref.encode() == a[record.pos - 1 : record.pos]
            letters = before[1:] if before else behind[:-1]
            assert record.ref == (before[0] if before else behind[-1])
            here, there = (record.pos - 1, bool(before)), (int(place) - 1, bracket == "]")
            found[here] = there, letters.encode()
            mates[record.id] = here, record.info["MATEID"], there
    for here, mate, there in mates.values():
        assert mates[mate][0] == there
        assert mates[mate][2] == here
    return found


def put_together(a, found):
    """Walk from the first letter of A along all breakends."""
    out, at, forward = b"", 0, True
    for _ in range(2 * len(found) + 1):
        ends = [place for place, right in found if right == forward and (place >= at if forward else place <= at)]
        end = (min(ends) if forward else max(ends)) if ends else len(a) - 1 if forward else 0
        out += a[at : end + 1] if forward else reverse_complement(a[end : at + 1])
        if not ends:
            return out
        (at, joined_behind), letters = found[end, forward]
        out += letters if forward else reverse_complement(letters)
        forward = not joined_behind
    raise AssertionError("the walk does not end")


@pytest.mark.parametrize("seed", range(10))
def test_b_is_a_put_together_by_breakends(seed, tmp_path):
    """Parts in any order and on any strand, with new letters between some: all four orientations."""
    rng = np.random.default_rng(seed)
    a = random_letters(rng, 12_000)
    cuts = [0, *(np.arange(1, 8) * 1_500 + rng.integers(-400, 400, 7)).tolist(), len(a)]
    order = [0, *(1 + rng.permutation(6)).tolist(), 7]
    b = b""
    for part in order:
        letters = a[cuts[part] : cuts[part + 1]]
        b += reverse_complement(letters) if 0 < part < 7 and rng.random() < 0.5 else letters
        b += random_letters(rng, 120) if 0 < part < 6 and rng.random() < 0.5 else b""
    answer = wavediff.blocks(a, b)
    (tmp_path / "o.vcf").write_bytes(answer.to("vcf"))
    found = breakends(tmp_path / "o.vcf", a)
    assert put_together(a, found) == b
