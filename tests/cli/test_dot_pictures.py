"""``compare --view dots`` and ``--view blocks``: pictures of the dot plot and of the ribbons without a window."""

import re

import pytest

from tests.cli.helpers import call
from tests.core.screening.test_relation import random_letters
from tests.gpu import fake_cupy
from wavediff.app.window.pictures.picture_command import find_inputs, items_of, read_picture
from wavediff.core.export.recipe import read_recipe
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.orientation import reverse_complement

pytest.importorskip("PySide6")

A = random_letters(9_000, 3)
B = A[:3_000] + reverse_complement(A[3_000:6_000]) + A[6_000:]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.fa").write_bytes(b">one\n%s\n>other\nACGT\n" % A)
    (tmp_path / "b.fa").write_bytes(b">two\n%s\n" % B)
    return tmp_path


def test_dots_are_a_picture_of_each_kind(files, capsys):
    words = "compare", "a.fa:one", "b.fa", "--view", "dots", "--quiet"
    assert call(capsys, *words, "--png", "o.png", "--svg", "o.svg", "--pdf", "o.pdf") == (1, "", "")
    begins = {kind: (files / f"o.{kind}").read_bytes()[:5] for kind in ("png", "svg", "pdf")}
    assert begins == {"png": b"\x89PNG\r", "svg": b"<?xml", "pdf": b"%PDF-"}
    svg = (files / "o.svg").read_text()
    assert "one – two: Dots" in svg
    said = re.search(r"([\d,]+) shared 14-mers on \+, ([\d,]+) on −", svg)
    plus, minus = (int(one.replace(",", "")) for one in said.groups())
    assert 5_970 <= plus < 5_980
    assert 2_985 <= minus < 2_995


@pytest.mark.parametrize("at", [(), ("--at", "2001-4000,2501-4000")])
@pytest.mark.parametrize("more", [(), ("--unique", "--opacity", "10%")])
def test_its_recipe_makes_it_again(at, more, files, capsys):
    words = "compare", "a.fa:one", "b.fa", "--view", "dots", *at, *more, "--seed-letters", "24", "--quiet", "--svg"
    assert call(capsys, *words, "o.svg") == (1, "", "")
    first = (files / "o.svg").read_text()
    recipe = read_recipe(files / "o.svg").words
    assert recipe[0] == "compare"
    assert call(capsys, *recipe[:-1], "again.svg", "--quiet") == (1, "", "")
    assert (files / "again.svg").read_text() == first
    numbers = {int(one.replace(",", "")) for one in re.findall(r">(\d,\d{3})<", first)}
    assert (max(numbers) < 5_000) == bool(at)
    assert ("in runs with a unique one" in first) == bool(more)


@pytest.mark.parametrize("at", ["A:5", "0-9,1-9", "1-9,1-9001", "9-1,1-9", "#2"])
def test_dots_of_letters_that_are_not_there_are_refused(at, files, capsys):
    code, out, err = call(capsys, "compare", "a.fa:one", "b.fa", "--view", "dots", "--at", at, "--png", "o.png")
    assert (code, out) == (2, "")
    assert f"--at {at}: give a range of A and one of B, within 1-9000,1-9000" in err
    assert not (files / "o.png").exists()


def test_the_exit_code_is_that_of_equal_letters(files, capsys):
    (files / "c.fa").write_bytes(b">c\n%s\n" % A.lower())
    assert call(capsys, "compare", "a.fa:one", "c.fa", "--view", "dots", "--quiet", "--png", "o.png") == (0, "", "")


def test_blocks_and_dots_are_written_at_once(files, capsys):
    words = "compare", "a.fa:one", "b.fa", "--rearranged", "--view", "dots", "--png", "o.png", "--paf", "o.paf"
    code, out, _ = call(capsys, *words)
    assert code == 1
    assert "1 inverted" in out
    assert "o.png" in out
    assert len((files / "o.paf").read_text().splitlines()) == 3


