"""Collinear blocks in VCF, read by htslib: breakends alone put A together as B, symbolic alleles change it into B."""

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


def changed_by_symbols(path, a, b):
    """Return A with all alleles applied but breakends; letters of insertions and copies are those of B at BSTART."""
    cells, behind, copies = [a[at : at + 1] for at in range(len(a))], [b""] * (len(a) + 1), []
    # As written: htslib has POS and SVLEN together as the end.
    ends = {block: end for end, block in re.findall(r"END=(\d+);SVLEN=-?\d+;BLOCK=(\d+)", path.read_text())}
    with pysam.VariantFile(str(path)) as vcf:
        for record in sorted(vcf, key=lambda record: "SVTYPE" in record.info):  # differences inside first
            kind, start, end = record.info.get("SVTYPE"), record.pos, record.stop
            end = int(ends.get(str(record.info.get("BLOCK")), end))
            assert kind is None or record.ref.encode() == a[start - 1 : start]
            start = start if start > 1 else 0  # with no letter before it
            first = record.info.get("BSTART", 1) - 1
            letters = b[first : first + abs(record.info.get("SVLEN", 0))]
            if kind is None:
                cells[record.start : end] = [record.alts[0].encode(), *[b""] * (end - record.start - 1)]
            elif kind == "INS":
                behind[start] += letters
            elif kind == "DUP":
                copies.append((first, letters))
            elif kind == "DEL":
                cells[start:end] = [b""] * (end - start)
            elif kind == "INV":
                cells[start:end] = [reverse_complement(cell) for cell in reversed(cells[start:end])]
    out = behind[0] + b"".join(cell + new for cell, new in zip(cells, behind[1:], strict=True))
    for at, letters in sorted(copies):
        out = out[:at] + letters + out[at:]
    return out


@pytest.mark.parametrize("seed", range(12))
def test_b_is_a_changed_by_symbolic_alleles(seed, tmp_path):
    """Parts kept, lost, copied in tandem, and inverted in place, with new letters between some."""
    rng = np.random.default_rng(seed)
    parts = [random_letters(rng, 1_500 + int(rng.integers(-400, 400))) for _ in range(8)]
    done = ["keep", *rng.permutation(["turn", "turn", "turn", "lose", "copy", "keep"]).tolist(), "keep"]
    b = b""
    for at, (part, what) in enumerate(zip(parts, done, strict=True)):
        b += {"keep": part, "turn": reverse_complement(part), "lose": b"", "copy": 2 * part}[what]
        b += random_letters(rng, int(rng.integers(100, 900))) if at < 7 and rng.random() < 0.6 else b""
    a, path = b"".join(parts), tmp_path / "o.vcf"
    answer = wavediff.blocks(a, b)
    path.write_bytes(answer.to("vcf"))
    assert changed_by_symbols(path, a, b) == b, (done, str(answer))
    in_b = [block.b[0].at for block in answer.blocks if block.size[1] and not block.copy_in]
    assert in_b == sorted(in_b)  # the table has them in the order of A


@pytest.mark.parametrize("event", ["new", "lost", "turned", "new and turned"])
@pytest.mark.parametrize("at_end", [False, True])
def test_events_at_the_first_and_last_letter_of_a(event, at_end, tmp_path):
    """VCF 4.3, 1.6.1: POS is that of the letter before an event, but 1 at the first letter, which END counts."""
    rng = np.random.default_rng(len(event))
    part, rest, new = (random_letters(rng, n) for n in (900, 3_000, 400))
    turned = reverse_complement(part)
    other = {"new": [new, part], "lost": [], "turned": [turned], "new and turned": [new, turned]}[event]
    a, b = (rest + part, b"".join([rest, *other[::-1]])) if at_end else (part + rest, b"".join([*other, rest]))
    path = tmp_path / "o.vcf"
    path.write_bytes(wavediff.blocks(a, b).to("vcf"))
    with pysam.VariantFile(str(path)) as vcf:
        found = {record.info["SVTYPE"]: record for record in vcf if record.info.get("SVTYPE", "BND") != "BND"}
    for record in found.values():
        assert record.pos == 1 or at_end
    wanted = {
        "new": {"INS": 400},
        "lost": {"DEL": -900},
        "turned": {"INV": 0},
        "new and turned": {"INS": 400, "INV": 0},
    }
    assert {kind: record.info["SVLEN"] for kind, record in found.items()} == wanted[event]
    assert changed_by_symbols(path, a, b) == b
