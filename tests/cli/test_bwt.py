"""``bwt`` and ``find``: what is written, that it comes back, and what is refused."""

import bz2
import json
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble
from tests.oracles import bwt as oracle
from wavediff.app.commands import search_options
from wavediff.core.jobs.bwt import MAX_SAMPLE_INTERVAL
from wavediff.tests.bench.letters import CPU_METHODS

LAMBDA = Path(__file__).parents[1] / "data" / "lambda_NC_001416.1.fa"


def letters(path):
    return "".join(path.read_text().split("\n")[1:]).encode()


def test_lambda(capsys, tmp_path):
    saved, column = tmp_path / "lambda.bwt", tmp_path / "last"
    code, out, err = call(
        capsys, "bwt", LAMBDA, "--json", "-", "--save-index", saved, "--last-column", column, "--quiet"
    )
    assert (code, err) == (0, "")
    value = json.loads(out)
    assert (value["length"], value["primary_index"], value["n_runs"]) == (48_502, 32_686, 35_328)
    assert value["sequences"][0]["name"] == "NC_001416.1"
    assert len(column.read_bytes()) == 48_502
    for words in ([saved], [column, "--primary-index", 32_686]):
        text = tmp_path / "text"
        assert call(capsys, "bwt", *words, "--inverse", "--text", text, "--quiet")[0] == 0
        assert text.read_bytes() == letters(LAMBDA)


@pytest.mark.parametrize("method", [str(one) for one in CPU_METHODS])
def test_the_summary(capsys, files, method):
    code, out, _ = call(capsys, "bwt", files / "a.fa", "--sorter", method)
    last, primary = oracle.bwt(b"ACGTACGTAC")
    assert code == 0
    assert f"primary index: {primary:,} of 0 to 10 ($ smaller than every byte, not stored)" in out
    runs = 1 + sum(a != b for a, b in pairwise(last))
    assert f"runs: {runs}, {10 / runs:.2f} letters per run" in out


@pytest.mark.parametrize("method", ["auto", "ternary", "packed"])
def test_the_order_of_the_suffixes(capsys, files, method):
    code, out, _ = call(capsys, "bwt", files / "a.fa", "--sorter", method, "--suffix-array", "-", "--quiet")
    assert (code, [int(line) for line in out.splitlines()]) == (0, oracle.suffix_order(b"ACGTACGTAC"))


def test_two_files_are_joined_by_a_letter_that_is_told(capsys, files):
    for words, byte in (([], ord("#")), (["--separator", "|"], ord("|")), (["--separator", "0x0A"], 10)):
        words = [
            "bwt",
            files / "a.fa",
            files / "b.fa",
            "--json",
            "-",
            "--last-column",
            files / "last",
            "--quiet",
            *words,
        ]
        code, out, _ = call(capsys, *words)
        value = json.loads(out)
        assert (code, value["separator"]) == (0, byte)
        wanted = oracle.bwt(b"ACGTACGTAC" + bytes([byte]) + b"ACGTTACGGAC")
        assert ((files / "last").read_bytes(), value["primary_index"]) == wanted


def test_case_is_folded_where_asked_for(capsys, files):
    wanted = {"exact": oracle.bwt(b"acgtacgtac"), "fold": oracle.bwt(b"ACGTACGTAC")}
    for case, answer in wanted.items():
        call(capsys, "bwt", files / "lower.fa", "--case", case, "--last-column", files / "last", "--quiet")
        assert (files / "last").read_bytes() == answer[0]


def test_find(capsys, files):
    code, out, _ = call(capsys, "find", files / "lower.fa", "ACG", "cgt", "GG")
    assert code == 0
    assert out.splitlines() == ["low: 10 letters (case ignored)", "ACG: 2 at 1, 5", "cgt: 2 at 2, 6", "GG: 0"]
    assert call(capsys, "find", files / "lower.fa", "ACG", "--case", "exact", "--quiet") == (1, "", "")
    code, out, _ = call(capsys, "find", files / "a.fa", "AC", "T", "--json", "-", "--limit", 2, "--quiet")
    found = json.loads(out)["patterns"]
    assert [(one["pattern"], one["count"]) for one in found] == [("AC", 3), ("T", 2)]
    assert [len({0, 4, 8} & set(found[0]["positions"])), found[1]["positions"]] == [2, [3, 7]]
    _, out, _ = call(capsys, "find", files / "a.fa", "AC", "--count-only", "--json", "-", "--quiet")
    assert "positions" not in json.loads(out)["patterns"][0]
    _, out, _ = call(capsys, "find", files / "a.fa", "GTACG", "--tsv", "-", "--quiet")
    assert out == "sequence\tpattern\tstart\tend\nfirst\tGTACG\t3\t7\n"


def test_an_index_is_saved_and_searched_again(capsys, files):
    index, bare = files / "a.index", files / "a.bwt"
    assert call(capsys, "find", files / "a.fa", "AC", "--save-index", index, "--sample-interval", 4, "--quiet")[0] == 0
    assert call(capsys, "bwt", files / "a.fa", "--save-index", bare, "--quiet")[0] == 0
    for saved in (index, bare):
        _, out, _ = call(capsys, "find", saved, "AC", "TACG")
        assert out.splitlines()[1:] == ["AC: 3 at 1, 5, 9", "TACG: 1 at 4"]
    spoilt = bytearray(index.read_bytes())
    spoilt[-1] ^= 1
    index.write_bytes(bytes(spoilt))
    trouble(call(capsys, "find", index, "AC"), "a.index", "damaged", "samples")


def test_the_options_are_those_of_the_jobs():
    assert search_options.MAX_SAMPLE_INTERVAL == MAX_SAMPLE_INTERVAL


def test_compression_is_told_beside_two_programs(capsys, tmp_path):
    text = b"abracadabra " * 400
    file, saved = tmp_path / "text.txt", tmp_path / "text.json"
    file.write_bytes(text)
    code, out, _ = call(capsys, "bwt", file, "--format", "text", "--compression", "--json", saved)
    assert code == 0
    value = json.loads(saved.read_bytes())["compression"]
    length = json.loads(saved.read_bytes())["length"]
    assert value["bytes"]["text"] == length
    assert value["bytes"]["bzip2"] == len(bz2.compress(text[:length], 9))
    assert value["bytes"]["zlib"] == len(zlib.compress(text[:length], 9))
    assert sum(value["rank_counts"]) == length
    # A text of repeats: its letters alone say nothing of that, its last column does.
    assert value["bytes"]["runs"] < value["bytes"]["letters"] / 20
    *_, line, wrote = out.splitlines()
    assert wrote == f"wrote {saved}"
    last = line.split()
    assert last[:2] == ["bzip2", f"{value['bytes']['bzip2']:,}"]
