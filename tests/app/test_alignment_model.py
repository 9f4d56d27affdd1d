"""What the alignment view shows, without a window: rows, words for places, ``Go to``, copies."""

from dataclasses import replace

import pytest

from tests.app.alignments import from_cigar, random_pair, sequence
from tests.core.features.test_effects import spans_of
from wavediff.app.compare.alignment_actions import MAX_COLUMNS, CopyFormat, TooMuch, copy_text
from wavediff.app.compare.alignment_goto import Place, PlaceError, parse_place
from wavediff.app.compare.alignment_model import GAP, NOTHING, OVERHANG, AlignmentModel, letter_name
from wavediff.core.base.numbers import use_separators
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Alphabet


@pytest.fixture
def model():
    """GATTACA-TC over GA-TACAGTA."""
    alignment = from_cigar((2, "="), (1, "D"), (4, "="), (1, "I"), (1, "="), (1, "X"))
    return AlignmentModel(sequence("GATTACATC", "ref"), sequence("GATACAGTA", "query"), index_alignment(alignment))


def text(codes):
    return "".join("-" if code == GAP else chr(code) for code in codes)


def test_rows_hold_letters_gaps_and_their_numbers(model):
    rows = model.rows(0, 100)
    assert (text(rows.a), text(rows.b)) == ("GATTACA-TC", "GA-TACAGTA")
    assert rows.a_place.tolist() == [1, 2, 3, 4, 5, 6, 7, 0, 8, 9]
    assert rows.b_place.tolist() == [1, 2, 0, 3, 4, 5, 6, 7, 8, 9]
    part = model.rows(6, 9)
    assert (part.col0, text(part.a), text(part.b)) == (6, "A-T", "AGT")


def test_an_alignment_of_other_sequences_is_refused():
    with pytest.raises(ValueError, match=r"of 3 and 3 letters.* 4 and 3"):
        AlignmentModel(sequence("ACGT"), sequence("ACG"), index_alignment(from_cigar((3, "="))))


def test_columns_are_described_from_one(model):
    assert model.describe(0) == "Column 1 · A 1 G · B 1 G · equal"
    assert model.describe(2) == "Column 3 · A 3 T · B gap after 2 · deletion, 1 letter"
    assert model.describe(7) == "Column 8 · A gap after 7 · B 7 G · insertion, 1 letter"
    assert model.describe(10) == model.describe(-1) == ""
    assert model.letters_at(7) == (None, 6)
    assert model.letters_at(10) == (None, None)


def test_bytes_without_a_glyph_are_named_by_number_and_counted():
    """All 256 bytes can be in a text."""
    data = bytes(range(256))
    pair = sequence(data, "x", Alphabet.TEXT), sequence(b"", "y", Alphabet.TEXT)
    model = AlignmentModel(*pair, index_alignment(from_cigar((256, "D"))))
    assert model.rows(0, 256).a.tolist() == list(range(256))
    assert (letter_name(0), letter_name(0x20), letter_name(0x7E), letter_name(0xE9)) == (
        "byte 0x00",
        "space",
        "~",
        "byte 0xE9",
    )
    assert "128 in A, 0 in B" in model.note()
    assert AlignmentModel(sequence("A"), sequence("A"), index_alignment(from_cigar((1, "=")))).note() == ""


