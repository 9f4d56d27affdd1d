"""Enzymes, circles and pairs of primers in a search, against slow scans and Biopython's own search."""

import re

import numpy as np
import pytest
from Bio import Restriction
from Bio.Seq import Seq
from hypothesis import given
from hypothesis import strategies as st

import wavediff
from tests.app.fakes import fasta
from tests.cli.helpers import ROOT, call
from wavediff.core.jobs.search import SearchJob
from wavediff.core.run.runner import run_job
from wavediff.core.run.search_file import MAX_PRODUCT, planned
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.pattern_list import literal

PHIX = ROOT / "resources" / "demo" / "phix174_NC_001422.1.fa"
DNA = st.text("ACGT", min_size=1, max_size=30)
PATTERN, PRIMER = (st.text("ACGT", min_size=2, max_size=most) for most in (30, 4))
# Palindromes, other sites, degenerate ones, cuts outside of the site, sites across the origin of phiX174.
ENZYMES = re.findall(
    r"\w+",
    "HaeIII HinfI PstI EcoRI BamHI AluI TaqI HhaI HpaII XhoI BsaI FokI MboII BbvI HgaI MnlI DdeI HincII AvaII BstNI "
    "SfaNI PleI BsmAI NciI HphI Eco57I BseRI",
)


def rows_of(out):
    head, *lines = out.splitlines()
    return [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]


def phix():
    return "".join(PHIX.read_text().splitlines()[1:])


@pytest.mark.parametrize("topology", ["linear", "circular"])
def test_enzymes_cut_where_biopython_has_it(capsys, topology):
    words = ["search", PHIX, "--enzyme", ",".join(ENZYMES), "--topology", topology, "--tsv", "-", "--quiet"]
    rows = rows_of(call(capsys, *words)[1])
    for name in ENZYMES:
        enzyme = getattr(Restriction, name)
        cuts = enzyme.search(Seq(phix()), linear=topology == "linear")
        mine = sorted(int(row["cut_after"]) for row in rows if row["pattern"] == name and row["cut_after"])
        assert [(cut % 5386) + 1 for cut in mine] == sorted((cut - 1) % 5386 + 1 for cut in cuts), name


@pytest.mark.parametrize("name", ["TaqI", "HaeIII", "FokI", "BsaI", "MnlI"])
def test_a_cut_is_told_that_leaves_a_letter_on_either_side(capsys, tmp_path, name):
    enzyme = getattr(Restriction, name)
    ends = range(max(0, enzyme.fst5 - enzyme.size) + 3)
    sites = [(before, "A" * before + enzyme.site + "A" * after) for before in (0, 1) for after in ends]
    (tmp_path / "x.fa").write_text("".join(f">r{k}\n{text}\n" for k, (_, text) in enumerate(sites)))
    rows = rows_of(call(capsys, "search", tmp_path / "x.fa", "--enzyme", name, "--tsv", "-", "--quiet")[1])
    for k, (before, text) in enumerate(sites):
        told = {row["cut_after"] for row in rows if row["record"] == f"r{k}"}
        at = before + enzyme.fst5
        assert told == {str(at) if 0 < at < len(text) else ""}, text


def test_fragments_of_phix174_are_those_of_the_catalogues(capsys):
    """As a circle it has as many fragments as cuts: HaeIII 11, HinfI 21, PstI and XhoI 1, EcoRI and BamHI none."""
    words = ["search", PHIX, "--enzyme", "HaeIII,HinfI,PstI,XhoI,EcoRI,BamHI", "--topology", "circular"]
    rows = rows_of(call(capsys, *words, "--tsv", "-", "--quiet")[1])
    counts = [sum(row["pattern"] == name for row in rows) for name in ("HaeIII", "HinfI", "PstI", "XhoI", "EcoRI")]
    assert counts == [11, 21, 1, 1, 0]
    cuts = sorted(int(row["cut_after"]) for row in rows if row["pattern"] == "HaeIII")
    sizes = sorted(np.diff([*cuts, cuts[0] + 5386]).tolist(), reverse=True)
    assert sizes == [1353, 1078, 872, 603, 310, 281, 271, 234, 194, 118, 72], "the marker phiX174 / HaeIII"
    _, out, _ = call(capsys, "search", "PstI", PHIX, "--topology", "circular")
    assert out.splitlines()[0] == "NC_001422.1:5382-1  .  CGTATCCAAC[CTGCAG]AGTTTTATCG  cut after 5386"
    assert wavediff.search("PstI", phix(), topology="circular")[["start", "end"]].tolist() == [(5381, 5387)]


def run(text, starts, patterns, circles, **how):
    job = SearchJob(
        text=np.frombuffer(text, np.uint8), starts=np.array(starts), patterns=tuple(patterns),
        rule=LetterRule.NUCLEOTIDE, **how,
    )  # fmt: skip
    plan = planned(job, np.array(circles))
    return plan.found(run_job(plan.job))


def occurrences(record, pattern, circular, errors):
    """Return first letter, end and mismatches of each occurrence, letter by letter; one may go on at the start."""
    n, around = len(record), record + record
    starts = range(n if circular else n - len(pattern) + 1) if len(pattern) <= n else ()
    found = [(at, sum(x != y for x, y in zip(around[at:], pattern, strict=False))) for at in starts]
    return [(at, at + len(pattern), cost) for at, cost in found if cost <= errors]


