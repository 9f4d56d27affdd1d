"""Comparison by lines: against a slow oracle, by applying the unified diff, and what a person expects of hunks."""

import shutil
import subprocess
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.pairs import in_no_memory
from wavediff.core.base.errors import ExportError, NotEnoughMemory
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.unified_diff import check, unified
from wavediff.core.jobs.events import Step, run_to_end
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.kernels.lines import run as lines_run
from wavediff.core.kernels.lines import text_lines
from wavediff.core.kernels.lines.line_numbers import compiled_numbers
from wavediff.core.kernels.lines.matching import ALONE, gaps, with_blank_lines
from wavediff.core.kernels.lines.text_lines import LineNumbers, line_starts
from wavediff.core.kernels.lines.words import changed, equal_words, likeness
from wavediff.core.methods.lines import LINES, LineJob
from wavediff.core.reading import parse, read
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.read_as import ReadAs

LINE = st.sampled_from(["", "  ", "one", "two", "    three", "four words of text", "four words in text", "é 中", "}"])
TEXT = st.lists(LINE, max_size=14).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "".join(f"{line}\n" for line in lines)])
)


def compared(tmp_path, a, b):
    """Return the comparison of two files."""
    texts = []
    for name, content in (("a.txt", a), ("b.txt", b)):
        path = Path(tmp_path) / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        texts.append(read(str(path), read_as=ReadAs.TEXT).sequence(0))
    one, other = with_common_characters(*texts)
    result = run_job(LINES.job(one, other, {}, fold_case=False, threads=1))
    return Comparison(one, other, LINES, False, 1, LINES.compared(result, one, other))


def texts_compared(a, b, options, *, fold_case=False):
    """Return the comparison of two texts in memory."""
    texts = [parse(text, source=name, read_as=ReadAs.TEXT).sequence(0) for name, text in (("a", a), ("b", b))]
    one, other = with_common_characters(*texts)
    result = run_job(LINES.job(one, other, options, fold_case=fold_case, threads=1))
    return Comparison(one, other, LINES, fold_case, 1, LINES.compared(result, one, other))


def headline(found):
    return LINES.headline(found.result, len(found.a), len(found.b))


def applied(diff, a):
    """Return ``a`` with a unified diff applied: a plain reader of the format that allows no fuzz."""
    lines = a.splitlines(keepends=True) if b"\r" not in a else a.split(b"\n")
    if b"\r" in a:
        lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    out, at, rows = [], 0, diff.split(b"\n")[3:-1]
    for k, row in enumerate(rows):
        if row.startswith(b"@@"):
            first, _, n = row.split()[1][1:].partition(b",")
            start = int(first) - (n != b"0")
            out += lines[at:start]
            at = start
            continue
        if row.startswith(b"\\"):
            continue
        text = row[1:] + (b"" if k + 1 < len(rows) and rows[k + 1].startswith(b"\\") else b"\n")
        if row[:1] in (b" ", b"-"):
            assert lines[at] == text
            at += 1
        if row[:1] in (b" ", b"+"):
            out.append(text)
    return b"".join([*out, *lines[at:]])