@pytest.mark.parametrize(
    ("typed", "col"),
    [
        ("1", 0), ("10", 9), (" 1,0 ", 9), ("A:8", 8), ("a: 1", 0), ("B:7", 7), ("0%", 0), ("50 %", 5), ("100%", 9),
        ("#1", 2), ("#3", 9), ("0.01k", 9), ("ref:8", 8), ("QUERY:7", 7), (".00001M", 9), ("1\u202f0", 9),
    ],
)  # fmt: skip
def test_go_to_understands(model, typed, col):
    assert parse_place(typed, model) == Place(col)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("0", "only 1 to 10"), ("11", "only 1 to 10"), ("A:10", "A has no letter 10"), ("B:0", "only 1 to 9"),
        ("C:5", "not A, B or one"), ("x", "not a number"), ("", "try 5000, A:5000"),
        ("A: ", "try 5000, A:5000"), ("101%", "between 0 and 100"),
        ("nan%", "between 0 and 100"), ("x%", "not a number"), ("\n" * 99 + "A\x1b:1", "not A, B or one"),
        ("#4", "difference 4"), ("-3", "not a number"),
        ("A:5-2", "ends before it begins"), ("A:5-", "try 5000, A:5000"), ("A:5-20", "A has no letter 20"),
        ("9" * 20, "only 1 to"), ("1e400", "not a number"), ("9" * 9999, "999999999999… is beyond the end"),
    ],
)  # fmt: skip
def test_go_to_says_what_is_wrong_in_one_line(model, typed, why):
    with pytest.raises(PlaceError) as caught:
        parse_place(typed, model)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("A:2-4", Place(1, 4)), ("ref:2 - 4", Place(1, 4)), ("B:6..7", Place(6, 8)), ("3–10", Place(2, 10)),
        ("query:0.002k-0.003k", Place(1, 4)), ("A:4-4", Place(3, 4)),
    ],
)  # fmt: skip
def test_go_to_understands_ranges(model, typed, place):
    assert parse_place(typed, model) == place


def test_go_to_reads_numbers_as_the_locale_writes_them():
    pair = sequence("A" * 30000), sequence("A" * 30000)
    long = AlignmentModel(*pair, index_alignment(from_cigar((30000, "="))))
    use_separators(".", ",")
    try:
        assert [parse_place(text, long).col0 for text in ("12.345", "12,5k", "12,5%")] == [12344, 12499, 3750]
        with pytest.raises(PlaceError, match=r"31\.000, only 1 to 30\.000"):
            parse_place("31000", long)
    finally:
        use_separators()


def test_names_that_both_have_mean_a_and_first_words_are_enough():
    pair = sequence("ACGT", "chr1 human"), sequence("CGT", "chr1 ape")
    both = AlignmentModel(*pair, index_alignment(from_cigar((1, "D"), (3, "="))))
    assert parse_place("chr1:2", both) == Place(1)
    assert parse_place("CHR1 APE:1-2", both) == Place(1, 3)


def test_go_to_counts_differences_of_the_kinds_chosen(model):
    assert parse_place("#1", model, Kinds.INSERTION) == Place(7)
    with pytest.raises(PlaceError, match="difference 2"):
        parse_place("#2", model, Kinds.INSERTION)


def test_copies_are_exact(model):
    whole = {kind: copy_text(model, 0, 10, kind) for kind in CopyFormat}
    assert whole[CopyFormat.FASTA] == ">ref:1-9\nGATTACA-TC\n>query:1-9\nGA-TACAGTA\n"
    assert whole[CopyFormat.CIGAR] == "2=1D4=1I1=1X"
    assert whole[CopyFormat.PLAIN_A] == "GATTACATC"
    assert whole[CopyFormat.PLAIN_B] == "GATACAGTA"
    assert whole[CopyFormat.COORDINATES] == "columns 1-10\tA ref:1-9\tB query:1-9"
    assert whole[CopyFormat.CLUSTAL] == (
        "CLUSTAL alignment by Wavediff\n\n\nref        GATTACA-TC 9\nquery      GA-TACAGTA 9\n           ** **** * \n"
    )


def test_copies_of_a_part_are_cut_at_its_ends(model):
    assert copy_text(model, 2, 8, CopyFormat.FASTA) == ">ref:3-7\nTTACA-\n>query:3-7\n-TACAG\n"
    assert copy_text(model, 3, 5, CopyFormat.CIGAR) == "2="
    assert copy_text(model, 7, 8, CopyFormat.COORDINATES) == "columns 8-8\tA ref:gap after 7\tB query:7-7"
    assert copy_text(model, 7, 8, CopyFormat.FASTA) == ">ref\n-\n>query:7-7\nG\n"


