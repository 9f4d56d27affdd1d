"""``compare --method edit``: what is asked of the kernel, what is said and written of its answer."""

import json
import re
from pathlib import Path

import pytest

from tests.app import fake_edit
from tests.cli.helpers import DEMO, call, trouble
from tests.core.export.helpers import columns_of
from tests.oracles import edit as oracle
from wavediff.core.jobs import KernelModules
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.statistics import DEFINITIONS

A, B = b"ACGTACGTAC", b"ACGTTACGGAC"
DISTANCE = oracle.distance(A, B)


@pytest.fixture
def asked(monkeypatch):
    """The jobs that reached the kernel, which the textbook's stands in for."""
    fake_edit.Edit.reset()
    monkeypatch.setattr(EditJob, "modules", KernelModules(cpu=fake_edit.HERE, gpu=None))
    return fake_edit.Edit.jobs


@pytest.mark.parametrize(
    ("words", "band", "threshold"),
    [
        ([], BandMode.AUTO, None),
        (["--band", "auto"], BandMode.AUTO, None),
        (["--band", "sudo"], BandMode.SUDO, None),
        (["--band", "none"], BandMode.NONE, None),
        (["--band", "0"], BandMode.FIXED, 0),
        (["--band", "77"], BandMode.FIXED, 77),
    ],
)
def test_the_band_is_asked_for_by_name_or_number(files, capsys, asked, words, band, threshold):
    options = ["--method", "edit", *words, "--blocks", "128x1280", "--threads", 3, "--traceback", "none", "--quiet"]
    assert call(capsys, "compare", files / "a.fa", files / "b.fa", *options) == (1, "", "")
    (job,) = asked
    assert (job.band, job.threshold, job.path, job.threads) == (band, threshold, TracebackMethod.NONE, 3)
    assert (job.block_rows, job.block_cols) == (128, 1280)
    assert (job.a.tobytes(), job.b.tobytes()) == (A, B)


def test_the_summary_names_distance_identities_and_what_was_skipped(files, capsys, asked):
    code, out, _ = call(capsys, "compare", "-v", files / "a.fa", files / "b.fa", "--method", "edit")
    assert code == 1
    assert f"edit distance: {DISTANCE}, exact\n" in out
    lines = [line for line in out.splitlines() if line.startswith(("identity: ", "by another definition: "))]
    values = [re.search(r"[\d.]+%", line)[0] for line in lines]
    assert len(set(values)) == len(values) <= len(DEFINITIONS), "each value once"
    assert lines[0].endswith(f" = {DEFINITIONS['matches_over_columns'][1]}")
    (skipped,) = [line for line in out.splitlines() if line.startswith("skipped: ")]
    assert skipped == "skipped: 61.8% equal start or end, 27.3% outside the band; about 0.1 ms saved"
    assert "different (case ignored)" in out


def test_an_upper_bound_is_never_called_the_distance(files, capsys, asked):
    words = ["compare", "-v", files / "a.fa", files / "b.fa", "--method", "edit", "--band", DISTANCE - 1, "--json", "-"]
    code, out, err = call(capsys, *words)
    assert code == 1
    assert "edit distance: at most" in err
    assert "upper bound" in err
    value = json.loads(out)
    assert value["exact"] is False
    assert value["distance"] >= DISTANCE


def test_json_has_the_distance_the_bands_and_the_ledger(files, capsys, asked):
    _, out, err = call(capsys, "compare", files / "a.fa", files / "b.fa", "--method", "edit", "--quiet", "--json", "-")
    assert err == ""
    value = json.loads(out)
    wanted = {
        "method": "edit",
        "identical": False,
        "length_a": len(A),
        "length_b": len(B),
        "distance": DISTANCE,
        "exact": True,
        "strategy": "band",
        "device": "cpu",
        "matrix_cells": len(A) * len(B),
        "kernel_seconds": 1e-3,
        "wall_seconds": 2e-3,
    }
    assert {key: value[key] for key in wanted} == wanted
    assert [(one["threshold"], one["proven"]) for one in value["bands"]] == [(1, False), (2, True)]
    assert value["cells_computed"] == sum(one["cells"] for one in value["bands"])
    skipped = {one["reason"]: one["cells"] for one in value["skips"]}
    assert skipped == {"common_ends": 68, "outside_band": 42 - value["bands"][-1]["cells"]}
    counts = value["statistics"]
    assert counts["distance"] == DISTANCE == counts["mismatches"] + counts["insertions"] + counts["deletions"]
    assert counts["columns"] == counts["matches"] + DISTANCE
    assert set(value["identity"]) == set(DEFINITIONS)


@pytest.mark.parametrize(
    ("band", "exact"), [("auto", True), ("sudo", True), ("none", True), (3_315, True), (40, False)]
)
def test_the_known_answer_of_the_demo_pair(tmp_path, capsys, band, exact):
    """The mitochondria of man and orang-utan: 3,315 edits, one at an N; a band of 40 does not prove it."""
    words = ["--method", "edit", "--band", band, "--quiet", "--json", "-", "--cigar", tmp_path / "cigar"]
    code, out, err = call(capsys, "compare", *DEMO, *words)
    assert (code, err) == (1, "")
    value = json.loads(out)
    assert value["exact"] is exact
    assert value["ambiguity"]["edits_apart"] == 1
    distance = value["distance"] + 1
    assert distance >= 3_315
    assert distance == 3_315 or not exact
    a, b = ("".join(Path(one).read_text().split("\n")[1:]).upper().encode() for one in DEMO)
    script = columns_of((tmp_path / "cigar").read_text().rstrip("\n"))
    assert oracle.replay(a, script, b) == (b, distance)


@pytest.mark.parametrize("kind", ["sam", "fasta"])
def test_letters_that_a_format_cannot_hold_are_told_before_the_job(tmp_path, capsys, asked, kind):
    (tmp_path / "text").write_text("one - two\n")
    words = ["compare", tmp_path / "text", tmp_path / "text", "--method", "edit", f"--{kind}", tmp_path / "out"]
    trouble(call(capsys, *words, "--quiet"), "cannot hold")
    assert asked == []
    assert not (tmp_path / "out").exists()
