"""``compare --method lines`` and ``--diff``."""

import json

import pytest

from tests.cli.helpers import call


@pytest.mark.parametrize("line", ["ACGT", ">one", "@read", "", "MKV", "a\tb", "中文"])
def test_a_file_of_any_lines_is_a_text(tmp_path, capsys, line):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text(f"{line}\nsame\n{line}\n")
    b.write_text(f"{line}\nsame\nother words here\n")
    code, out, err = call(capsys, "compare", a, b, "--method", "lines", "--diff", "-", "--quiet")
    assert (code, err) == (1, "")
    assert out.split("\n")[2:] == ["@@ -1,3 +1,3 @@", f" {line}", " same", f"-{line}", "+other words here", ""]


def test_equal_files_have_no_diff(tmp_path, capsys):
    a = tmp_path / "a.txt"
    a.write_text("one\ntwo\n")
    assert call(capsys, "compare", a, a, "--method", "lines", "--diff", "-", "--quiet") == (0, "", "")


def test_a_diff_is_of_lines(tmp_path, capsys):
    a = tmp_path / "a.txt"
    a.write_text("one\n")
    code, _, err = call(capsys, "compare", a, a, "--diff", "-")
    assert (code, err) == (2, "wavediff: --diff goes with --method lines, not with edit (--diff -)\n")


def test_the_map_of_lines_has_their_numbers_and_the_record_their_axes(tmp_path, capsys):
    a, b, record, picture = (tmp_path / name for name in ("a.txt", "b.txt", "run.json", "map.svg"))
    a.write_text("one\n\ntwo\nthree\n")
    b.write_text("two\n\nthree\nfour\n\nfive\n")
    words = ("compare", a, b, "-m", "lines", "-q", "--record", record)
    code, _, err = call(capsys, *words, "--view", "map", "--svg", picture)
    assert (code, err) == (1, "")
    assert [each["axes"] for each in json.loads(record.read_text())["attempts"]] == [
        {"unit": "line", "n_rows": 3, "n_columns": 4}
    ]
    assert "B, lines →" in picture.read_text()