@pytest.mark.parametrize("at", [(), ("--at", "#2")])
def test_blocks_are_a_picture_that_its_recipe_makes_again(at, files, capsys):
    words = "compare", "a.fa:one", "b.fa", "--view", "blocks", *at
    code, out, _ = call(capsys, *words, "--png", "o.png", "--svg", "o.svg", "--pdf", "o.pdf", "--tsv", "o.tsv")
    assert (code, out.splitlines()[0]) == (1, "3 blocks: 1 inverted; 0 edits inside")
    assert [(files / f"o.{kind}").read_bytes()[:4] for kind in ("png", "pdf")] == [b"\x89PNG", b"%PDF"]
    assert len((files / "o.tsv").read_text().splitlines()) == 4
    svg = (files / "o.svg").read_text()
    texts = re.findall(">([^<]*)<", svg)
    assert {"one – two: Blocks", "3 blocks: 1 inverted; 0 edits inside", "collinear", "inverted"} <= {*texts}
    assert [any(text.startswith(f"block {k}, + →") for text in texts) for k in (1, 3)] == 2 * [bool(at)]
    recipe = read_recipe(files / "o.svg").words
    assert call(capsys, *recipe[:-1], "again.svg", "--quiet") == (1, "", "")
    assert (files / "again.svg").read_text() == svg


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--view", "blocks", "--at", "#4", "--png", "x.png"), "--at #4: blocks are #1 to #3"),
        (("--view", "blocks", "--at", "A:5", "--png", "x.png"), "--at A:5: blocks are #1 to #3"),
        (("--rearranged", "--at", "#1"), "--at does not go with --rearranged"),
        (("--view", "blocks", "--gif", "x.gif"), "--view blocks writes no such picture"),
        (("--view", "blocks", "--fasta", "-"), "--fasta does not go with --view blocks"),
        (("--view", "blocks", "--all-records"), "--all-records goes with --view dots alone"),
    ],
)
def test_what_does_not_go_with_a_picture_of_blocks_is_refused(words, said, files, capsys):
    code, out, err = call(capsys, "compare", "a.fa:one", "b.fa", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert not (files / "x.png").exists()


ALL = "compare", "a.fa", "b.fa", "--view", "dots", "--all-records", "--quiet"


def test_all_records_are_named_in_one_picture_that_its_recipe_makes_again(files, capsys):
    (files / "b.fa").write_bytes(b">two\n%s\n>third\n%s\n" % (B, A[2_000:5_000]))
    assert call(capsys, *ALL, "--svg", "o.svg") == (1, "", "")
    svg = (files / "o.svg").read_text()
    assert "a.fa – b.fa: Dots" in svg
    assert {"one", "two", "third"} <= {*re.findall(">([^<]*)<", svg)}
    recipe = read_recipe(files / "o.svg").words
    assert call(capsys, *recipe[:-1], "again.svg", "--quiet") == (1, "", "")
    assert (files / "again.svg").read_text() == svg
    picture = find_inputs(read_picture(files / "o.svg", {}, CancelToken()), CancelToken())
    assert [(one.path.name, one.record) for one in items_of(picture.arguments)] == [("a.fa", 1), ("b.fa", 1)]
    assert picture.changed == ()
    (files / "b.fa").write_bytes(b">two\n%s\n" % B)
    changed = find_inputs(read_picture(files / "o.svg", {}, CancelToken()), CancelToken())
    assert changed.changed == ("b.fa has changed since the picture was made.",)


def test_all_records_of_a_file_are_those_of_itself(files, capsys):
    assert call(capsys, "compare", "a.fa", "a.fa", *ALL[3:], "--png", "o.png") == (0, "", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rearranged", "--view", "dots"), "--all-records goes with --view dots alone"),
        ((), "--all-records goes with --view dots alone"),
        (("--view", "map"), "--all-records goes with --view dots alone"),
        (("--view", "dots", "--record-a", "one"), "--record-a is for one record"),
        (("--view", "dots", "--orient", "minus"), "--orient is for one record"),
    ],
)
def test_what_does_not_go_with_all_records_is_refused(files, capsys, words, said):
    code, out, err = call(capsys, "compare", "a.fa", "b.fa", "--all-records", "--png", "o.png", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert not (files / "o.png").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--view dots writes a picture: name it, as with --png FILE"),
        (("--paf", "-"), "--view dots writes a picture"),
        (("--mp4", "o.mp4"), "--view dots and --view blocks write png, svg, pdf"),
        (("--png", "o.png", "--case", "exact"), "--case does not go with --view dots"),
        (("--png", "o.png", "--at", "5"), "--at 5: give a range of A and one of B"),
        (("--png", "o.png", "--vcf-strict"), "--vcf-strict does not go with --view dots"),
        (("--png", "o.png", "--method", "lcs"), "--view dots goes with --method edit, not with lcs"),
    ],
)
def test_what_does_not_go_with_dots_is_refused(files, capsys, words, said):
    code, out, err = call(capsys, "compare", "a.fa:one", "b.fa", "--view", "dots", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert not (files / "o.png").exists()


def test_letters_without_a_strand_have_no_dots(files, capsys):
    (files / "p.fa").write_bytes(b">p\nMKVLWAALLVTFLAGCQAKVEQAVETEPEPELRQ\n")
    code, _, err = call(capsys, "compare", "p.fa", "p.fa", "--view", "dots", "--png", "o.png")
    assert (code, "--view dots is for DNA and RNA" in err) == (2, True)


@pytest.mark.parametrize("words", [("--view", "dots", "--png", "o.png"), ("--rearranged",)])
def test_a_card_finds_the_matches_where_it_is_asked_for(words, files, capsys, monkeypatch):
    fake_cupy.install(monkeypatch, driver=None)
    refused = 2, "", "wavediff: GPU not used: there is no NVIDIA driver\n"
    assert call(capsys, "compare", "a.fa:one", "b.fa", "--quiet", *words, "--device", "gpu") == refused
    assert not (files / "o.png").exists()