@given(
    st.lists(st.tuples(DNA, st.booleans()), min_size=1, max_size=4),
    st.lists(PATTERN, min_size=1, max_size=3),
    st.integers(0, 1),
)
def test_hits_across_the_origin_of_circles(records, patterns, errors):
    text, circles = "".join(one for one, _ in records).encode(), [circular for _, circular in records]
    starts = np.cumsum([0, *(len(one) for one, _ in records)])
    result = run(text, starts, [literal(one.encode(), one) for one in patterns], circles, errors=errors)
    expected = [
        (int(begin) + at, int(begin) + end, k, cost)
        for begin, (record, circular) in zip(starts, records, strict=False)
        for k, pattern in enumerate(patterns)
        for at, end, cost in occurrences(record, pattern, circular, errors)
    ]
    hits = result.hits
    found = zip(*(one.tolist() for one in (hits.start, hits.end, hits.pattern, hits.cost)), strict=True)
    assert sorted(found) == sorted(expected)
    assert result.counts.tolist() == [sum(one[2] == k for one in expected) for k in range(len(patterns))]
    assert result.n_letters == len(text)


def amplified(record, forward, reverse, circular, errors):
    """Return the products of two primers: from each occurrence of one to each of the other's reverse complement."""
    found = []
    for first, second, strand in ((forward, reverse, 1), (reverse, forward, -1)):
        other = reverse_complement(second.encode()).decode()
        for start, left_end, cost in occurrences(record, first, circular, errors):
            for _, end, more in occurrences(record, other, circular, errors):
                for stop in (end, end + len(record)) if circular else (end,):
                    size = stop - start
                    if max(len(second), left_end - start) <= size <= len(record):
                        found.append((start, stop, strand, cost + more))
    return found


@given(DNA, PRIMER, PRIMER, st.booleans(), st.integers(0, 1))
def test_products_of_two_primers(record, forward, reverse, circular, errors):
    pair = literal(f"{forward}..{reverse}".encode(), "pair")
    hits = run(record.encode(), [0, len(record)], [pair], [circular], errors=errors).hits
    found = zip(*(one.tolist() for one in (hits.start, hits.end, hits.strand, hits.cost)), strict=True)
    assert sorted(found) == sorted(amplified(record, forward, reverse, circular, errors))


def test_products_on_the_command_line(tmp_path, capsys):
    text = phix()
    forward, reverse = text[100:120], reverse_complement(text[480:500].encode()).decode()
    pair = f"{forward}..{reverse}"
    _, out, _ = call(capsys, "search", pair, PHIX)
    assert out.splitlines()[0].endswith("  400 letters")
    (tmp_path / "pairs.txt").write_text(f"short\t{pair}\nsite\tCTGCAG\n")
    _, out, _ = call(capsys, "search", PHIX, "--patterns", tmp_path / "pairs.txt", "--tsv", "-", "--quiet")
    assert [(row["pattern"], row["start"], row["end"], row["length"]) for row in rows_of(out)] == [
        ("short", "101", "500", "400")
    ]
    turned = fasta(tmp_path / "turned.fa", ("turned", text[300:] + text[:300]))
    assert call(capsys, "search", pair, turned)[0] == 1
    _, out, _ = call(capsys, "search", pair, turned, "--topology", "circular", "--bed", "-", "--quiet")
    assert [line.split("\t")[1:3] for line in out.splitlines()] == [["5186", "5386"], ["0", "200"]]
    changed = forward[:9] + ("A" if forward[9] != "A" else "C") + forward[10:]
    _, out, _ = call(capsys, "search", f"{changed}..{reverse}", PHIX, "-k", "1", "--tsv", "-", "--quiet")
    assert [row["mismatches"] for row in rows_of(out)] == ["1"]
    far = fasta(tmp_path / "far.fa", ("far", forward + "A" * MAX_PRODUCT + text[480:500]))
    assert call(capsys, "search", pair, far)[0] == 1
    code, _, err = call(capsys, "search", f"{forward}..", PHIX)
    assert (code, "lacks a primer; FORWARD..REVERSE" in err) == (2, True)
    _, out, _ = call(capsys, "search", "--enzyme", "PstI", PHIX, far, "--topology", "circular", "--tsv", "-", "--quiet")
    assert [(row["start"], row["end"], row["cut_after"]) for row in rows_of(out)] == [("5382", "1", "5386")]


def test_circles_of_a_file_need_no_option(tmp_path, capsys):
    """A GenBank record that is a circle, with the site across its origin."""
    letters = "ctgca" + "acgt" * 15 + "gg"
    origin = f"        1 {letters[:60]}\n       61 {letters[60:]}\n"
    circle = tmp_path / "x.gb"
    circle.write_text(
        f"LOCUS       X  {len(letters)} bp    DNA     circular SYN 01-JAN-2000\nACCESSION   X\nORIGIN\n{origin}//\n"
    )
    code, out, _ = call(capsys, "search", "GGCTG", circle)
    assert (code, out.splitlines()[0].split()[0]) == (0, "X:66-3")
    assert call(capsys, "search", "GGCTG", circle, "--topology", "linear")[0] == 1
