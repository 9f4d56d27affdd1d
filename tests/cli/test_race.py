"""``race``: who runs, what is printed and written, how it ends."""

import json
import re

import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from tests.cli.helpers import call, trouble
from wavediff.app.commands import command
from wavediff.core.methods.race_result import RaceResult
from wavediff.core.run import race_run as core_race

PAIR = "ACGTACGTAC", "ACGTTACGGAC"  # of the files


def test_answers_and_times_are_compared(files, capsys):
    words = "race", files / "a.fa", files / "b.fa", "--method", "lcs", "--kernels", "cpu,hirschberg", "--rounds", 2
    code, out, err = call(capsys, *words)
    assert code == 0
    head, columns, *legs, marks, verdict = out.splitlines()
    assert "one kernel at a time, fastest of 2 runs each" in head
    assert columns.split() == ["kernel", "on", "answer"]
    assert [line.split()[0] for line in legs] == ["cpu", "hirschberg"]
    assert "B blocks" in marks
    assert verdict.startswith(f"Both agree: longest common subsequence {LCSseq.similarity(*PAIR)}")
    assert "hirschberg, round 2 of 2" in err


def test_the_speed_of_a_tiny_pair_is_not_rounded_to_0(files, capsys):
    pair = files / "a.fa", files / "b.fa"
    for line in (("race", *pair, "--method", "lcs", "--rounds", 1), ("batch", *pair, "-v")):
        _, out, _ = call(capsys, *line)
        speeds = re.findall(r"([\d.,]+) GCUPS", out)
        assert speeds
        assert all(re.search("[1-9]", each) for each in speeds), out


def test_the_usual_ones_race_where_no_others_are_asked_for(files, capsys):
    code, out, err = call(
        capsys, "race", files / "a.fa", files / "b.fa", "--method", "edit", "--no-alignment", "--json", "-",
        "--tsv", files / "t",
    )  # fmt: skip
    found = json.loads(out)
    ids = [one["kernel"] for one in found["kernels"]]
    assert {"cpu", "sudo", "cpu-full"} <= set(ids)
    assert ("gpu" in ids) != ("gpu cannot run: " in err)
    assert code == 0
    assert found["agree"] is True
    assert {one["answer"] for one in found["kernels"]} == {Levenshtein.distance(*PAIR)}
    assert all(sum(one["stages"].values()) == pytest.approx(one["best_seconds"]) for one in found["kernels"])
    head, *lines = [line.split("\t") for line in (files / "t").read_text().splitlines()]
    assert head[:4] == ["kernel", "device", "answer", "seconds"]
    assert [line[0] for line in lines] == ids
    assert {len(line) for line in lines} == {len(head)}


@pytest.mark.parametrize(("strand", "distance"), [("plus", Levenshtein.distance("AACCC", "GGGTT")), ("minus", 0)])
def test_the_other_strand_races(tmp_path, capsys, strand, distance):
    (tmp_path / "b.fa").write_text(">b\nGGGTT\n")
    line = "race", "data:,AACCC", tmp_path / "b.fa", "--method", "edit", "--orient", strand, "--json", "-", "--quiet"
    code, out, _ = call(capsys, *line)
    assert code == 0
    assert {one["answer"] for one in json.loads(out)["kernels"]} == {distance}


def test_a_card_that_is_not_there_is_named(files, capsys, monkeypatch):
    monkeypatch.setattr(core_race, "gpu_obstacle", lambda _type: "there is no NVIDIA driver")
    answer = call(capsys, "race", files / "a.fa", files / "b.fa", "--method", "lcs", "--kernels", "cpu,kawanami")
    trouble(answer, "kawanami cannot race: GPU not used: there is no NVIDIA driver")


def test_the_exit_code_tells_of_differences_and_of_failures(files, capsys, monkeypatch):
    from dataclasses import replace

    real = command.run_job
    spoil = {"answer": 99}

    def spoiled(job, **more):
        result = real(job, **more)
        if isinstance(result, RaceResult):
            result = replace(result, legs=(replace(result.legs[0], **spoil), *result.legs[1:]))
        return result

    monkeypatch.setattr(command, "run_job", spoiled)
    words = ("race", files / "a.fa", files / "b.fa", "--method", "lcs", "--kernels", "cpu,hirschberg", "--quiet")
    code, out, err = call(capsys, *words)
    assert (code, out) == (1, "")
    assert "THE ANSWERS DIFFER" in err, "also where nothing else is wanted"
    spoil = {"answer": None, "failure": "no room", "seconds": ()}
    assert call(capsys, *words)[0] == 2
