"""The corpus of each format is read as promised, and so are some mutations of it, the same ones in each run."""

import random

import pytest

from tests.depth import drawn
from tests.fuzz import __main__ as fuzzer
from tests.fuzz.targets import CORPUS, TARGETS, Target, corpus, made

SEED = 20_251
N_INPUTS = 400


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_file_of_the_corpus_is_read_or_refused(path):
    TARGETS[path.parent.name].read(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_files_are_read_or_refused(name):
    rng, seeds = random.Random(SEED), corpus(name)
    for _ in range(drawn(N_INPUTS)):
        data = made(name, seeds, rng)
        assert not fuzzer.fault(name, data), data[:200]


def test_a_fault_is_found_and_kept(tmp_path, monkeypatch, capsys):
    def breaks(data):
        if b"\0" in data:
            raise OverflowError("a zero byte")

    monkeypatch.setitem(fuzzer.TARGETS, "record", Target(breaks))
    monkeypatch.setattr(fuzzer, "ROOT", tmp_path)
    assert fuzzer.fuzz("record", 5.0, SEED) == 1
    assert "OverflowError: a zero byte" in capsys.readouterr().out
    (kept,) = (tmp_path / ".fuzz").iterdir()
    assert b"\0" in kept.read_bytes()