def most_equal_lines(a, b):
    """Return the most lines with letters in common, cell by cell."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            equal = best[i][j] + 1 if one == other else 0
            best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j], equal)
    return best[-1][-1]


@given(TEXT, TEXT)
def test_the_unified_diff_makes_b_of_a(tmp_path_factory, a, b):
    found = compared(tmp_path_factory.mktemp("texts"), a, b)
    diff = b"".join(unified(found))
    assert (applied(diff, a.encode()) if diff else a.encode()) == b.encode()
    assert bool(diff) is (a != b)


@given(TEXT, TEXT)
def test_no_other_lines_have_more_equal_ones_with_letters(tmp_path_factory, a, b):
    rows = compared(tmp_path_factory.mktemp("texts"), a, b).result.rows
    ours, theirs = ([line for line in text.split("\n") if line.strip()] for text in (a, b))
    lines = a.split("\n")
    equal = [i for i in rows.a[rows.kind == LineKind.EQUAL].tolist() if lines[i].strip()]
    assert len(equal) == most_equal_lines(ours, theirs)


@given(TEXT, TEXT)
def test_rows_have_each_line_once_in_order(tmp_path_factory, a, b):
    rows = compared(tmp_path_factory.mktemp("texts"), a, b).result.rows
    for lines, starts in ((rows.a, rows.starts_a), (rows.b, rows.starts_b)):
        assert lines[lines != ALONE].tolist() == list(range(starts.size - 1))
    assert ((rows.hunk == 0) == (rows.kind == LineKind.EQUAL)).all()
    assert set(rows.hunk.tolist()) - {0} == set(range(1, rows.n_hunks + 1))


@given(st.text("ab c", max_size=20), st.text("ab c", max_size=20))
def test_words_of_a_changed_line_make_the_other_one(a, b):
    i, built = 0, ""
    j = 0
    for op, n in changed(a, b):
        if op == 0:
            assert a[i : i + n] == b[j : j + n]
        built += b[j : j + n] if op in (0, 2) else ""
        i += n * (op in (0, 3))
        j += n * (op in (0, 2))
    assert (i, j, built) == (len(a), len(b), b)


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_bit_vectors_have_the_length_of_the_lcs(a, b):
    places = equal_words(a, b)
    assert len(places) == most_equal_lines(a, b)
    assert all(a[i] == b[j] for i, j in places)
    assert places == sorted(set(places))
    share = 2 * len(places) / (len(a) + len(b)) if a or b else 0
    assert likeness(a, b, 0.5) == (pytest.approx(share) if share > 0.5 else 0)


PROGRAM = """import sys


def first(x):
    \"\"\"Return the first.\"\"\"
    return x[0]


def second(x):
    \"\"\"Return the second.\"\"\"
    return x[1]


def third(x):
    \"\"\"Return the third.\"\"\"
    return x[2]
