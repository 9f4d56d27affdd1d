"""What GenBank and GFF3 say of a coding sequence: codons that are read otherwise, partial ones, unknown codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from Bio import SeqIO
from Bio.Seq import Seq
from Bio.SeqFeature import AfterPosition, BeforePosition, CompoundLocation, ExactPosition, SeqFeature, SimpleLocation
from Bio.SeqRecord import SeqRecord

from wavediff.core.run.api import compare

PROTEIN = "ATGAAATGAGCATAGTTGTAA"  # M K U A * L *, of which the one in the middle is O here
N = len(PROTEIN)


def genbank(path: Path, letters: str, place: SimpleLocation | CompoundLocation, **qualifiers: str) -> Path:
    record = SeqRecord(Seq(letters), id="made.1", name="made", annotations={"molecule_type": "DNA"})
    record.features.append(SeqFeature(place, "CDS", qualifiers={"gene": "x", **qualifiers}))
    SeqIO.write(record, path, "genbank")
    return path


def effects(a: Path, b: str, tmp_path: Path) -> list[str]:
    (tmp_path / "b.fa").write_text(f">b\n{b}\n")
    return [row["text"] for row in compare(a, tmp_path / "b.fa").effects]


def with_letter(letters: str, place: int, letter: str) -> str:
    """Return letters with another one at a place from 1."""
    return letters[: place - 1] + letter + letters[place:]


CHANGED = [
    (9, "C", ["x:U3C"]), (8, "A", ["x:U3*"]), (6, "G", ["x:K2="]), (12, "G", ["x:A4="]), (15, "C", ["x:O5Y"]),
    (7, "C", ["x:U3R"]), (18, "A", ["x:L6="]),
]  # fmt: skip


@pytest.mark.parametrize("form", ["plus", "minus", "joined", "GFF3", "range"])
@pytest.mark.parametrize(("place", "letter", "expected"), CHANGED)
def test_codons_that_are_read_otherwise(
    form: str, place: int, letter: str, expected: list[str], tmp_path: Path
) -> None:
    before, behind = "CCCCCCCCCC", "GGGGGGGGGG"
    a, changed, known = PROTEIN, with_letter(PROTEIN, place, letter), "(pos:17..19,aa:Sec),(pos:23..25,aa:Pyl)"
    where: SimpleLocation | CompoundLocation = SimpleLocation(10, 10 + N, 1)
    if form == "minus":
        a, changed = (str(Seq(one).reverse_complement()) for one in (a, changed))
        where, known = SimpleLocation(10, 10 + N, -1), "(pos:complement(23..25),aa:Sec),(pos:complement(17..19),aa:Pyl)"
    if form == "joined":  # within the codon that is U
        a, changed = (f"{one[:7]}CTCTCT{one[7:]}" for one in (a, changed))
        where = CompoundLocation([SimpleLocation(10, 17, 1), SimpleLocation(23, 16 + N, 1)])
        known = "(pos:join(17,24..25),aa:Sec),(pos:29..31,aa:Pyl)"
    one, other = (f"{before}{letters}{behind}" for letters in (a, changed))
    if form == "GFF3":
        (tmp_path / "a.fa").write_text(f">a\n{one}\n")
        (tmp_path / "a.gff3").write_text(
            f"a\tx\tCDS\t11\t{10 + N}\t.\t+\t0\tgene=x;transl_except={known.replace('),(', ')%2C(')}\n".replace(
                ",aa", "%2Caa"
            )
        )
        assert effects(tmp_path / "a.fa", other, tmp_path) == expected
        return
    path = genbank(tmp_path / "a.gb", one, where, transl_except=known)
    if form == "range":
        path, other = Path(f"{path}:6-40"), other[5:40]
    assert effects(path, other, tmp_path) == expected


def test_the_letters_behind_a_deletion_are_read_otherwise_too(tmp_path: Path) -> None:
    known = "(pos:7..9,aa:Sec),(pos:13..15,aa:Pyl)"
    path = genbank(tmp_path / "a.gb", PROTEIN, SimpleLocation(0, N, 1), transl_except=known)
    assert effects(path, f"{PROTEIN[:3]}{PROTEIN[6:14]}C{PROTEIN[15:]}", tmp_path) == ["x:2del", "x:O5Y"]
    assert effects(path, f"{PROTEIN[:4]}CC{PROTEIN[4:]}", tmp_path) == ["x:K2fs"]


@pytest.mark.parametrize("strand", [1, -1])
@pytest.mark.parametrize(("is_open", "expected"), [(False, ["x:M1="]), (True, ["x:L1V"])])
def test_a_partial_coding_sequence_has_no_start(
    strand: int, is_open: bool, expected: list[str], tmp_path: Path
) -> None:
    letters, low, high = "TTGAAACCCTAA", ExactPosition(0), ExactPosition(12)
    other = with_letter(letters, 1, "G")
    if is_open:
        low, high = (BeforePosition(0), high) if strand > 0 else (low, AfterPosition(12))
    else:  # an open end is none at the start
        low, high = (low, AfterPosition(12)) if strand > 0 else (BeforePosition(0), high)
    if strand < 0:
        letters, other = (str(Seq(one).reverse_complement()) for one in (letters, other))
    path = genbank(tmp_path / "a.gb", letters, SimpleLocation(low, high, strand), transl_table="11")
    assert effects(path, other, tmp_path) == expected
    (tmp_path / "c.fa").write_text(f">c\n{letters}\n")
    edges = "partial=true;start_range=.,1", "partial=true;end_range=12,."
    sign, edge = "+" if strand > 0 else "-", edges[is_open != (strand > 0)]
    (tmp_path / "c.gff3").write_text(f"c\tx\tCDS\t1\t12\t.\t{sign}\t0\tgene=x;transl_table=11;{edge}\n")
    assert effects(tmp_path / "c.fa", other, tmp_path) == expected


def test_nothing_is_known_of_amino_acids_of_an_unknown_code(tmp_path: Path) -> None:
    path = genbank(tmp_path / "a.gb", "ATGAAACCCTAA", SimpleLocation(0, 12, 1), transl_table="7")
    assert effects(path, "ATGACACCCTAA", tmp_path) == ["x:X2X"]
    assert effects(path, "ATGCCCTAA", tmp_path) == ["x:2del"]
