"""``compare --method swap``: what is said and written, in forms that other programs read."""

import json

import pytest

from tests.app.fakes import fasta
from tests.cli.helpers import call
from tests.core.export.helpers import columns_of
from wavediff.core.sequences.orientation import reverse_complement

A, B = "ACGTCATTACG", "ACTGABCTTACG"  # GT and TG, CA and ABC


@pytest.fixture
def pair(tmp_path):
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for path, name, letters in zip(paths, "rq", (A, B), strict=True):
        path.write_text(f">{name}\n{letters}\n")
    return paths


def test_the_summary_tells_both_distances(pair, capsys):
    code, out, _ = call(capsys, "compare", "-v", *pair, "--method", "swap")
    assert code == 1
    assert "edit distance with swaps: 3\n" in out
    assert "without swaps: 4; with swaps: 3 (1 fewer); swaps in this alignment: 2, letters inside them: 1\n" in out
    code, out, _ = call(capsys, "compare", "-v", *pair, "--method", "swap", "--no-swaps")
    assert "edit distance (swaps not allowed): 4\n" in out
    assert "swaps in this alignment: 0" in out
    assert call(capsys, "compare", "-v", pair[0], pair[0], "--method", "swap", "--quiet") == (0, "", "")


def test_json_lists_the_swaps(pair, capsys):
    found = json.loads(call(capsys, "compare", *pair, "--method", "swap", "--quiet", "--json", "-")[1])
    assert (found["method"], found["distance"], found["distance_with_swaps"], found["distance_without_swaps"]) == (
        "swap",
        3,
        3,
        4,
    )
    assert found["swaps"] == [{"a": [2, 3], "b": [2, 3]}, {"a": [4, 5], "b": [4, 6]}]
    assert found["statistics"]["swaps"] == 2
    assert found["identity"]["one_minus_distance_over_longer"] == pytest.approx(1 - 4 / 12)
    words = ["--method", "swap", "--quiet", "--traceback", "none", "--json", "-"]
    found = json.loads(call(capsys, "compare", *pair, *words)[1])
    assert (found["distance"], found["distance_without_swaps"], found["swaps"]) == (3, None, None)
    assert "one_minus_distance_over_longer" not in found["identity"]


@pytest.mark.parametrize("kind", ["paf", "sam"])
def test_what_others_read_is_a_plain_alignment_and_the_swaps_are_tags(pair, capsys, kind):
    out = call(capsys, "compare", *pair, "--method", "swap", "--quiet", f"--{kind}", "-")[1]
    fields = out.splitlines()[-1].split("\t")
    tags = dict(field.split(":", 1) for field in fields[11 if kind == "sam" else 12 :])
    assert tags["NM"] == "i:5"
    assert tags["zd"] == "i:3"
    assert tags["zs"] == "Z:2-3/2-3,4-5/4-6"
    cigar = fields[5] if kind == "sam" else tags["cg"].removeprefix("Z:")
    i = j = 0
    for op in columns_of(cigar):
        assert op not in "=X" or (A[i] == B[j]) == (op == "=")
        i, j = i + (op != "I"), j + (op != "D")
    assert (i, j) == (len(A), len(B))


def test_without_swaps_there_is_no_list_of_them(pair, capsys):
    out = call(capsys, "compare", *pair, "--method", "swap", "--no-swaps", "--quiet", "--paf", "-")[1]
    assert "zd:i:4" in out
    assert "zs:Z" not in out
    out = call(capsys, "compare", *pair, "--method", "lcs", "--quiet", "--paf", "-")[1]
    assert "\tzd:" not in out


def test_swaps_are_told_in_the_places_of_the_file_on_the_other_strand(tmp_path, capsys):
    a = "ACGGTACCATTGCAGTCCATGACTTGACAGGT"
    b = a[:10] + a[11] + a[10] + a[12:]  # letters 10 and 11 swapped
    back = reverse_complement(b.encode()).decode()
    files = fasta(tmp_path / "a.fa", ("a", a)), fasta(tmp_path / "b.fa", ("b", back))
    words = ["compare", *files, "--method", "swap", "--orient", "minus", "--quiet"]
    found = json.loads(call(capsys, *words, "--json", "-")[1])
    first, last = len(a) - 1 - 10, len(a) - 1 - 11
    assert found["swaps"] == [{"a": [10, 11], "b": [first, last]}]
    assert f"zs:Z:10-11/{first}-{last}" in call(capsys, *words, "--paf", "-")[1]
