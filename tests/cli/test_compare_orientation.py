"""``compare --orient --topology``: the other strand and another origin of B, told in the places of its file."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.helpers import call
from tests.core.reading.test_flat_files import genbank
from wavediff.app.ui import samples
from wavediff.core.sequences.orientation import reverse_complement

PHIX = Path(samples.DEMO_PAIR[0]).with_name("phix174_NC_001422.1.fa")
FOUND = "--orient", "auto", "--topology", "circular"


@pytest.fixture(scope="module")
def phix():
    return b"".join(PHIX.read_bytes().split(b"\n")[1:])


def changed(letters, at):
    return letters[:at] + (b"A" if letters[at : at + 1] != b"A" else b"C") + letters[at + 1 :]


def differences(table):
    return [line.split("\t") for line in table.splitlines()[1:]]


def test_the_other_strand_differs_in_one_letter(tmp_path, capsys, phix):
    file = tmp_path / "b.fa"
    file.write_bytes(b">b\n" + reverse_complement(changed(phix, 3000)))
    words = ["compare", "-v", PHIX, file, "--orient", "minus"]
    code, out, err = call(capsys, *words, "--tsv", "-", "--json", tmp_path / "b.json", "--quiet")
    assert (code, err) == (1, "")
    ((_, op, _, *places, in_a, in_b),) = differences(out)
    assert (op, places) == ("X", ["3001", "3001", "2386", "2386"])
    assert (in_a, in_b) == (chr(phix[3000]), chr(changed(phix, 3000)[3000]))
    told = json.loads((tmp_path / "b.json").read_text())
    assert (told["distance"], told["orientation"]["strand"]) == (1, "minus")
    code, out, _ = call(capsys, *words)
    assert "B  b: 5,386 letters, DNA, reverse complement\n" in out


def test_letters_that_are_all_n_have_another_strand(tmp_path, capsys):
    file = tmp_path / "n.fa"
    file.write_bytes(b">x\n" + b"N" * 30)
    code, out, _ = call(capsys, "compare", file, file, "--orient", "minus", "--paf", "-", "--quiet")
    assert (code, out.split("\t")[2:5]) == (0, ["0", "30", "-"])


def plasmid():
    """4,923 letters with a repeat of 600 and an inverted one of 300, as plasmids have them."""
    rng = np.random.default_rng(30)
    own, repeat, inverted = (bytes(rng.choice(list(b"ACGT"), n).astype(np.uint8).tobytes()) for n in (3123, 600, 300))
    return own[:700] + repeat + inverted + own[700:1900] + reverse_complement(inverted) + own[1900:] + repeat


@pytest.mark.parametrize("turn", [0, 1, 1234, 4000])
@pytest.mark.parametrize("minus", [False, True])
@pytest.mark.parametrize("circle", ["phix", "plasmid"])
def test_a_turned_circle_differs_in_one_letter(tmp_path, capsys, phix, circle, minus, turn):
    a = phix if circle == "phix" else plasmid()
    n = len(a)
    b = changed(a, 3000)
    b = b[turn:] + b[:turn]
    b = reverse_complement(b) if minus else b
    (tmp_path / "a.fa").write_bytes(b">a\n" + a)
    (tmp_path / "b.fa").write_bytes(b">b\n" + b)
    words = ["compare", "-v", tmp_path / "a.fa", tmp_path / "b.fa", *FOUND, "--quiet"]
    code, out, err = call(capsys, *words, "--tsv", "-", "--paf", tmp_path / "b.paf", "--json", tmp_path / "b.json")
    assert (code, err) == (1, "")
    ((_, op, _, *places, in_a, in_b),) = differences(out)
    place = (3000 - turn) % n
    place = n - 1 - place if minus else place
    assert (op, places) == ("X", ["3001", "3001", str(place + 1), str(place + 1)])
    there = b[place : place + 1]
    assert (in_a, in_b.encode()) == (chr(a[3000]), reverse_complement(there) if minus else there)
    told = json.loads((tmp_path / "b.json").read_text())
    origin = (n - turn) % n
    origin = (turn - 1) % n if minus else origin
    strand = "minus" if minus else "plus"
    assert told["orientation"] == {"strand": strand, "origin": origin, "topology": "circular"}
    lines = [line.split("\t") for line in (tmp_path / "b.paf").read_text().splitlines()]
    assert [line[4] for line in lines] == ["-" if minus else "+"] * (2 if turn else 1)
    assert sum(int(line[9]) for line in lines) == n - 1


def test_a_real_circle_costs_the_same_from_every_letter(tmp_path, capsys):
    """The mitochondrion of the orang-utan, which differs from ours in more than letters at the origin."""
    letters = b"".join(Path(samples.DEMO_PAIR[1]).read_bytes().split(b"\n")[1:])
    file = tmp_path / "b.fa"
    file.write_bytes(b">b\n" + reverse_complement(letters[9000:] + letters[:9000]))
    words = ["compare", "-v", samples.DEMO_PAIR[0], file, *FOUND, "--json", "-"]
    code, out, err = call(capsys, *words, "--traceback", "none", "--quiet")
    assert (code, err) == (1, "")
    assert json.loads(out)["distance"] <= 3315


def test_what_cannot_be_found_is_told_and_compared_as_it_is(tmp_path, capsys):
    (tmp_path / "n.fa").write_bytes(b">n\n" + b"N" * 30)
    (tmp_path / "b.fa").write_bytes(b">b\n" + plasmid()[:30])
    words = ["compare", "-v", tmp_path / "n.fa", tmp_path / "b.fa", *FOUND, "--quiet"]
    code, out, err = call(capsys, *words, "--paf", "-")
    assert (code, out.split("\t")[2:5]) == (1, ["0", "30", "+"])
    assert err == (
        "note: Neither strand of B shares more with A: it is compared as in its file\n"
        "note: No start of B matches the start of A: B starts as in its file\n"
    )


def test_the_list_of_places_has_both_strands_itself(tmp_path, capsys, phix):
    file = tmp_path / "gene.fa"
    file.write_bytes(b">gene\n" + reverse_complement(phix[1000:1800]))
    words = ["compare", "-v", PHIX, file, "--ends", "a", "--quiet"]
    code, out, _ = call(capsys, *words, "--orient", "auto", "--paf", "-")
    assert (code, out.split("\t")[2:5], out.split("\t")[7:9]) == (1, ["0", "800", "-"], ["1000", "1800"])
    code, out, _ = call(capsys, *words, "--loci", "10%", "--tsv", "-")
    assert (code, out.splitlines()[1].split("\t")[:4]) == (1, ["1", "-", "1001", "1800"])
    for strand in ("minus", "auto"):
        assert call(capsys, *words, "--loci", "10%", "--tsv", "-", "--orient", strand)[1] == out


@pytest.mark.parametrize(
    ("topology", "words", "distance"),
    [("circular", [], 1), ("linear", [], None), ("circular", ["--topology", "linear"], None)],
)
def test_a_circle_by_its_file_is_compared_as_one(tmp_path, capsys, phix, topology, words, distance):
    turned = changed(phix, 3000)[1234:] + phix[:1234]
    (tmp_path / "b.gb").write_bytes(genbank(turned.lower(), topology.encode(), b""))
    files = ["compare", "-v", PHIX, tmp_path / "b.gb", "--json", tmp_path / "b.json", *words]
    code, _, err = call(capsys, *files, "--svg", tmp_path / "b.svg")
    told = json.loads((tmp_path / "b.json").read_text())
    assert code == 1
    if distance is None:
        assert told["distance"] > 1000
        assert "circle" not in err
    else:
        assert told["distance"] == distance
        assert "b.gb: circular according to its file, compared from 4,153 on; --topology linear keeps" in err
    assert told["orientation"]["topology"] == ("linear" if distance is None else "circular")
    assert ("--topology linear" in (tmp_path / "b.svg").read_text()) == bool(words)


def test_a_circle_beside_a_protein_is_a_line(tmp_path, capsys):
    (tmp_path / "a.fa").write_bytes(b">a\nMVLSPADKTNVKAAW\n")
    (tmp_path / "b.gb").write_bytes(genbank())
    code, _, err = call(capsys, "compare", tmp_path / "a.fa", tmp_path / "b.gb", "--quiet")
    assert (code, "circle" in err) == (1, False)