def test_long_copies_are_folded_and_read_back():
    a, b, alignment = random_pair(100)
    model = AlignmentModel(a, b, index_alignment(alignment))
    lines = copy_text(model, 0, model.n_columns, CopyFormat.FASTA).splitlines()
    split = lines.index(f">b:1-{len(b)}")
    for rows, original in ((lines[1:split], a), (lines[split + 1 :], b)):
        assert {len(line) for line in rows[:-1]} == {60}
        assert "".join(rows).replace("-", "").encode() == original.letters.tobytes()
    clustal = copy_text(model, 0, model.n_columns, CopyFormat.CLUSTAL).splitlines()
    a_lines = [line.split() for line in clustal if line.startswith("a ")]
    assert "".join(part for _, part, _ in a_lines).replace("-", "").encode() == a.letters.tobytes()
    assert a_lines[-1][2] == str(len(a))


def test_names_that_are_hostile_or_alike_cannot_break_a_copy():
    """A header may hold anything."""
    pair = sequence("AC", "x\n>y\x1b[0m z"), sequence("AC", "")
    model = AlignmentModel(*pair, index_alignment(from_cigar((2, "="))))
    assert copy_text(model, 0, 2, CopyFormat.FASTA) == ">x_>y\\x1b[0m_z:1-2\nAC\n>unnamed:1-2\nAC\n"
    same = AlignmentModel(sequence("AC", "s"), sequence("AC", "s"), index_alignment(from_cigar((2, "="))))
    assert "A_s " in copy_text(same, 0, 2, CopyFormat.CLUSTAL)
    assert "B_s " in copy_text(same, 0, 2, CopyFormat.CLUSTAL)


def test_bytes_that_would_break_lines_are_marked_in_formats_that_have_lines():
    pair = sequence(b"a\n\xe9", "x", Alphabet.TEXT), sequence(b"a", "y", Alphabet.TEXT)
    model = AlignmentModel(*pair, index_alignment(from_cigar((1, "="), (2, "D"))))
    assert copy_text(model, 0, 3, CopyFormat.FASTA) == ">x:1-3\na??\n>y:1-1\na--\n"
    assert copy_text(model, 0, 3, CopyFormat.PLAIN_A) == "a\n\xe9"


def test_a_selection_too_large_for_a_clipboard_is_refused_with_both_numbers():
    n = MAX_COLUMNS + 1
    model = AlignmentModel(sequence(b"A" * n), sequence(b"A" * n), index_alignment(from_cigar((n, "="))))
    with pytest.raises(TooMuch, match=r"1,000,001 columns.*1,000,000"):
        copy_text(model, 0, n, CopyFormat.FASTA)
    assert copy_text(model, 0, n, CopyFormat.COORDINATES).startswith("columns 1-1000001\t")


@pytest.fixture
def placed():
    """TTGACATT over GATA, placed at its third letter: one substitution, overhang on both sides."""
    runs = from_cigar((2, "D"), (2, "="), (1, "X"), (1, "="), (2, "D"))
    alignment = Alignment(runs.ops, runs.lengths, head_runs=1, tail_runs=1)
    return AlignmentModel(sequence("TTGACATT"), sequence("GATA"), index_alignment(alignment))


def test_overhang_faces_nothing_and_is_no_difference(placed):
    rows = placed.rows(0, 8)
    assert rows.op.tolist() == [OVERHANG] * 2 + [0, 0, 1, 0] + [OVERHANG] * 2
    assert rows.b.tolist() == [NOTHING] * 2 + list(b"GATA") + [NOTHING] * 2
    assert placed.rows(3, 5).op.tolist() == [0, 1]
    assert placed.rows(5, 7).op.tolist() == [0, OVERHANG]
    index = placed.index
    assert (index.n_differences(), index.aligned_columns) == (1, (2, 6))
    assert placed.describe(0) == "Column 1 · A 1 T · B gap after 0 · overhang, no edit"
    assert placed.describe(4).endswith("substitution, 1 letter")
    assert index.column_of_b(0) == 2


