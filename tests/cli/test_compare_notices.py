"""``compare`` says what its answer does not show: on standard error and in the JSON."""

import io
import itertools
import json
import re

import pytest

from tests.cli.helpers import call
from tests.core.screening.test_relation import random_letters
from wavediff.app.commands import compare
from wavediff.core.screening import pair_run
from wavediff.core.sequences.orientation import reverse_complement


@pytest.fixture
def random_pair(tmp_path):
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for seed, path in enumerate(paths):
        path.write_bytes(b">x\n" + random_letters(20_000, seed))
    return paths


def test_random_letters_are_called_so(capsys, random_pair, tmp_path):
    code, out, err = call(capsys, "compare", *random_pair, "--method", "lcs", "--json", tmp_path / "j")
    assert code == 1
    (line,) = [one for one in err.splitlines() if one.startswith("note: ")]
    assert line.startswith("note: No more alike than random letters of this composition (65.")
    assert "note: " not in out
    (told,) = json.loads((tmp_path / "j").read_text())["notices"]
    assert (told["kind"], f"note: {told['text']}: try --method affine") == ("chance", line)
    assert told["numbers"]["identity"] == pytest.approx(told["numbers"]["expected"], abs=0.02)


def test_dna_against_a_protein_is_told(capsys, tmp_path):
    (tmp_path / "dna.fa").write_text(">ra\nGAGGACATCAGGCTGTCCTGTAGGATTATTCGTCTGCTTAAACTTCTTGGATGTAGCAAATCTCACT\n")
    (tmp_path / "protein.fa").write_text(">p\nMVLSEGEWQLVLHVWAKVEADVAGHGQDILIRLFKSHPET\n")
    for how in ("edit", "affine"):
        words = tmp_path / "dna.fa", tmp_path / "protein.fa", "--method", how, "--json", tmp_path / "j"
        _, _, err = call(capsys, "compare", *words)
        assert "note: A is DNA, B is protein: the same letters do not stand for the same things" in err
        assert "try --method" not in err
        assert [one["kind"] for one in json.loads((tmp_path / "j").read_text())["notices"]] == ["alphabets"]


def test_quiet_is_quiet_and_the_json_has_them_all_the_same(capsys, random_pair, tmp_path):
    words = ["compare", *random_pair, "--quiet", "--traceback", "none"]
    assert call(capsys, *words) == (1, "", "")
    code, out, err = call(capsys, *words, "--json", "-")
    assert (code, err) == (1, "")
    assert [one["kind"] for one in json.loads(out)["notices"]] == ["chance"]


def test_a_long_comparison_is_told_in_advance_and_once(capsys, random_pair, monkeypatch):
    a, b = random_pair
    b.write_bytes(b">b\n" + reverse_complement(a.read_bytes()[3:]))
    _, _, err = call(capsys, "compare", "-v", a, b)
    assert err.count("note: ") == 1
    monkeypatch.setattr(compare, "LONG_SECONDS", 0.0)
    _, _, err = call(capsys, "compare", "-v", a, b)
    lines = err.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("note: B is on the other strand: 100 %")]
    assert at < next(i for i, line in enumerate(lines) if "cells in" in line)
    assert lines[at].endswith(": try --orient auto")
    _, _, err = call(capsys, "compare", "-v", a, b, "--orient", "minus")
    assert "note: " not in err


@pytest.fixture
def two_strands(tmp_path):
    """Two strains: two thirds of B are inverted, so that no band of the seeds holds a path."""
    a = random_letters(60_000, 1)
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for path, one in zip(paths, (a, a[:20_000] + reverse_complement(a[20_000:])), strict=True):
        path.write_bytes(b">" + path.stem.encode() + b"\n" + one)
    return paths