"""


def test_a_function_that_moved_is_one_block_and_nothing_else(tmp_path):
    parts = PROGRAM.split("\n\n\n")
    found = compared(tmp_path, PROGRAM, "\n\n\n".join([parts[0], parts[3].rstrip(), parts[1], parts[2]]) + "\n")
    assert headline(found) == "1 hunk: 1 block moved"


def test_a_function_that_was_added_begins_with_letters_and_ends_with_its_blank_lines(tmp_path):
    parts = PROGRAM.split("\n\n\n")
    found = compared(tmp_path, PROGRAM, "\n\n\n".join([*parts[:2], "def new(y):\n    return y", *parts[2:]]))
    rows = found.result.rows
    assert headline(found) == "1 hunk: 4 lines added"
    lines = [b"".join(unified(found)).decode().split("\n")[k] for k in range(7, 11)]
    assert lines == ["+def new(y):", "+    return y", "+", "+"]
    assert rows.b[rows.kind == LineKind.ADDED].tolist() == [8, 9, 10, 11]


def test_a_changed_line_has_words(tmp_path):
    found = compared(tmp_path, "a\nthe cat sat\nb\n", "a\nthe dog sat\nb\n")
    assert headline(found) == "1 hunk: 1 line changed"
    assert found.result.alignment.cigar() == "6=3D3I6="


def test_texts_that_differ_in_line_ends_alone_say_so(tmp_path):
    found = compared(tmp_path, b"one\r\ntwo\r\n", b"one\ntwo\n")
    assert headline(found) == "Line ends only: CRLF in A, LF in B"
    assert LINES.remarks(found.result) == ["2 equal lines", "exact"]
    diff = b"".join(unified(found))
    assert applied(diff, b"one\r\ntwo\r\n") == b"one\ntwo\n"


def test_a_missing_line_end_is_in_the_diff(tmp_path):
    found = compared(tmp_path, "one\ntwo\n", "one\ntwo")
    assert "\\ No newline at end of file" in b"".join(unified(found)).decode()
    assert headline(found) == "Line ends only: B has no line end at its end"
    other = compared(tmp_path, "one\r\ntwo\r\n", "one\ntwo\nthree")
    remarks = ["2 equal lines", "CRLF in A, LF in B", "B has no line end at its end", "exact"]
    assert LINES.remarks(other.result) == remarks


def test_an_empty_file_has_no_line(tmp_path):
    assert headline(compared(tmp_path, "", "one\n\ntwo\n")) == "1 hunk: 3 lines added"
    assert headline(compared(tmp_path, "one\n\ntwo", "")) == "1 hunk: 3 lines removed"
    assert headline(compared(tmp_path, "", "\n")) == "1 hunk: 1 line added"
    assert headline(compared(tmp_path, "", "")) == "No differences"


def test_mixed_line_ends_have_no_diff(tmp_path):
    found = compared(tmp_path, b"one\r\ntwo\n", b"one\ntwo\n")
    assert LINES.remarks(found.result) == ["2 equal lines", "line ends not compared", "exact"]
    with pytest.raises(ExportError, match="line ends of one kind"):
        check(found.a, found.b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("x\n" * 20_000, "x\n" * 19_990),
        ("\n" * 20_000, "\n" * 10_000),
        ("".join(f"{k}\n" for k in range(5_000)), "".join(f"{k} new\n" for k in range(7_000, 12_000))),
        ("a" * 50_000, "a" * 49_999 + "b"),
        ("", "x\n"),
        ("x" * 10, ""),
    ],
    ids=["equal lines", "blank lines", "no line in common", "one line", "nothing in A", "nothing in B"],
)
def test_worst_cases_end(tmp_path, a, b):
    found = compared(tmp_path, a, b)
    assert applied(b"".join(unified(found)), a.encode()) == b.encode()


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
def test_patch_takes_the_diff_of_our_own_files(tmp_path):
    root = Path(__file__).parents[2]
    rng = np.random.default_rng(5)
    for path in (root / "core/kernels/lines/run.py", root / "core/kernels/lines/words.py", root / "README.md"):
        old = path.read_bytes()
        lines = old.splitlines(keepends=True)
        for _ in range(6):
            k = int(rng.integers(len(lines)))
            lines[k : k + 1] = [[], [lines[k], b"added\n"], [lines[k][:-1] + b" changed\n"]][int(rng.integers(3))]
        new = b"".join(lines)
        diff = b"".join(unified(compared(tmp_path, old, new)))
        (tmp_path / "c").write_bytes(old)
        done = subprocess.run(
            ["patch", "-s", "-F0", str(tmp_path / "c")], input=diff, capture_output=True, check=False, timeout=60
        )
        assert (done.returncode, (tmp_path / "c").read_bytes() == new) == (0, True), done.stdout


@pytest.mark.parametrize("command", [["patch", "-s", "-F0", "-p1"], ["patch", "-s", "-F0"], ["git", "apply"]])
@pytest.mark.parametrize("name", ["old.py", "below/old version.py"])
@pytest.mark.parametrize(
    ("a", "b"), [("1\n2\n3\n", "1\n3\n4"), ("1\r\n2", "1\r\n2\r\n"), ("", "1\n"), ("1\n", ""), ("\u4e00\n", "\u4e8c")]
)
def test_patch_and_git_apply_make_b_of_the_file_that_a_is(tmp_path, monkeypatch, command, name, a, b):
    """In a folder that has A alone, as the names in the diff say."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    monkeypatch.chdir(tmp_path)
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(a.encode())
    found = compared(tmp_path, a, b)
    diff = b"".join(unified(replace(found, a=replace(found.a, source=name))))
    if command == ["patch", "-s", "-F0"]:
        monkeypatch.chdir(path.parent)
    done = subprocess.run(command, input=diff, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    left = tmp_path / name
    assert (left.read_bytes() if left.exists() else b"") == b.encode()


def git(*words):
    root = Path(__file__).parents[2]
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False, timeout=60).stdout


def versions(path, most):
    """Versions of a file in the history of this repository, the newest first."""
    commits = git("log", f"-{most}", "--format=%h", "--", path).decode().split()
    return [text for one in commits if (text := git("show", f"{one}:{path}"))]


@given(st.lists(st.sampled_from([0, 0, 1, 2]), max_size=7), st.lists(st.sampled_from([0, 0, 1, 3]), max_size=7))
def test_blank_lines_leave_the_fewest_hunks(ours, theirs):
    """Against all ways of pairing as many blank lines as can be; 0 and 1 are blank, 2 and 3 in one text alone."""
    a, b = np.array(ours, np.uint8), np.array(theirs, np.uint8)
    found = with_blank_lines(np.full(a.size, ALONE), LineNumbers(a, b, np.array([1, 1, 0, 0], bool), a, b), [])
    best = min(
        (-n, len([*gaps(mate, b.size)]))
        for n in range(min(a.size, b.size) + 1)
        for at_a in combinations(range(a.size), n)
        for at_b in combinations(range(b.size), n)
        if all(a[i] == b[j] < 2 for i, j in zip(at_a, at_b, strict=True))
        for mate in [mated(a.size, at_a, at_b)]
    )
    assert (-np.count_nonzero(found >= 0), len([*gaps(found, b.size)])) == best


