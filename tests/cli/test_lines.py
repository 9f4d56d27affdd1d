"""``compare --method lines`` and ``--diff``."""

import json

import pytest

from tests.cli.helpers import call, trouble


@pytest.mark.parametrize("line", ["ACGT", ">one", "@read", "", "MKV", "a\tb", "中文"])
def test_a_file_of_any_lines_is_a_text(tmp_path, capsys, line):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text(f"{line}\nsame\n{line}\n")
    b.write_text(f"{line}\nsame\nother words here\n")
    code, out, err = call(capsys, "compare", a, b, "--method", "lines", "--diff", "-", "--quiet")
    assert (code, err) == (1, "")
    assert out.split("\n")[3:] == ["@@ -1,3 +1,3 @@", f" {line}", " same", f"-{line}", "+other words here", ""]


def test_equal_files_have_no_diff(tmp_path, capsys):
    a = tmp_path / "a.txt"
    a.write_text("one\ntwo\n")
    assert call(capsys, "compare", a, a, "--method", "lines", "--diff", "-", "--quiet") == (0, "", "")


def test_a_diff_is_of_lines(tmp_path, capsys):
    a = tmp_path / "a.txt"
    a.write_text("one\n")
    code, _, err = call(capsys, "compare", a, a, "--diff", "-", "-m", "edit")
    assert (code, err) == (2, "wavediff: --diff goes with --method lines, not with edit (--diff -)\n")


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        (["-B"], "-B/--ignore-blank goes with --method lines, not with edit"),
        (["--ignore-space"], "-w/--ignore-space goes with --method lines or words, not with edit"),
        (["-I", "x"], "-I/--ignore-matching goes with --method lines or words, not with edit (--ignore-matching x)"),
    ],
)
def test_an_option_of_lines_is_refused_as_it_is_typed(tmp_path, capsys, typed, named):
    a = tmp_path / "a.txt"
    a.write_text("one\n")
    assert call(capsys, "compare", a, a, "-m", "edit", *typed)[::2] == (2, f"wavediff: {named}\n")


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


MAIL = "> On Monday you wrote:\n> shall we meet?\n\nYes, at ten o'clock if that is right.\n"
PAIRS = {
    "mail.eml": (MAIL, MAIL.replace("ten", "two")),
    "quote.md": ("# Title\n\n> a quote\n", "# Title\n\n> another quote\n"),
    "page.html": ("<html>\n<p>one</p>\n", "<html>\n<p>two</p>\n"),
    "notes.txt": ("@todo\nword\n", "@todo\nwords\n"),
    "table.csv": ("a,b\n1,2\n", "a,b\n1,3\n"),
    "code.py": ("import os\n\nprint(os)\n", "import os\n\nprint(os.name)\n"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_texts_of_several_lines_are_compared_by_lines(tmp_path, capsys, name):
    paths = [tmp_path / f"{side}-{name}" for side in ("old", "new")]
    for path, text in zip(paths, PAIRS[name], strict=True):
        path.write_text(text, encoding="utf-8")
    code, out, _ = call(capsys, "compare", *paths)
    assert (code, out.split("  ")[0]) == (1, "1 hunk: 1 line changed")
    code, out, _ = call(capsys, "compare", *paths, "-w", "--json", "-", "--quiet")
    assert (code, json.loads(out)["method"], json.loads(out)["ignored"]) == (1, "lines", ["white space"])
    assert call(capsys, "compare", *paths, "--format", "text", "--quiet", "--diff", tmp_path / "d")[0] == 1
    code, out, _ = call(capsys, "compare", *paths, "--format", "text", "--method", "edit", "--json", "-", "--quiet")
    assert json.loads(out)["method"] == "edit"


@pytest.mark.parametrize(
    ("a", "b", "method"),
    [
        (">a\nACGT\nACGT\n", ">a\nACGT\nACCT\n", "edit"),
        ("ACGTACGTACGTACGTACGTACGT\nACGT\n", "ACGTACGTACGTACGTACGTACGT\nACCT\n", "edit"),
        ("one word\n", "other words\n", "edit"),
        ("one\ntwo\n", "one\n", "lines"),
        ("", "one\ntwo\n", "lines"),
    ],
)
def test_sequences_and_single_lines_are_compared_by_letters(tmp_path, capsys, a, b, method):
    paths = [tmp_path / "a", tmp_path / "b"]
    for path, text in zip(paths, (a, b), strict=True):
        path.write_text(text, encoding="utf-8")
    _, out, _ = call(capsys, "compare", *paths, "--json", "-", "--quiet")
    assert json.loads(out)["method"] == method


def test_a_file_of_sequences_with_a_fault_is_refused_beside_a_good_one(tmp_path, capsys):
    good, bad = tmp_path / "good.fa", tmp_path / "bad.fa"
    good.write_text(">a\nACGT\n", encoding="utf-8")
    bad.write_text(">a\nACG1\n", encoding="utf-8")
    trouble(call(capsys, "compare", good, bad), "digits are not letters", "(--format-b text reads it as plain text)")


@pytest.mark.parametrize("words", ["--ends a", "--device gpu", "--view differences --png {}"])
def test_what_lines_cannot_do_is_done_by_letters(tmp_path, capsys, words):
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n", encoding="utf-8")
    asked = [word.format(tmp_path / "p.png") for word in words.split()]
    code, out, err = call(capsys, "compare", path, path, *asked)
    assert "hunk" not in out + err
    assert (code, out[:14]) == (0, "No differences") or "GPU" in err


def test_a_bad_pattern_is_refused_before_anything_is_read(capsys):
    trouble(call(capsys, "compare", "no.txt", "no.txt", "-I", "("), "--ignore-matching: '('", "at letter 1")
