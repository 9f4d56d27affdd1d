"""VCF and list of variants: applied to A they give B, whatever the alignment; what cannot be held is refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.export.formats import FORMATS
from tests.core.export.helpers import alignment, comparison, sequence
from wavediff.core.base.errors import ExportError
from wavediff.core.export import variants as variants_module
from wavediff.core.export import vcf as vcf_module
from wavediff.core.export.variants import variants
from wavediff.core.export.vcf import notice, vcf
from wavediff.core.jobs.alignment import LETTER, Alignment
from wavediff.core.sequences.sequence import Alphabet, Sequence

Record = tuple[int, str, str, str]
PLACE = re.compile(r"([A-Z*])(\d+)([A-Z*])|(\d+)_(\d+)ins([A-Z*]+)|(\d+)(?:-(\d+))?(del|delins)([A-Z*]*)")


@st.composite
def aligned(draw, letters="ACGT"):
    """Two sequences with any alignment at all, good or bad."""
    runs = draw(st.lists(st.tuples(st.sampled_from(LETTER), st.integers(1, 4)), max_size=10))
    ops = "".join(op * n for op, n in runs)
    a = b = ""
    for op in ops:
        one = draw(st.sampled_from(letters))
        other = draw(st.sampled_from([each for each in letters if each.upper() != one.upper()]))
        a += one if op != "I" else ""
        b += {"=": one, "X": other, "I": other, "D": ""}[op]
    return comparison(sequence(a.encode(), "ref"), sequence(b.encode(), "query"), alignment(ops))


def text(one):
    return one.letters.tobytes().decode()


def records(found):
    """Position from 1, REF, ALT and genotype of each record."""
    head, *lines = b"".join(vcf(found)).decode().split("\n#CHROM")[1].splitlines()
    assert head.split("\t")[1:] == ["POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", "query"]
    rows = [line.split("\t") for line in lines]
    assert all([row[0], *row[2:3], *row[5:9]] == ["ref", ".", ".", ".", ".", "GT"] for row in rows)
    return [(int(row[1]), row[3], row[4], row[9]) for row in rows]


def replayed(a, found, *, missing=""):
    """Put each ALT in the place of its REF, ``missing`` in that of a letter that is left open."""
    out, done = "", 0
    for place, ref, alt, genotype in found:
        assert place > done, "records share a letter"
        assert a[place - 1 : place - 1 + len(ref)].upper() == ref
        assert ref
        assert (alt == ".") == (genotype == ".")
        out += a[done : place - 1] + (alt if alt != "." else missing or ref)
        done = place - 1 + len(ref)
    return out + a[done:]


def listed(a, lines):
    """Apply a list of variants."""
    out, done = "", 0
    for line in lines:
        one = PLACE.fullmatch(line)
        assert one is not None, line
        before, at, after, left, right, inserted, first, last, _, put = one.groups()
        if before:
            start, end, new = int(at) - 1, int(at), after
            assert a[start] == before != after
        elif left:
            start, end, new = int(left), int(left), inserted
            assert int(right) == int(left) + 1
        else:
            start, end, new = int(first) - 1, int(last or first), put
        assert start >= done
        out += a[done:start] + new
        done = end
    return out + a[done:]


@given(aligned())
@example(comparison(sequence(b"ACGT", "ref"), sequence(b"GT", "query"), alignment("DD==")))
@example(comparison(sequence(b"ACGT", "ref"), sequence(b"CT", "query"), alignment("D=D=")))
@example(comparison(sequence(b"ACGT", "ref"), sequence(b"TAT", "query"), alignment("I=DD=")))
def test_records_applied_to_a_give_b(found):
    if not len(found.a) or not len(found.b):
        return
    assert replayed(text(found.a), records(found)) == text(found.b)


@given(aligned())
def test_the_list_applied_to_a_gives_b(found):
    lines = b"".join(variants(found)).decode().splitlines()
    assert listed(text(found.a), lines) == text(found.b)


@given(aligned("ACGTN"))
def test_letters_that_b_leaves_open_are_missing(found):
    if not len(found.a) or not len(found.b):
        return
    assert replayed(text(found.a), records(found), missing="N") == text(found.b)
    kept = replayed(text(found.a), records(found))
    assert len(kept) == len(found.b)
    assert all(y in (x, "N") for x, y in zip(kept, text(found.b), strict=True))


@pytest.mark.parametrize(
    ("a", "b", "ops", "wanted", "lines"),
    [
        ("ACGTA", "ATGTA", "=X===", [(2, "C", "T")], ["C2T"]),
        ("ACGTA", "ATATA", "=XX==", [(2, "C", "T"), (3, "G", "A")], ["C2T", "G3A"]),
        ("ACGTA", "AGTA", "=D===", [(1, "AC", "A")], ["2del"]),
        ("ACCTA", "ATA", "=DD==", [(1, "ACC", "A")], ["2-3del"]),
        ("ACGTA", "ACTTGTA", "==II===", [(2, "C", "CTT")], ["2_3insTT"]),
        # A substitution beside a gap keeps its own line; in VCF both need the same letter.
        ("ACGGT", "ATT", "=XDD=", [(2, "CGG", "T")], ["C2T", "3-4del"]),
        ("ACGGT", "ACAT", "==DX=", [(2, "CG", "C"), (4, "G", "A")], ["3del", "G4A"]),
        # Nothing before the first letter to begin with.
        ("ACGT", "GT", "DD==", [(1, "ACG", "G")], ["1-2del"]),
        ("ACGT", "TTACGT", "II====", [(1, "A", "TTA")], ["0_1insTT"]),
        ("ACGT", "TGT", "DX==", [(1, "AC", "T")], ["1del", "C2T"]),
        ("ACGT", "CT", "D=D=", [(1, "ACG", "C")], ["1del", "3del"]),
        ("ACGT", "ACGTCC", "====II", [(4, "T", "TCC")], ["4_5insCC"]),
        # Of a longest common subsequence: a letter deleted and one inserted side by side are one substituted.
        ("ACGTA", "ATGTA", "=DI===", [(2, "C", "T")], ["C2T"]),
        ("ACGTA", "ATGTA", "=ID===", [(2, "C", "T")], ["C2T"]),
        ("ACCTA", "AGGTA", "=DDII==", [(2, "C", "G"), (3, "C", "G")], ["C2G", "C3G"]),
        ("ACCTA", "AGTA", "=DDI==", [(2, "CC", "G")], ["2-3delinsG"]),
        ("ACTA", "AGGTA", "=DII==", [(2, "C", "GG")], ["2delinsGG"]),
        ("ACGT", "GGGT", "DDII==", [(1, "A", "G"), (2, "C", "G")], ["A1G", "C2G"]),
        # Left open by B, by A, or written otherwise.
        ("ACGTA", "ANGTA", "=X===", [(2, "C", ".")], []),
        ("ACGTA", "ARGTA", "=X===", [(2, "C", ".")], ["C2R"]),
        ("ANGTA", "ACGTA", "=X===", [(2, "N", "C")], []),
        ("ARGTA", "ACGTA", "=X===", [(2, "R", "C")], ["R2C"]),
        ("AcgtA", "AtgtA", "=X===", [(2, "C", "T")], ["C2T"]),
        ("ACGTA", "ACNRGTA", "==II===", [(2, "C", "CNN")], ["2_3insNR"]),
        ("ARCGTA", "AGTA", "=DD===", [(1, "ARC", "A")], ["2-3del"]),
        ("ACGT", "ACGT", "====", [], []),
    ],
)
def test_worked_examples(a, b, ops, wanted, lines):
    found = comparison(sequence(a.encode(), "ref"), sequence(b.encode(), "query"), alignment(ops))
    assert [one[:3] for one in records(found)] == wanted
    assert b"".join(variants(found)).decode().splitlines() == lines


@given(aligned("ACGTRYN"))
def test_records_at_codes_of_a_give_b_but_for_its_own_codes(found):
    if not len(found.a) or not len(found.b):
        return
    made = replayed(text(found.a), records(found), missing="N")
    assert all(y == x or (y not in "ACGT" and x == "N") for x, y in zip(made, text(found.b), strict=True))
    n_at_codes = sum(bool(set(ref) & set("RY")) for _, ref, _, _ in records(found))
    words = f"{n_at_codes} record{'s' * (n_at_codes > 1)} at ambiguity codes of A" if n_at_codes else ""
    assert words in notice(found)
    assert bool(words) == bool(notice(found))


@pytest.mark.parametrize(
    ("a", "b", "ops", "wanted"),
    [
        ("ACGTR", "ACGTC", "====X", [(5, "A", "C", "1")]),
        ("ACGTR", "ACGTA", "====X", [(5, "A", ".", "0")]),
        ("ACGTR", "ACGTG", "====X", [(5, "A", "G", "1")]),
        ("ACGTB", "ACGTN", "====X", [(5, "C", ".", ".")]),
        ("ATYCA", "ATCA", "==D==", [(2, "TC", "T", "1")]),
        ("ACGTN", "ACGTC", "====X", [(5, "N", "C", "1")]),
    ],
)
def test_strictly_ref_is_the_first_base_of_a_code(a, b, ops, wanted):
    found = comparison(sequence(a.encode(), "ref"), sequence(b.encode(), "query"), alignment(ops))
    assert records(replace(found, vcf_strict=True)) == wanted


def test_letters_that_differ_in_case_alone_are_no_records_but_variants_where_case_counts():
    found = comparison(sequence(b"ACGT", "ref"), sequence(b"AcGT", "query"), alignment("=X=="), fold_case=False)
    assert records(found) == []
    assert b"".join(variants(found)) == b"C2c\n"


def of_kind(letters, kind):
    codes = np.frombuffer(letters, np.uint8)
    return Sequence(letters=codes, name="x", alphabet=kind, counts=np.bincount(codes, minlength=256))


def test_proteins_are_listed_and_their_open_letter_is_x():
    pair = of_kind(b"MSNNK*", Alphabet.PROTEIN), of_kind(b"MTXYKQ", Alphabet.PROTEIN)
    assert b"".join(variants(comparison(*pair, alignment("=XXX=X")))) == b"S2T\nN4Y\n*6Q\n"


@pytest.mark.parametrize(
    ("one", "says"),
    [
        (of_kind(b"MKV", Alphabet.PROTEIN), "x: VCF holds nucleotides, this is protein"),
        (of_kind(b"a b", Alphabet.TEXT), "x: VCF holds nucleotides, this is text"),
        (of_kind(b"AC-T", Alphabet.DNA), r"x, position 3: VCF cannot hold '-'"),
        (of_kind(b"", Alphabet.DNA), "x: VCF cannot hold a sequence of no letters"),
    ],
)
def test_what_vcf_cannot_hold_is_refused_at_once(one, says):
    for pair in ((one, sequence(b"A")), (sequence(b"A"), one)):
        with pytest.raises(ExportError, match=says):
            FORMATS["vcf"].chunks(comparison(*pair, alignment("=")))


def test_a_list_of_variants_refuses_texts():
    with pytest.raises(ExportError, match="x: a list of variants holds nucleotides and proteins, this is text"):
        FORMATS["variants"].chunks(comparison(of_kind(b"a b", Alphabet.TEXT), sequence(b"A"), alignment("=DD")))


def test_the_header_names_the_reference_its_length_and_the_sample():
    pair = sequence(b"ACGT", "chr1 (x)"), sequence(b"ACGT", "my\tsample")
    lines = b"".join(vcf(comparison(*pair, alignment("====")))).decode().splitlines()
    assert lines[0] == "##fileformat=VCFv4.3"
    assert "##contig=<ID=chr1__x_,length=4>" in lines
    assert lines[-1].split("\t")[8:] == ["FORMAT", "my_sample"]


@given(aligned())
def test_in_pieces_they_are_the_same(found):
    if not len(found.a) or not len(found.b):
        return
    whole = b"".join(vcf(found)), b"".join(variants(found))
    with pytest.MonkeyPatch.context() as patch:
        for module in (vcf_module, variants_module):
            patch.setattr(module, "CHUNK_LETTERS", 2)
            patch.setattr(module, "_CHUNK_LINES", 1)
        assert (b"".join(vcf(found)), b"".join(variants(found))) == whole
        assert max(map(len, [*list(vcf(found))[1:], b""])) < 60


@pytest.mark.parametrize(("ops", "wanted"), [("DDDDDII====", (6, "A", "GGA", "1")), ("DDDDD====", None)])
def test_a_gap_where_b_begins_in_a_ends_with_the_letter_behind(ops, wanted):
    """B has no letter before it, whatever A has."""
    runs = alignment(ops)
    b = sequence(b"GG" * (wanted is not None) + b"ACGT", "query")
    found = comparison(sequence(b"TTTTTACGT", "ref"), b, Alignment(runs.ops, runs.lengths, head_runs=1))
    assert records(found) == ([wanted] if wanted else [])