@pytest.mark.parametrize("quiet", [False, True])
def test_a_very_long_comparison_that_shows_too_little_is_not_begun_unasked(capsys, two_strands, monkeypatch, quiet):
    for name in ("LONG_SECONDS", "ASK_SECONDS"):
        monkeypatch.setattr(compare, name, 0.0)
    words = ["compare", *two_strands, *(["--quiet"] if quiet else [])]
    code, out, err = call(capsys, *words)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("wavediff: a comparison of about ")
    assert "was not started: Part of B is inverted: 67 % of the shared 16-mers are on the other strand" in last
    assert last.endswith(": try --orient auto or --anyway")
    code, _, err = call(capsys, *words, "--anyway")
    assert (code, "not begun" in err) == (1, False)


@pytest.mark.parametrize(("typed", "code"), [("y\n", 1), ("\n", 2), ("", 2)])
def test_in_a_terminal_it_is_asked(capsys, two_strands, monkeypatch, typed, code):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for name in ("LONG_SECONDS", "ASK_SECONDS"):
        monkeypatch.setattr(compare, name, 0.0)
    screen = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("wavediff.app.commands.streams.prepare", lambda: None)
    assert call(capsys, "compare", *two_strands)[0] == code
    assert "Compare all the same? [y/N] " in screen.getvalue()


def test_what_the_screening_knows_makes_the_first_band_wide_enough(capsys, two_strands, monkeypatch, tmp_path):
    """Seeds alone say a few per cent of edits, as most of what is there is there on the other strand."""
    answers = []
    for name, method in itertools.product((0.0, 1e9), ("edit", "lcs")):
        monkeypatch.setattr(compare, "LONG_SECONDS", name)
        call(capsys, "compare", *two_strands, "--method", method, "--traceback", "none", "--json", tmp_path / "j")
        answers.append(json.loads((tmp_path / "j").read_text()))
    informed, _, blind, _ = answers
    assert [one["identity"] for one in answers[:2]] == [one["identity"] for one in answers[2:]]
    assert [one["proven"] for one in informed["bands"]] == [True]
    assert "no path holds more than 33% of what is shared" in informed["reason"]
    assert informed["cells_computed"] <= blind["cells_computed"]


@pytest.mark.parametrize("minus", [False, True])
@pytest.mark.parametrize("inner", ["a", "b"])
def test_a_gene_across_the_end_of_a_circles_file_is_named_with_the_options_that_find_it(capsys, tmp_path, inner, minus):
    plasmid = random_letters(6_000, 1)
    gene = plasmid[-400:] + plasmid[:600]
    gene = reverse_complement(gene) if minus else gene
    texts = (gene, plasmid) if inner == "a" else (plasmid, gene)
    paths = [tmp_path / "a.fa", tmp_path / "b.fa"]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(b">" + path.stem.encode() + b"\n" + text)
    outer = "b" if inner == "a" else "a"
    for ends in ([], ["--ends", outer]):
        _, _, err = call(capsys, "compare", "-v", *paths, *ends)
        (line,) = [one for one in err.splitlines() if one.startswith("note: ") and "is a part of" in one]
        where = 6_000 - 600 if minus and inner == "a" else 5_600
        assert (
            f"a part of {outer.upper()} from about {where + 1:,} on, across the end of its file, as in a circle" in line
        )
        words = line.split("try ")[1].split()
        assert words == [
            *(["--orient", "auto"] if minus else []),
            "--topology",
            "circular",
            "--method",
            "edit",
            "--ends",
            outer,
        ]
    _, out, err = call(capsys, "compare", "-v", *paths, *words)
    assert "edit distance: 0, exact" in out
    assert "is a part of" not in err


def test_a_screening_without_memory_leaves_the_answer(capsys, random_pair, monkeypatch):
    def short_of_memory(_job):
        raise MemoryError
        yield

    monkeypatch.setattr(pair_run, "run", short_of_memory)
    monkeypatch.setattr(compare, "LONG_SECONDS", 0.0)
    a, b = random_pair
    b.write_bytes(b">b\n" + reverse_complement(a.read_bytes()[3:]))
    code, out, err = call(capsys, "compare", "-v", a, b)
    assert code == 1
    assert "edit distance" in out
    assert "other strand" not in err


