"""The command line as scripts see it: exit codes, one line of trouble, streams and files."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

from tests.cli.helpers import DEMO, call, trouble
from wavediff.app.commands import cli
from wavediff.core.jit import background_compile, compile_cache
from wavediff.core.jobs.run_record import STAGES
from wavediff.core.record.run_file import read_record


@pytest.mark.parametrize(("rule", "code"), [("auto", 0), ("fold", 0), ("exact", 1)])
def test_same_means_under_the_case_rule(files, capsys, rule, code):
    assert call(capsys, "compare", files / "a.fa", files / "lower.fa", "--case", rule, "--quiet")[0] == code


def test_text_is_compared_with_its_case(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("A sentence, in letters.\n")
    (tmp_path / "b.txt").write_text("a sentence, in letters.\n")
    code, out, _ = call(capsys, "compare", "-v", tmp_path / "a.txt", tmp_path / "b.txt")
    assert code == 1
    assert "different (case counts)" in out


def test_letters_stand_in_place_of_a_file(files, capsys):
    words = "compare", "data:,kit%20ten", "data:,Käse", "--method", "edit", "--json", "-", "--quiet"
    code, out, _ = call(capsys, *words)
    assert code == 1
    found = json.loads(out)
    assert [found[side]["length"] for side in "ab"] == [7, 4]
    assert found["distance"] == Levenshtein.distance("kit ten", "Käse")


def test_the_known_answer_of_the_demo_pair_and_every_export(tmp_path, capsys):
    """The mitochondria of man and orang-utan: LCS 13,966."""
    outputs = {kind: tmp_path / f"out.{kind}" for kind in ("json", "paf", "fasta", "cigar", "timings")}
    words = [word for kind, path in outputs.items() for word in (f"--{kind}", path)]
    code, out, _ = call(capsys, "compare", *DEMO, "--method", "lcs", *words)
    assert code == 1
    assert "13,966" in out
    value = json.loads(outputs["json"].read_text())
    assert {k: value[k] for k in ("method", "length_a", "length_b", "lcs", "device")} == {
        "method": "lcs",
        "length_a": 16_569,
        "length_b": 16_499,
        "lcs": 13_966,
        "device": "cpu",
    }
    assert value["matrix_cells"] == 16_569 * 16_499
    assert 0 < value["kernel_seconds"] <= value["wall_seconds"]
    assert value["threads"] >= 1
    assert set(value["versions"]) >= {"wavediff", "python", "numpy", "numba"}
    fields = outputs["paf"].read_text().rstrip("\n").split("\t")
    assert fields[1:5] == ["16499", "0", "16499", "+"]
    assert fields[6:10] == ["16569", "0", "16569", "13966"]
    cigar = outputs["cigar"].read_text().rstrip("\n")
    assert fields[-1] == f"cg:Z:{cigar}"
    rows = ["".join(r.split("\n")[1:]) for r in outputs["fasta"].read_text().split(">")[1:]]
    assert len(rows[0]) == len(rows[1]) == 16_569 + 16_499 - 13_966
    for row, source in zip(rows, DEMO, strict=True):
        assert row.replace("-", "") == "".join(Path(source).read_text().split("\n")[1:])
    assert sum(x == y for x, y in zip(*rows, strict=True)) == 13_966
    timings = json.loads(outputs["timings"].read_text())["timings"]
    assert timings
    assert {"kernel", "device", "calls", "cells", "seconds", "compile_seconds", "gcups"} == set(timings[0])


def test_a_run_is_recorded_to_be_replayed_and_to_be_drawn(tmp_path, capsys):
    record, trace = tmp_path / "run.json", tmp_path / "run.trace.json"
    words = ("--method", "lcs", "--strategy", "full", "--threads", 2, "--record", record, "--trace", trace)
    code, _, _ = call(capsys, "compare", *DEMO, *words, "--quiet")
    assert code == 1
    run = read_record(record)
    assert (run.method, run.value, run.a.length, run.b.length) == ("lcs", 13_966, 16_569, 16_499)
    assert run.options["strategy"] == "full"
    (attempt,) = run.recorded.attempts
    assert attempt.record.is_complete
    stages = {one.name for one in run.recorded.spans if one.lane == STAGES}
    assert stages >= {"encode", "blocks", "traceback", "verify"}
    events = json.loads(trace.read_text())["traceEvents"]
    assert sum(one.get("cat") == "full" for one in events) == attempt.block_map.size


def test_hostile_names_stay_on_one_line(files, capsys):
    """A line end or an escape sequence in a name does not reach the terminal."""
    trouble(call(capsys, "compare", files / "a\n\x1b[31m.fa", files / "b.fa", "--quiet"), r"a\n\x1b[31m.fa")


@pytest.mark.parametrize(("wanted", "length"), [("chr3", 7), ("3", 7), ("2", 4), ("chr8", 12), ("9", 4)])
def test_records_are_chosen_by_name_else_by_number(files, capsys, wanted, length):
    """Record 9 is called ``2``: a name wins over a number, as the chromosomes of some sources are named 1, 2, X."""
    words = ["compare", files / "many.fa", files / "a.fa", "--record-a", wanted, "--quiet", "--json", "-"]
    _, out, _ = call(capsys, *words)
    assert json.loads(out)["length_a"] == length


def test_the_gpu_is_refused_with_its_reason(files, capsys):
    from wavediff.core.run.dispatch import gpu_obstacle

    if gpu_obstacle() is None:
        pytest.skip("there is one")
    trouble(call(capsys, "compare", files / "a.fa", files / "b.fa", "--device", "gpu", "--quiet"), "GPU not used: ")


def test_a_defect_is_told_in_one_line(files, capsys, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("wavediff.app.commands.command.run_job", fail)
    monkeypatch.delenv("WAVEDIFF_TRACEBACK", raising=False)
    trouble(call(capsys, "compare", files / "a.fa", files / "b.fa", "--quiet"), "defect, RuntimeError: two lines")
    monkeypatch.setenv("WAVEDIFF_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="two"):
        cli.main(["compare", str(files / "a.fa"), str(files / "b.fa"), "--quiet"])


@pytest.mark.parametrize("lasting", [True, False])
def test_no_child_compiles_into_a_folder_of_its_own(files, capsys, monkeypatch, lasting):
    """Where kernels cannot be kept a child's would never be found here: whoever waited would compile them again."""
    begun = []

    @contextmanager
    def beside(ready):
        begun.append(ready)
        yield

    state = compile_cache.state()
    state = state if lasting else state._replace(folder=None)
    monkeypatch.setattr(compile_cache, "state", lambda: state)
    monkeypatch.setattr(background_compile, "compile_in_parallel", beside)
    assert call(capsys, "compare", files / "a.fa", files / "b.fa", "--quiet")[0] == 1
    assert begun == ([compile_cache.ready()] if lasting else [])