def test_overhang_is_copied_as_gaps(placed):
    copied = copy_text(placed, 0, 8, CopyFormat.FASTA).splitlines()
    assert (copied[1], copied[3]) == ("TTGACATT", "--GATA--")
    assert copy_text(placed, 0, 3, CopyFormat.CLUSTAL).splitlines()[-1].endswith("  *")
    assert copy_text(placed, 0, 3, CopyFormat.PLAIN_B) == "G"


@pytest.fixture
def genes():
    """Genes of A on both strands, one joined, one of a frame of its own; of B one that A has not; B lacks letters."""
    a = spans_of(60, [
        ("g", "gene", 1, ((0, 9),), {}), ("g", "CDS", 1, ((3, 9), (12, 18)), {}),
        ("Rev", "CDS", -1, ((30, 36), (20, 27)), {"codon_start": "2"}), ("trnM", "tRNA", 1, ((40, 50),), {}),
        ("A", "CDS", 1, ((51, 57),), {}), ("round", "CDS", 1, ((57, 60), (0, 3)), {}),
    ])  # fmt: skip
    b = spans_of(54, [("only:b", "CDS", 1, ((48, 54),), {}), ("g", "CDS", 1, ((0, 6),), {})])
    one, other = replace(sequence("A" * 60, "ref"), spans=(a,)), replace(sequence("A" * 54, "query"), spans=(b,))
    return AlignmentModel(one, other, index_alignment(from_cigar((3, "="), (6, "D"), (51, "="))))


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("g", Place(3)), ("G", Place(3)), ("g:1", Place(3, 6)), ("g:3", Place(12, 15)), ("g:2-3", Place(6, 15)),
        ("g:K3N", Place(12, 15)), ("g:2del", Place(6, 9)), ("g:2-3delinsKK", Place(6, 15)), ("g:*4K", Place(15, 18)),
        ("rev", Place(35)), ("rev:1", Place(32, 35)), ("rev:2", Place(26, 32)), ("trnM", Place(40)),
        ("A", Place(51)), ("A:2", Place(1)), ("A:K2N", Place(54, 57)), ("only:b", Place(54)),
        ("only:b:2", Place(57, 60)), ("round", Place(57)), ("round:2", Place(0, 3)), (" g : 1 ", Place(3, 6)),
    ],
)  # fmt: skip
def test_go_to_understands_genes_and_codons(genes, typed, place):
    assert parse_place(typed, genes) == place


@pytest.mark.parametrize(
    ("typed", "why"),
    [("g:5", "g has no codon 5"), ("trnM:1", "trnM has no codon 1"), ("h:1", "not A, B or one"), ("g:0", "not A, B"),
     ("g:del", "not A, B or one"), ("rev:5", "Rev has no codon 5"), ("g:3-9", "g has no codon 9")],
)  # fmt: skip
def test_go_to_says_which_codons_there_are_not(genes, typed, why):
    with pytest.raises(PlaceError, match=why):
        parse_place(typed, genes)


def test_codons_of_genes_on_the_other_strand_and_in_a_range_have_their_numbers(genes):
    a, n = genes.a, len(genes.a)
    turned = a.oriented(Orientation(Strand.MINUS))
    model = AlignmentModel(turned, turned, index_alignment(from_cigar((n, "="))))
    for typed in ("g:1", "g:3", "rev:1", "A:K2N"):
        place = parse_place(typed, AlignmentModel(a, a, index_alignment(from_cigar((n, "=")))))
        assert parse_place(typed, model) == Place(n - place.col1, n - place.col0)
    part = replace(sequence("A" * 20), spans=(a.spans[0].within(10, 30),))
    model = AlignmentModel(part, part, index_alignment(from_cigar((20, "="))))
    assert parse_place("g:3", model) == Place(2, 5)
    with pytest.raises(PlaceError, match="g has no codon 2"):
        parse_place("g:2", model)