def test_notices_of_inputs_have_a_kind_and_a_hint_by_it(tmp_path, capsys):
    """What is to be tried follows from the kind; JSON has it beside the text."""
    (tmp_path / "gene.fa").write_text(">gene\nACGTacgtTTGACC\n")
    (tmp_path / "rna.fa").write_text(">rna\nACGUACGUUUGACC\n")
    (tmp_path / "latin.txt").write_bytes("Käse".encode("latin-1"))
    out, err = call(capsys, "compare", tmp_path / "gene.fa", tmp_path / "rna.fa", "--json", "-")[1:]
    a, b = (json.loads(out)[side]["notices"] for side in "ab")
    assert [one["kind"] for one in a] == ["case"]
    assert b == [{"kind": "u_is_t", "text": "U is compared as T"}]
    assert "rna.fa: U is compared as T: try --letters exact to tell them apart\n" in err
    out, err = call(capsys, "compare", *[tmp_path / "latin.txt"] * 2, "--json", "-")[1:]
    assert [one["kind"] for one in json.loads(out)["a"]["notices"]] == ["not_utf8"]
    assert "this is no UTF-8: try --encoding, such as --encoding cp1252\n" in err


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("compare",), "--letters"),
        (("compare", "--rearranged"), ""),
        (("compare", "--view", "dots", "--png", "o.png"), ""),
        (("compare", "--view", "dots", "--all-records", "--png", "o.png"), ""),
        (("contigs",), ""),
        (("race",), "--letters"),
    ],
)
def test_notices_name_options_that_go_with_the_command(words, names, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    a = random_letters(500, 4).decode()
    (tmp_path / "rna.fa").write_text(f">rna\n{a.replace('T', 'U')}\n")
    (tmp_path / "a.fa").write_text(f">a\n{a}\n")
    asked = (words[0], "rna.fa", "a.fa", *words[1:])
    code, _, err = call(capsys, *asked)
    assert code == 0, err
    tried = re.findall(r"try (--\w+)( exact)?", err)
    assert [option for option, _ in tried] == [names] * bool(names)
    for option, value in tried:
        assert call(capsys, *asked, option, *value.split())[0] in (0, 1)


def test_notices_of_many_records_are_on_standard_error_and_in_json(tmp_path, capsys):
    """Those on the letters of all records of a file, and that DNA stands beside a protein."""
    (tmp_path / "dna.fa").write_text(">a\nACGTacgtTTGACC\n>b\nACGTTTGACCggtt\n")
    (tmp_path / "protein.fa").write_text(">p\nMKVLAWERFHISPE*\n>q\nMKVLAWQRFHISPE*\n")
    out, err = call(capsys, "batch", tmp_path / "dna.fa", tmp_path / "protein.fa", "--json", "-")[1:]
    told = (
        "A is DNA, B is protein: the same letters do not stand for the same things, "
        "so translate the nucleotides with another program first"
    )
    masked, stops = "8 lower-case letters kept (soft mask)", "2 stops '*' kept as letters"
    assert [line for line in err.splitlines() if line.startswith("note: ")] == [
        f"note: {tmp_path / 'dna.fa'}: {masked}", f"note: {tmp_path / 'protein.fa'}: {stops}", f"note: {told}"
    ]  # fmt: skip
    read = json.loads(out)
    assert read["notices"] == [{"kind": "alphabets", "text": told}]
    assert (read["a"]["notices"], read["b"]["notices"]) == (
        [{"kind": "case", "text": masked}],
        [{"kind": "kept", "text": stops}],
    )
    assert (
        f"note: {tmp_path / 'dna.fa'}: {masked}\n" in call(capsys, "search", tmp_path / "dna.fa", "--pattern", "ACG")[2]
    )
