"""Substitution matrices: those that are shipped, files of one's own, and letters that a matrix lacks."""

import numpy as np
import pytest

from wavediff.core.base.errors import InputError
from wavediff.core.sequences.scoring.builtin import BUILT_IN, built_in, find_matrix, parse_matrix, read_matrix
from wavediff.core.sequences.scoring.matrix import ABSENT, SubstitutionMatrix

SMALL = b"# a comment\n\n   A  C  *\nA  2 -1 -3\r\nC -1 +4 -3\n* -3 -3  1\n"
PEERS = {"DNAfull": "nuc44"}


@pytest.mark.parametrize("name", BUILT_IN)
def test_shipped_matrices_are_those_of_parasail(name):
    peer = getattr(pytest.importorskip("parasail"), PEERS.get(name, name.lower()))
    matrix = built_in(name)
    place = [int(peer.mapper[ord(letter)]) for letter in matrix.letters]
    assert np.array_equal(matrix.scores, peer.matrix[np.ix_(place, place)])


@pytest.mark.parametrize(
    ("name", "a", "b", "score"),
    [("BLOSUM62", "W", "W", 11), ("BLOSUM62", "L", "I", 2), ("BLOSUM62", "C", "*", -4), ("PAM250", "W", "W", 17),
     ("DNAfull", "A", "A", 5), ("DNAfull", "A", "C", -4), ("DNAfull", "A", "N", -2), ("DNAfull", "R", "A", 1)],
)  # fmt: skip
def test_known_scores(name, a, b, score):
    matrix = built_in(name)
    assert matrix.scores[matrix.codes[ord(a)], matrix.codes[ord(b)]] == score


@pytest.mark.parametrize("name", ["blosum62", "BLOSUM62", "Pam250", "dnafull", "EDNAFULL", "NUC.4.4"])
def test_shipped_matrices_are_found_whatever_the_case(name):
    assert find_matrix(name).name in BUILT_IN


def test_a_file_is_read_as_it_stands(tmp_path):
    (tmp_path / "own.mat").write_bytes(SMALL)
    for matrix in (read_matrix(tmp_path / "own.mat"), find_matrix(str(tmp_path / "own.mat"))):
        assert matrix.letters == "AC*"
        assert matrix.scores.tolist() == [[2, -1, -3], [-1, 4, -3], [-3, -3, 1]]
        assert matrix.name == str(tmp_path / "own.mat")


def test_rows_come_in_any_order_and_need_not_mirror_the_columns():
    assert parse_matrix(b"A C\nC 1 2\nA 3 4\n", "x").scores.tolist() == [[3, 4], [1, 2]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x: no substitution matrix in it"),
        (b"# only comments\n", "x: no substitution matrix in it"),
        (b"A CG\nA 1 2\n", "x, line 1: 'CG' where a letter is expected"),
        (b"A C A\n", "x, line 1: the letter 'A' has two columns"),
        (b"A C\nA 1 2\nG 1 2\n", "x, line 3: a row of 'G', which has no column; a row begins with one of A C"),
        (b"A C\nA 1 2\n\nA 1 2\n", "x, line 4: a second row of 'A'"),
        (b"A C\nA 1\n", "x, line 2: 1 scores in the row of 'A'; 2 are needed"),
        (b"A C\nA 1 2.5\n", "x, line 2: '2.5' in the row of 'A'; scores are whole numbers"),
        (b"A C\nA 1 10001\n", "x, line 2: '10001' in the row of 'A'; scores are whole numbers from -10,000 to 10,000"),
        (b"A C\nA 1 " + b"9" * 5000 + b"\n", "x, line 2: '9"),
        (b"A C\nA 1 2\n", "x, line 2: no row of 'C'; each of A C needs a row"),
        (b"A C\nA 1 \xff\n", "x, line 2: the byte 0xFF; a matrix is ASCII text"),
        (b">first\nACGT\n", "x, line 1: '>first' where a letter is expected"),
    ],
)
def test_what_is_no_matrix_is_refused_with_its_line(data, message):
    with pytest.raises(InputError) as refused:
        parse_matrix(data, "x")
    assert str(refused.value).startswith(message)


def test_a_name_that_is_no_file_lists_those_that_are_shipped(tmp_path):
    with pytest.raises(InputError, match=r"BLOSUM63: .*; a file in NCBI's format, or one of BLOSUM45, BLOSUM62"):
        find_matrix(str(tmp_path / "BLOSUM63"))


@pytest.mark.parametrize("name", [".", "a\0b", "missing/matrix"])
def test_what_cannot_be_opened_is_refused(tmp_path, name):
    with pytest.raises(InputError):
        read_matrix(tmp_path / name)


def test_a_large_file_is_not_read(tmp_path):
    (tmp_path / "genome").write_bytes(b"A" * (2 << 20))
    with pytest.raises(InputError, match="no substitution matrix"):
        read_matrix(tmp_path / "genome")


@pytest.mark.parametrize(
    ("name", "letter", "read_as"),
    [("BLOSUM62", "a", "A"), ("BLOSUM62", "J", "X"), ("BLOSUM62", "u", "X"), ("BLOSUM62", "O", "X"),
     ("BLOSUM62", "*", "*"), ("DNAfull", "u", "T"), ("DNAfull", "X", "N"), ("DNAfull", "n", "N")],
)  # fmt: skip
def test_letters_that_are_read_as_others(name, letter, read_as):
    matrix = built_in(name)
    assert matrix.letters[matrix.codes[ord(letter)]] == read_as


@pytest.mark.parametrize(("name", "letter"), [("BLOSUM62", "-"), ("BLOSUM62", "."), ("DNAfull", "E"), ("DNAfull", "*")])
def test_letters_without_a_score_are_refused_with_their_record(name, letter):
    matrix = built_in(name)
    assert matrix.codes[ord(letter)] == ABSENT
    counts = np.zeros(256, np.int64)
    counts[[ord(letter), ord("A")]] = 1
    with pytest.raises(InputError) as refused:
        matrix.require_letters(counts, "b.fa", (2, "second"))
    found = f"b.fa, record 2 'second': the letter '{letter}' has no score in the matrix {name}; the matrix has A "
    assert str(refused.value).startswith(found)
    counts[ord(letter)] = 0
    matrix.require_letters(counts, "b.fa", (2, "second"))


def test_a_matrix_with_lower_case_letters_keeps_them_apart():
    matrix = parse_matrix(b"A a\nA 1 -1\na -1 2\n", "x")
    assert matrix.codes[[ord("A"), ord("a")]].tolist() == [0, 1]


@pytest.mark.parametrize(("letters", "shape"), [("", (0, 0)), ("AC", (2, 3)), ("AA", (2, 2))])
def test_a_matrix_that_does_not_fit_together_is_a_slip_of_the_program(letters, shape):
    with pytest.raises(ValueError, match="different letters need"):
        SubstitutionMatrix("x", letters, np.zeros(shape, np.int16))
