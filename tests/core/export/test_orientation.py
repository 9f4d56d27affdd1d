"""What is written of a reversed or turned B is about the letters of its file."""

import json
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.helpers import alignment, columns_of, comparison, sequence
from tests.core.test_orientation import orientations
from tests.oracles import edit as oracle
from wavediff.core.export import json as as_json
from wavediff.core.export.fasta import fasta
from wavediff.core.export.paf import paf
from wavediff.core.export.sam import sam
from wavediff.core.export.tsv import tsv
from wavediff.core.jobs.alignment import Alignment, Swaps
from wavediff.core.sequences.orientation import Orientation, Strand, reverse_complement


@st.composite
def cases(draw):
    """A and B as in their files, and a best alignment of A with B in some orientation."""
    a = draw(st.text(st.sampled_from("ACGT"), max_size=30)).encode()
    letters = draw(st.text(st.sampled_from("ACGTN"), max_size=30)).encode()
    if draw(st.booleans()):
        letters = a[: draw(st.integers(0, 5))] + letters[:3] + a[draw(st.integers(0, 5)) :]
    b = sequence(letters, "query")
    other = b.oriented(draw(orientations(len(letters))))
    runs = alignment(oracle.script(a, other.letters.tobytes()))
    return sequence(a, "ref"), b, comparison(sequence(a, "ref"), other, runs)


def strand_of(letters, sign):
    return reverse_complement(letters) if sign == "-" else letters


@given(cases())
def test_paf_replayed_on_the_files_gives_their_letters(case):
    a, b, found = case
    text_a, text_b = a.letters.tobytes(), b.letters.tobytes()
    lines = b"".join(paf(found)).decode().splitlines()
    assert len(lines) == 1 + (found.b.orientation.turned and len(b) > 0)
    edits, a_end, covered = 0, 0, np.zeros(len(b), np.int64)
    for line in lines:
        fields = line.split("\t")
        q0, q1, t0, t1 = (int(fields[k]) for k in (2, 3, 7, 8))
        assert 0 <= q0 <= q1 <= len(b)
        assert t0 == a_end
        tags = {tag[:4]: tag[5:] for tag in fields[12:]}
        there = strand_of(text_b[q0:q1], fields[4])
        script = columns_of(tags["cg:Z"].removesuffix("*"))
        assert oracle.replay(text_a[t0:t1], script, there) == (there, int(tags["NM:i"]))
        edits, a_end = edits + int(tags["NM:i"]), t1
        covered[q0:q1] += 1
    assert a_end == len(a)
    assert (covered == 1).all()
    assert edits == oracle.distance(text_a, found.b.letters.tobytes())


@given(cases())
def test_sam_replayed_on_the_files_gives_their_letters(case):
    a, b, found = case
    text_a, text_b = a.letters.tobytes(), b.letters.tobytes()
    lines = b"".join(sam(found)).decode("ascii").splitlines()
    records = [line.split("\t") for line in lines if not line.startswith("@")]
    if not len(a) or not len(b):
        assert [record[1] for record in records] == ["4"]
        return
    assert ("TP:circular" in lines[1]) == found.b.orientation.circular
    for number, record in enumerate(records):
        flag = int(record[1])
        assert (flag & 2048 != 0) == (number > 0)
        strand = strand_of(text_b, "-" if flag & 16 else "+").decode()
        clips = re.fullmatch(r"(?:(\d+)([SH]))?(.*?)(?:(\d+)([SH]))?", record[5])
        before, behind = int(clips[1] or 0), int(clips[4] or 0)
        assert {clips[2], clips[5]} <= {None, "H" if flag & 2048 else "S"}
        aligned = strand[before : len(strand) - behind]
        assert record[9] == (aligned if flag & 2048 else strand)
        tags = {tag[:4]: tag[5:] for tag in record[11:]}
        script = columns_of(clips[3])
        part = text_a[int(record[3]) - 1 :][: sum(op != "I" for op in script)]
        assert oracle.replay(part, script, aligned.encode()) == (aligned.encode(), int(tags["NM:i"]))
        assert ("SA:Z" in tags) == (len(records) > 1)
        if "SA:Z" in tags:
            other = records[1 - number]
            place = tags["SA:Z"].removesuffix(";").split(",")
            assert (place[0], place[1], place[2]) == (other[2], other[3], "-" if flag & 16 else "+")
            read = sum(int(n) for n, op in re.findall(r"(\d+)([SMI])", place[3]))
            assert read == len(b)