@pytest.mark.parametrize("quiet", [True, False])
def test_a_cache_that_cannot_be_written_is_told_in_one_line(files, capsys, monkeypatch, quiet):
    note = "/nowhere cannot be written: Read-only file system; kernels are compiled again at every start"
    monkeypatch.setattr(compile_cache, "_state", compile_cache.CacheState(None, None, None, note))
    _, _, err = call(capsys, "compare", files / "a.fa", files / "b.fa", "--json", "-", *(["--quiet"] if quiet else []))
    assert err.startswith("" if quiet else f"note: {note}\n")
    assert ("again at every start" in err) != quiet


def test_a_paf_is_split_at_long_gaps(tmp_path, capsys):
    (tmp_path / "a.fa").write_text(">a\n" + "ACGTTGCA" * 10 + "G" * 30 + "CCATTAGA" * 10 + "\n")
    (tmp_path / "b.fa").write_text(">b\n" + "ACGTTGCA" * 10 + "CCATTAGA" * 10 + "\n")
    pair = tmp_path / "a.fa", tmp_path / "b.fa"

    def places(*words):
        out = call(capsys, "compare", *pair, "--quiet", "--paf", "-", *words)[1]
        return [line.split("\t")[2:4] + line.split("\t")[7:9] for line in out.splitlines()]

    whole = [["0", "160", "0", "190"]]
    assert places() == places("--split", "0") == places("--split", "31") == whole
    assert places("--split", "30") == [["0", "80", "0", "80"], ["80", "160", "110", "190"]]
    plain = call(capsys, "compare", *pair, "--quiet", "--sam", "-")
    assert call(capsys, "compare", *pair, "--quiet", "--split", "30", "--sam", "-") == plain  # it has no lines to split


def test_letters_that_were_not_read_are_told_apart(tmp_path, capsys):
    a = "ACGTACGTTAGACCATTAGACAGTTACCATGAGACATTAGC"
    (tmp_path / "a.fa").write_text(f">a\n{a}\n")
    (tmp_path / "b.fa").write_text(f">b\n{a[:4]}NNN{a[7:11]}R{a[12:28]}T{a[29:]}\n")
    (tmp_path / "n.fa").write_text(">n\nNNNNNNNN\n")
    pair = tmp_path / "a.fa", tmp_path / "b.fa"
    out = call(capsys, "compare", "-v", *pair)[1]
    assert "edit distance: 2 (3 unknown bases not counted), exact\nedits: substitutions 2," in out
    assert "ambiguity codes: 3 columns with N are no differences and in no identity" in out
    shares = {"missing": (36 / 38, 3), "compatible": (40 / 41, 4), "letters": (36 / 41, 0)}
    for method in ("edit", "lcs", "swap"):
        for rule, (share, n) in shares.items():
            words = "--method", method, "--ambiguity", rule, "--quiet", "--json", "-"
            read = json.loads(call(capsys, "compare", "-v", *pair, *words)[1])
            assert read["ambiguity"] == {"rule": rule, "columns_apart": n, "edits_apart": n}
            assert read["statistics"]["mismatches" if method != "lcs" else "deletions"] == 5 - n
            assert method == "lcs" or read["distance"] == read["statistics"]["distance"] == 5 - n
            assert read["identity"]["two_matches_over_lengths"] == pytest.approx(share)
    for method in ("edit", "lcs", "swap", "affine"):  # their rows have a kind of their own
        rows = call(capsys, "compare", "-v", *pair, "--quiet", "--method", method, "--tsv", "-")[1].splitlines()[1:]
        assert [(row.split("\t")[1:4], row.split("\t")[-2:]) for row in rows] == [
            (["N", "3", "5"], ["ACG", "NNN"]), (["X", "1", "12"], ["A", "R"]), (["X", "1", "29"], ["A", "T"])
        ]  # fmt: skip
    out = call(capsys, "compare", "-v", *pair, "--traceback", "none", "--method", "edit")[1]
    assert "edit distance: 5, exact" in out
    assert "ambiguity codes: codes such as N are counted: without an alignment they cannot be left out." in out
    words = "--traceback", "none", "--method", "edit", "--quiet", "--json", "-"
    assert json.loads(call(capsys, "compare", "-v", *pair, *words)[1])["ambiguity"]["edits_apart"] is None
    read = json.loads(call(capsys, "compare", "-v", tmp_path / "n.fa", tmp_path / "n.fa", "--quiet", "--json", "-")[1])
    assert (read["identical"], read["identity"], read["statistics"]["missing_columns"]) == (True, {}, 8)
    assert "identity: n/a" in call(capsys, "compare", "-v", tmp_path / "n.fa", tmp_path / "n.fa")[1]
