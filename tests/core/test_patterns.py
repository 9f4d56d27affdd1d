"""Lists of patterns, and what is said of one that cannot be searched for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.errors import InputError
from wavediff.core.jobs.events import run_to_end
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.matching import build_pattern_set, reverse_complement
from wavediff.core.sequences.pattern_list import MAX_LETTERS, Pattern, literal, read_list


def test_a_pattern_a_line_with_or_without_a_name():
    found = read_list(b"ACGT\r\nleft primer\tGGA TT\rTT\n\n\n", "p.txt")
    assert [(one.letters, one.name, one.line) for one in found] == [
        (b"ACGT", "ACGT", 1), (b"GGA TT", "left primer", 2), (b"TT", "TT", 3),
    ]  # fmt: skip
    assert {one.source for one in found} == {"p.txt"}


def test_fasta_with_lines_to_join():
    found = read_list(b"\xef\xbb\xbf\n>one first of them\nAC\n gt \n>\nTT\n", "p.fa")
    assert [(one.letters, one.name, one.line) for one in found] == [(b"AC gt ", "one", 2), (b"TT", "pattern 2", 5)]


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\t\n"])
def test_no_pattern_at_all(data):
    with pytest.raises(InputError, match=r"p\.txt: no pattern in it; one pattern a line"):
        read_list(data, "p.txt")


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"A\nname\t\n", 2), (b"A\n\nname\t  \n", 3), (b">a\nAC\n>b\n>c\nG\n", 3), (b">a\nA\n>b\n\n\n", 3)],
)
def test_an_empty_pattern_is_refused_with_its_line(data, line):
    with pytest.raises(InputError, match=rf"p\.txt, line {line}: pattern .*is empty; at least one letter") as info:
        read_list(data, "p.txt")
    assert info.value.line == line


def test_escapes_and_blank_lines_of_a_list():
    found = read_list(rb"a\tb" b"\n\n  \n" rb"\x3er1" b"\n" rb"two	x\ny\\z\x20" b"\n", "p.txt")
    assert [(one.letters, one.name, one.line) for one in found] == [
        (b"a\tb", "a\tb", 1), (b">r1", ">r1", 4), (b"x\ny\\z ", "two", 5),
    ]  # fmt: skip


@pytest.mark.parametrize("pattern", [r"a\qb", r"a\x4", "a\\"])
def test_an_unknown_escape_is_refused(pattern):
    with pytest.raises(InputError, match=r"p\.txt, line 2: pattern has the unknown escape '\\.?'; \\t, "):
        read_list(b"A\n" + pattern.encode(), "p.txt")


@given(st.binary(min_size=1))
def test_one_pattern_is_literal_and_any_can_be_in_a_list(letters):
    assert literal(letters, "--pattern 1").letters == letters
    escaped = "".join(f"\\x{code:02x}" for code in letters)
    assert read_list(escaped.encode())[0].letters == letters


def test_a_name_of_many_letters_is_cut_between_characters():
    assert literal("字".encode() * 41, "").name == "字" * 40 + "…"
    assert literal("🙋".encode() * 40, "").name == "🙋" * 40


def pattern_set(*patterns, rule=LetterRule.NUCLEOTIDE, fold_case=False, both_strands=False, errors=0):
    return run_to_end(build_pattern_set(patterns, rule, fold_case=fold_case, both_strands=both_strands, errors=errors))


def ask(letters, rule=LetterRule.NUCLEOTIDE, errors=0, both=False):
    with pytest.raises(InputError) as info:
        pattern_set(Pattern(letters, "x", "p.txt", 7), rule=rule, fold_case=True, both_strands=both, errors=errors)
    return str(info.value)


def test_what_cannot_be_searched_for_names_its_place():
    assert ask(b"ACXGT") == (
        "p.txt, line 7: pattern 'x' has 'X' at letter 3, which is not a nucleotide code; see IUPAC's codes"
    )
    assert "line 7: pattern 'x' has '\\xff' at letter 1" in ask(b"\xff")
    assert "has '1' at letter 2, which is not an amino acid" in ask(b"M1", LetterRule.PROTEIN)
    assert "has 4,097 letters; 4,096 are the most" in ask(b"A" * (MAX_LETTERS + 1))
    assert "has 3 letters and would match everywhere with 3 errors" in ask(b"ACG", errors=3)
    assert "is empty" in ask(b" \t")
    assert "no nucleotides" in ask(b"word", LetterRule.LITERAL, both=True)


def test_reverse_complements():
    assert reverse_complement(b"ACGTURYSWKMBDHVNacgtn") == b"nacgtNBDHVKMWSRYAACGT"
    given = tuple(Pattern(one, "") for one in (b"GAATTC", b"ACC", b"gaatTC", b"GAAUUC"))
    both = pattern_set(*given, both_strands=True)
    assert both.pattern.tolist() == [0, 1, 1, 2, 2, 3]
    assert both.strand.tolist() == [0, 1, -1, 1, -1, 0]  # with case, gaatTC is not its own
    assert both.letters.tobytes() == b"GAATTCACCGGTgaatTCGAattcGAAUUC"
    folded = pattern_set(given[2], fold_case=True, both_strands=True)
    assert folded.strand.tolist() == [0]


def test_literal_letters_keep_their_blanks():
    found = pattern_set(Pattern(b"a b ", ""), rule=LetterRule.LITERAL)
    assert found.letters.tobytes() == b"a b "
    assert (found.matches == np.eye(256)).all()
