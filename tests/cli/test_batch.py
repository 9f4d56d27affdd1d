"""``batch``: which pairs are compared, what is written, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rapidfuzz.distance import DamerauLevenshtein, LCSseq, Levenshtein

from tests.cli.helpers import call, trouble

pytest.importorskip("numba")
PEERS = {"lcs": LCSseq.similarity, "edit": Levenshtein.distance, "swap": DamerauLevenshtein.distance}
A = {"first": "ACGTACGTCA", "second": "", "=third": "GGGTT"}
B = {"x": "CAGTACGTABC", "y": "ACGT", "z": "GGGTT"}


@pytest.fixture
def many(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for path, records in zip(paths, (A, B), strict=True):
        path.write_text("".join(f">{name} of many\n{letters}\n" for name, letters in records.items()))
    return paths


def table(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()]


@pytest.mark.parametrize("method", ["lcs", "edit", "swap"])
def test_pair_by_pair(many: tuple[Path, Path], capsys: pytest.CaptureFixture[str], method: str) -> None:
    code, out, err = call(capsys, "batch", *many, "--method", method, "--tsv", "-", "--quiet")
    assert (code, err) == (1, "")
    head, *lines = table(out)
    assert head[:6] == ["number_a", "a", "number_b", "b", "length_a", "length_b"]
    assert [line[1] for line in lines] == ["first", "second", "'=third"], "no formula for a spreadsheet"
    assert [line[3] for line in lines] == list(B)
    expected = [PEERS[method](x, y) for x, y in zip(A.values(), B.values(), strict=True)]
    assert [int(line[6]) for line in lines] == expected
    assert float(lines[2][7]) == 1


def test_each_with_each_and_one_file_with_itself(many: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "batch", *many, "--pairs", "all-to-all", "--method", "swap", "--tsv", "-", "--quiet")[1]
    found = {(line[1].removeprefix("'"), line[3]): int(line[6]) for line in table(out)[1:]}
    assert found == {(a, b): PEERS["swap"](x, y) for a, x in A.items() for b, y in B.items()}
    code, out, _ = call(capsys, "batch", many[0], "--tsv", "-", "--quiet")
    assert code == 1
    assert [(line[0], line[2]) for line in table(out)[1:]] == [("1", "2"), ("1", "3"), ("2", "3")]


def test_json_has_names_lengths_and_values(
    many: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    to = tmp_path / "out.json"
    _, out, _ = call(capsys, "batch", *many, "--pairs", "all-to-all", "--json", to)
    found = json.loads(to.read_text())
    assert found["values"] == [[Levenshtein.distance(x, y) for y in B.values()] for x in A.values()]
    assert (found["method"], found["pairs"], found["n_pairs"]) == ("edit", "all-to-all", 9)
    assert found["a"]["names"] == list(A)
    assert found["b"]["lengths"] == [len(one) for one in B.values()]
    assert "9 pairs, each with each" in out
    assert "distances: " in out
    assert "device: cpu (" in out
    call(capsys, "batch", many[0], "--json", to, "--quiet")
    found = json.loads(to.read_text())
    assert found["b"] is None
    assert found["values"][0][2] == found["values"][2][0] == Levenshtein.distance(A["first"], A["=third"])
    call(capsys, "batch", *many, "--json", to, "--quiet")
    assert json.loads(to.read_text())["values"] == [
        Levenshtein.distance(x, y) for x, y in zip(A.values(), B.values(), strict=True)
    ]


def test_the_exit_code_is_that_of_diff(many: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "batch", many[0], many[0], "--quiet")[0] == 0
    assert call(capsys, "batch", many[0], many[0], "--pairs", "all-to-all", "--quiet")[0] == 1


def test_what_cannot_be_is_refused(
    many: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:  # fmt: skip
    (tmp_path / "two.fa").write_text(">a\nA\n>b\nC\n")
    trouble(
        call(capsys, "batch", many[0], tmp_path / "two.fa", "--quiet"),
        "two.fa",
        "2 records",
        "has 3",
        "--pairs all-to-all",
    )
    trouble(call(capsys, "batch", many[0], "--pairs", "one-to-one"), "two files")
    trouble(call(capsys, "batch", *many, "--tsv", "-", "--json", "-"), "cannot both go")
    trouble(call(capsys, "batch", *many, "--tsv", many[0]), "a.fa")
    trouble(call(capsys, "batch", *many, "--device", "gpu", "--quiet"), "GPU")
    trouble(call(capsys, "batch", *many, "--kernel", "kim"), "--kernel", "swap", "not with edit")
    paper = "--method", "swap", "--kernel", "kim-global", "--quiet"
    trouble(call(capsys, "batch", *many, *paper, "--device", "cpu"), "Kim 2015 runs on graphics cards only")
