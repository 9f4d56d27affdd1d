"""EMBOSS's pair format, read by its columns as EMBOSS and Biopython document it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.formats import FORMATS
from wavediff.core.base.errors import ExportError
from wavediff.core.export.emboss import emboss
from wavediff.core.run.api import compare
from wavediff.core.sequences.orientation import reverse_complement

KITTEN = """\
########################################
# Program: wavediff
# Align_format: srspair
########################################

#=======================================
#
# Aligned_sequences: 2
# 1: A
# 2: B
#
# Length: 7
# Identity:       4/7 (57.1%)
# Similarity:     4/7 (57.1%)
# Gaps:           1/7 (14.3%)
#
#
#=======================================

A                  1 kitten-      6
                     .|||.|\x20
B                  1 sitting      7


#---------------------------------------
#---------------------------------------
"""
# Row, column and score of a table of the literature: BLOSUM62.
POSITIVE, NEGATIVE = [("I", "V", 3), ("D", "E", 2), ("K", "R", 2)], [("A", "W", -3), ("G", "I", -4)]


def written(answer):
    return b"".join(emboss(answer.comparison)).decode()


def read(text):
    """Return what a header says, the rows of both, the match line, and the places of each line."""
    lines = text.split("\n")
    rules = [at for at, line in enumerate(lines) if line == f"#{'=' * 39}"]
    header = dict(re.findall(r"^# ([\w ]+): +(.*)$", "\n".join(lines[rules[0] : rules[1]]), re.M))
    body = lines[rules[1] + 1 : lines.index(f"#{'-' * 39}")]
    rows, match, places = ["", ""], "", [[], []]
    shown = [line for line in body if line]
    for at in range(0, len(shown), 3):
        for which, line in ((0, shown[at]), (1, shown[at + 2])):
            name, start, letters, end = re.fullmatch(r"(?=.{21}\S)(\S{1,13}) *(\d+) (\S{1,50}) +(\d+)", line).groups()
            assert header[str(which + 1)].startswith(name)
            rows[which] += letters
            places[which].append((int(start), letters, int(end)))
        assert shown[at + 1][:21] == 21 * " "
        match += shown[at + 1][21:]
    return header, rows, match, places


def follow(places, letters):
    """Check that each line begins behind the one before it, and return the letters without gaps."""
    done = ""
    for start, row, end in places:
        plain = row.replace("-", "")
        assert (start, end) == ((len(done) + 1, len(done) + len(plain)) if plain else (len(done), len(done)))
        done += plain
    assert done == letters


def test_a_small_pair_is_written_as_documented():
    assert written(compare("kitten", "sitting")) == KITTEN


@given(st.text("ACGT", max_size=250), st.text("ACGT", max_size=250), st.integers(0, 120))
def test_rows_match_line_and_figures_agree(a, tail, cut):
    b = a[cut:] + tail
    header, rows, match, places = read(written(compare(a, b)))
    for which, letters in enumerate((a, b)):
        follow(places[which], letters)
    pairs = list(zip(*rows, strict=True))
    assert match == "".join(" " if "-" in pair else "|" if pair[0] == pair[1] else "." for pair in pairs)
    n = int(header["Length"])
    assert n == len(pairs)
    counts = {"Identity": match.count("|"), "Similarity": match.count("|"), "Gaps": match.count(" ")}
    for title, k in counts.items():
        assert header[title] == f"{k}/{n} ({100 * k / max(1, n):4.1f}%)"


@pytest.mark.parametrize(("pairs", "sign"), [(POSITIVE, ":"), (NEGATIVE, ".")])
def test_substitutions_of_a_positive_score_are_similar(pairs, sign):
    ends = "MWCHMWCH"
    a, b = (ends + "".join(pair[which] for pair in pairs) + ends for which in (0, 1))
    header, _, match, _ = read(written(compare(a, b, method="affine", matrix="BLOSUM62")))
    own = 2 * sum({"M": 5, "W": 11, "C": 9, "H": 8}[letter] for letter in ends)
    assert match == 8 * "|" + len(pairs) * sign + 8 * "|"
    assert header["Similarity"].startswith(f"{16 + match.count(':')}/")
    assert float(header["Score"]) == own + sum(score for *_, score in pairs)
    assert (header["Matrix"], header["Gap_penalty"], header["Extend_penalty"]) == ("BLOSUM62", "11.0", "1.0")


def test_places_are_those_of_the_file_on_either_strand():
    letters = "ACCGTTAGCATTACGGATCAGCATCGACTACGAAACCTTTACGACGACTTACGATATATCC"
    other = reverse_complement(letters.encode()).decode()
    _, rows, _, places = read(written(compare(letters, other, orient="minus")))
    assert rows == [letters, letters]
    assert [(start, end) for start, _, end in places[1]] == [(61, 12), (11, 1)]


def test_overhang_is_left_out():
    b = "GATTACAGATTACAGGCATTA"
    _, rows, match, places = read(written(compare(70 * "C" + b + 70 * "C", b, ends="a")))
    assert (rows, match, places[0][0][0]) == ([b, b], len(b) * "|", 71)


@pytest.mark.parametrize(("a", "b"), [("to be", "or not"), ("a-b", "ab")])
def test_letters_that_would_be_read_otherwise_are_refused(a, b):
    with pytest.raises(ExportError, match="EMBOSS's format"):
        FORMATS["emboss"].chunks(compare(a, b).comparison)
