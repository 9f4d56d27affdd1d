"""``compare`` says what its answer does not show: on standard error and in the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.commands import compare
from core.screening import pair_run
from core.sequences.orientation import reverse_complement
from tests.cli.helpers import call


def random_letters(n: int, seed: int) -> bytes:
    return np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(seed).integers(0, 4, n)].tobytes()


@pytest.fixture
def random_pair(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.fa", tmp_path / "b.fa"
    for seed, path in enumerate(paths):
        path.write_bytes(b">x\n" + random_letters(20_000, seed))
    return paths


def test_random_letters_are_called_so(capsys: pytest.CaptureFixture[str], random_pair, tmp_path: Path) -> None:
    code, out, err = call(capsys, "compare", *random_pair, "--method", "lcs", "--json", tmp_path / "j")
    assert code == 1
    (line,) = [one for one in err.splitlines() if one.startswith("notice: ")]
    assert line.startswith("notice: No more alike than random letters of this composition (65.")
    assert "notice" not in out
    (told,) = json.loads((tmp_path / "j").read_text())["notices"]
    assert (told["id"], f"notice: {told['text']}") == ("chance", line)
    assert told["numbers"]["identity"] == pytest.approx(told["numbers"]["expected"], abs=0.02)


def test_quiet_is_quiet_and_the_json_has_them_all_the_same(
    capsys: pytest.CaptureFixture[str], random_pair, tmp_path: Path
) -> None:
    words = ["compare", *random_pair, "--quiet", "--traceback", "none"]
    assert call(capsys, *words) == (1, "", "")
    code, out, err = call(capsys, *words, "--json", "-")
    assert (code, err) == (1, "")
    assert [one["id"] for one in json.loads(out)["notices"]] == ["chance"]


def test_a_long_comparison_is_told_in_advance_and_once(
    capsys: pytest.CaptureFixture[str], random_pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = random_pair
    b.write_bytes(b">b\n" + reverse_complement(a.read_bytes()[3:]))
    _, _, err = call(capsys, "compare", a, b)
    assert err.count("notice: ") == 1
    monkeypatch.setattr(compare, "LONG_SECONDS", 0.0)
    _, _, err = call(capsys, "compare", a, b)
    lines = err.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("notice: B is on the other strand: 100 %")]
    assert at < next(i for i, line in enumerate(lines) if "cells in" in line)
    assert lines[at].endswith(": try --orient auto")
    _, _, err = call(capsys, "compare", a, b, "--orient", "minus")
    assert "notice" not in err


def test_a_screening_without_memory_leaves_the_answer(
    capsys: pytest.CaptureFixture[str], random_pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short_of_memory(_job):
        raise MemoryError
        yield

    monkeypatch.setattr(pair_run, "run", short_of_memory)
    monkeypatch.setattr(compare, "LONG_SECONDS", 0.0)
    a, b = random_pair
    b.write_bytes(b">b\n" + reverse_complement(a.read_bytes()[3:]))
    code, out, err = call(capsys, "compare", a, b)
    assert code == 1
    assert "edit distance" in out
    assert "other strand" not in err
