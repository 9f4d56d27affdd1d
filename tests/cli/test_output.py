"""``-o FILE``: the ending of the name says the format."""

import json

import pytest

from tests.cli.helpers import call, trouble

COMPARED = [("o.paf", "--paf"), ("o.SAM", "--sam"), ("o.txt", "--text"), ("o.needle", "--emboss"), ("o.vcf", "--vcf")]


@pytest.mark.parametrize(("name", "option"), COMPARED)
def test_an_ending_stands_for_its_option(files, capsys, name, option):
    words = "compare", files / "a.fa", files / "b.fa", "--quiet", "-t", "1"
    assert call(capsys, *words, "-o", files / name) == (1, "", "")
    assert call(capsys, *words, option, files / "named") == (1, "", "")
    written, named = ((files / one).read_text() for one in (name, "named"))
    assert written.splitlines()[:1] == named.splitlines()[:1]
    assert len(written.splitlines()) == len(named.splitlines()) > 0


@pytest.mark.parametrize(
    ("words", "name", "begin"),
    [
        ("search a.fa --pattern ACG", "o.bed", b"first\t0\t3\tACG"),
        ("find a.fa ACG", "o.tsv", b"sequence\tpattern"),
        ("batch many.fa", "o.tsv", b"number_a\ta\t"),
        ("batch many.fa", "o.svg", b"<?xml"),
        ("race a.fa b.fa --kernels cpu", "o.tsv", b"kernel\t"),
        ("bwt a.fa", "o.bwt", b"\xd7WDBWT"),
        ("bwt a.fa", "o.txt", b"CTTAAACCGG"),
        ("lesson edit-table", "o.html", b"<!doctype html>"),
        ("lesson edit-table", "o.png", b"\x89PNG"),
        ("compare a.fa b.fa", "o.trace.json", b'{"displayTimeUnit"'),
        ("compare a.fa b.fa", "o.pdf", b"%PDF"),
    ],
)
def test_every_command_that_writes_has_it(files, capsys, monkeypatch, words, name, begin):
    monkeypatch.chdir(files)
    code, out, err = call(capsys, *words.split(), "--quiet", "-o", name)
    assert (code in (0, 1), out, err) == (True, "", "")
    assert (files / name).read_bytes().lower().startswith(begin.lower())


def test_an_inverse_transform_is_written_as_text(files, capsys):
    (files / "t.txt").write_text("banana")
    call(capsys, "bwt", files / "t.txt", "--quiet", "-o", files / "t.bwt")
    assert call(capsys, "bwt", files / "t.bwt", "--inverse", "--quiet", "-o", files / "back.txt") == (0, "", "")
    assert (files / "back.txt").read_text() == "banana"


def test_several_files_at_once(files, capsys):
    words = "compare", files / "a.fa", files / "b.fa", "--quiet"
    assert call(capsys, *words, "-o", files / "o.json", "-o", files / "o.cigar", "--tsv", files / "t")[0] == 1
    assert json.loads((files / "o.json").read_text())["method"] == "edit"
    assert {one.name for one in files.iterdir()} >= {"o.cigar", "t"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "o.doc"), "-o o.doc: the name ends in none of .paf .sam .fa .fasta"),
        (("-o", ".paf"), "-o .paf: the name ends in none of"),
        (("-o", ""), "-o : the name ends in none of"),
        (("-o", "-"), "-o -: the name ends in none of"),
        (("-o", "o.paf", "--paf", "p"), "-o o.paf: --paf p is given too"),
        (("-o", "o.paf", "-o", "p.paf"), "-o p.paf: --paf o.paf is given too"),
    ],
)
def test_a_name_that_says_no_format_is_refused(files, capsys, monkeypatch, words, said):
    monkeypatch.chdir(files)
    before = sorted(files.iterdir())
    trouble(call(capsys, "compare", "a.fa", "b.fa", *words), said)
    assert sorted(files.iterdir()) == before
