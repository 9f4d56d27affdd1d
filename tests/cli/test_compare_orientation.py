"""``compare --orient``: the other strand of B, told in the places of its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.ui import samples
from core.sequences.orientation import reverse_complement
from tests.cli.helpers import call, trouble

PHIX = Path(samples.DEMO_PAIR[0]).with_name("phix174_NC_001422.1.fa")


@pytest.fixture(scope="module")
def phix() -> bytes:
    return b"".join(PHIX.read_bytes().split(b"\n")[1:])


def changed(letters: bytes, at: int) -> bytes:
    """Return ``letters`` with letter ``at`` (from 0) exchanged."""
    return letters[:at] + (b"A" if letters[at : at + 1] != b"A" else b"C") + letters[at + 1 :]


def differences(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.splitlines()[1:]]


def test_the_other_strand_differs_in_one_letter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], phix: bytes
) -> None:
    file = tmp_path / "b.fa"
    file.write_bytes(b">b\n" + reverse_complement(changed(phix, 3000)))
    words = ["compare", PHIX, file, "--orient", "minus"]
    code, out, err = call(capsys, *words, "--tsv", "-", "--json", tmp_path / "b.json", "--quiet")
    assert (code, err) == (1, "")
    ((_, op, _, *places, in_a, in_b),) = differences(out)
    assert (op, places) == ("X", ["3001", "3001", "2386", "2386"])
    assert (in_a, in_b) == (chr(phix[3000]), chr(changed(phix, 3000)[3000]))
    told = json.loads((tmp_path / "b.json").read_text())
    assert (told["distance"], told["orientation"]["strand"]) == (1, "minus")
    code, out, _ = call(capsys, *words)
    assert "B  b: 5,386 letters, DNA, reverse complement\n" in out


@pytest.mark.parametrize(
    ("letters", "what"),
    [(b"ACGUACGUACGUACGUACGUU", "RNA"), (b"MKVLAAGIVGLLLAQWERTYMKV", "protein"), (b"Just a text.", "text")],
)
def test_what_has_no_other_strand_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], letters: bytes, what: str
) -> None:
    file = tmp_path / "b.txt"
    file.write_bytes(letters)
    words = (str(file), f"this is {what}, which has no other strand")
    trouble(call(capsys, "compare", PHIX, file, "--orient", "minus", "--quiet"), *words)
    trouble(call(capsys, "compare", file, PHIX, "--orient", "minus", "--quiet"), *words)


def test_letters_that_are_all_n_have_another_strand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "n.fa"
    file.write_bytes(b">x\n" + b"N" * 30)
    code, out, _ = call(capsys, "compare", file, file, "--orient", "minus", "--paf", "-", "--quiet")
    assert (code, out.split("\t")[2:5]) == (0, ["0", "30", "-"])