def mated(n, at_a, at_b):
    mate = np.full(n, ALONE)
    mate[list(at_a)] = at_b
    return mate


@pytest.mark.skipif(shutil.which("patch") is None or shutil.which("diff") is None, reason="patch is not installed")
@pytest.mark.skipif(not (Path(__file__).parents[2] / ".git").exists(), reason="no history")
@pytest.mark.parametrize("path", ["CONTRIBUTING.md", "Makefile", "core/methods/base.py", "app/commands/compare.py"])
def test_patch_makes_each_version_of_the_one_before(tmp_path, path):
    """With no more hunks than ``diff -d`` has, and those of blocks that moved."""
    for new, old in pairwise(versions(path, 6)):
        found = compared(tmp_path, old, new)
        (tmp_path / "c").write_bytes(old)
        diff = b"".join(unified(found))
        if diff:
            subprocess.run(["patch", "-s", "-F0", str(tmp_path / "c")], input=diff, check=True, timeout=60)
        assert (tmp_path / "c").read_bytes() == new
        asked = ["diff", "-d", "-U0", "a.txt", "b.txt"]
        theirs = subprocess.run(asked, cwd=tmp_path, capture_output=True, check=False, timeout=60)
        n = sum(line.startswith(b"@@") for line in theirs.stdout.split(b"\n"))
        assert found.result.rows.n_hunks <= n + len(found.result.moved)


def test_lines_that_memory_does_not_hold_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(lines_run, "available_memory", lambda: 16 * 10**9)
    text = in_no_memory(2 * 10**9)
    with pytest.raises(NotEnoughMemory, match=r"120,000,000 lines needs about 16\.8 GB, and 16\.0 GB .*--method edit"):
        run_job(LineJob(a=text, b=text, line_ends=(6 * 10**7 - 1,) * 2))


@pytest.mark.parametrize(
    ("other", "what"),
    [("b", "2,000 lines that are not equal"), ("a long line of words, but one", "1,000 lines that changed"), ("a", "")],
)
def test_lines_that_differ_are_counted_against_the_memory_there_is(tmp_path, monkeypatch, other, what):
    monkeypatch.setattr(lines_run, "UNCHECKED_BYTES", 0)
    monkeypatch.setattr(lines_run, "available_memory", lambda: 600_000 if other[1:] else 450_000)
    one = "a long line of words, but two" if other[1:] else "a"
    a, b = ("".join(f"{text}{k}\n" for k in range(1000)) for text in (one, other))
    if what:
        with pytest.raises(NotEnoughMemory, match=f"{what} needs about"):
            compared(tmp_path, a, b)
    else:
        assert compared(tmp_path, a, b).result.rows.n_hunks == 0


@given(a=TEXT, b=TEXT, space=st.booleans(), fold_case=st.booleans())
def test_compiled_numbers_of_lines_are_those_of_python(a, b, space, fold_case):
    options, found = {"ignore_space": space}, []
    for least in (0, 1 << 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(text_lines, "COMPILED_LETTERS", least)
            found.append(texts_compared(a, b + "\n", options, fold_case=fold_case).result.rows)
    for name in ("kind", "a", "b", "hunk", "ignored"):
        assert getattr(found[0], name).tolist() == getattr(found[1], name).tolist()


def test_lines_whose_hashes_meet_in_a_table_have_numbers_of_their_own():
    rng = np.random.default_rng(2)
    lines = [f"{k}" for k in rng.integers(0, 900, 4000).tolist()]
    texts = [np.frombuffer("\n".join(some).encode(), np.uint8) for some in (lines[:2500], lines[2500:])]
    steps = compiled_numbers(Step(1), tuple((text, line_starts(text)) for text in texts), np.zeros(256, bool))
    (of_a, of_b), blank = run_to_end(steps)
    order = {line: k for k, line in enumerate(dict.fromkeys(lines))}
    assert [*of_a.tolist(), *of_b.tolist()] == [order[line] for line in lines]
    assert blank.size == len(order)