@given(cases())
def test_the_table_names_places_of_the_files(case):
    a, b, found = case
    text_b, minus = b.letters.tobytes(), found.b.orientation.strand is Strand.MINUS
    step = -1 if minus else 1
    for line in b"".join(tsv(found)).decode().splitlines()[1:]:
        _, _, _, a0, a1, b0, b1, in_a, in_b = line.split("\t")
        assert a.letters.tobytes()[int(a0) - 1 : int(a1)].decode() == in_a
        places = [(int(b0) - 1 + step * k) % len(b) for k in range(len(in_b))]
        there = bytes(text_b[place] for place in places)
        assert (reverse_complement(there)[::-1] if minus else there).decode() == in_b
        if in_b:
            assert places[-1] == int(b1) - 1
        elif len(b):
            assert (int(b0) - int(b1) - step) % len(b) == 0


def turned():
    """``AACCGGTTAC`` with its reverse complement, turned by 4 (``CGGTTGTAAC`` is its file)."""
    a = sequence(b"AACCGGTTAC", "ref")
    b = sequence(reverse_complement(b"GGTTACAACC"), "query").oriented(Orientation(Strand.MINUS, circular=True, shift=6))
    return comparison(a, b, alignment("=" * 10))


def test_a_turned_circle_is_two_lines():
    lines = [line.split("\t") for line in b"".join(paf(turned())).decode().splitlines()]
    assert [line[2:5] + line[7:9] for line in lines] == [["0", "4", "-", "0", "4"], ["4", "10", "-", "4", "10"]]
    records = [line.split("\t") for line in b"".join(sam(turned())).decode().splitlines()[3:]]
    assert [[*record[1:6], record[9]] for record in records] == [
        ["16", "ref", "5", "60", "6=4S", "GGTTACAACC"],
        ["2064", "ref", "1", "60", "6H4=", "AACC"],
    ]
    assert records[0][12] == "SA:Z:ref,1,-,6S4M,60,0;"


def test_a_place_that_begins_with_the_file_of_a_turned_circle_is_one_line():
    """Overhang ends where the file of A does: no line of no letters is before what is aligned."""
    a = sequence(b"TTTTACGT", "ref").oriented(Orientation(circular=True, shift=4))
    runs = alignment("DDDD====")
    found = comparison(a, sequence(a.letters.tobytes()[4:]), Alignment(runs.ops, runs.lengths, head_runs=1))
    (line,) = (line.split("\t") for line in b"".join(paf(found)).decode().splitlines())
    assert (line[2:4], line[7:9], line[-1]) == (["0", "4"], ["0", "4"], "cg:Z:4=")


def test_a_swap_is_told_where_it_stands_in_the_file():
    a, b = sequence(b"AACT"), sequence(reverse_complement(b"ACAT")).oriented(Orientation(Strand.MINUS))
    found = comparison(a, b, alignment("=XX="), method="swap")
    object.__setattr__(found, "result", _WithSwaps(found.result, Swaps(*([np.array([k]) for k in (1, 2, 1, 2)]))))
    assert b"\tzd:i:1\tzs:Z:1-2/2-1\t" in b"".join(paf(found))


class _WithSwaps:
    def __init__(self, result, swaps):
        self._result, self.swaps = result, swaps

    def __getattr__(self, name):
        return getattr(self._result, name)


def test_headers_and_json_say_so():
    found = turned()
    assert b"".join(fasta(found)).startswith(b">ref\nAACCGGTTAC\n>query [reverse complement, from 4]\nAACCGGTTAC\n")
    read = json.loads(b"".join(as_json.comparison(found)))
    assert read["orientation"] == {"strand": "minus", "origin": 3, "topology": "circular"}
    assert read["b"]["sha256"] == as_json.about(found.b.original)["sha256"] != as_json.about(found.b)["sha256"]
