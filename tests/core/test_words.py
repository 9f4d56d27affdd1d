"""Comparison by words: against a slow oracle, and what a person expects of changes."""

import json
import re
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.export import terminal, words
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.json import compared as as_json
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Op
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.jobs.line_view import line_view
from wavediff.core.jobs.word_result import WordKind
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.words import WORDS
from wavediff.core.reading import parse
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.words import WORD

TOKENS = st.sampled_from(["one", "two", "Two", "x", "3", "中", "é", ",", "+", "_", " ", " ", "  ", "\n", "\n\n", "\t"])
TEXT = st.lists(TOKENS, max_size=24).map("".join)


def compare(a, b, options=None, *, fold_case=False):
    texts = [parse(text, source=name, read_as=ReadAs.TEXT).sequence(0) for name, text in (("a", a), ("b", b))]
    one, other = with_common_characters(*texts)
    result = run_job(WORDS.job(one, other, options or {}, fold_case=fold_case, threads=1))
    return Comparison(one, other, WORDS, fold_case, 1, WORDS.compared(result, one, other))


def test_the_map_counts_words_and_signs_as_tokens():
    one, other = (parse(text, read_as=ReadAs.TEXT).sequence(0) for text in ("f(x) + 1\n", "f(x, y)\n"))
    events = []
    run_job(WORDS.job(one, other, {}, fold_case=False, threads=1), report=events.append)
    planned = [event for event in events if isinstance(event, Planned)]
    assert {(one.axes.unit, one.axes.n_rows, one.axes.n_columns) for one in planned} == {("token", 6, 6)}


def headline(found):
    return WORDS.headline(found.result, len(found.a), len(found.b))


def letters(one):
    return "".join(one.characters[code - 128] if code >= 128 else chr(code) for code in one.letters.tolist())


def tokens(text):
    return [token for token in WORD.findall(text) if not token.isspace()]


def most_equal(a, b):
    """Return the length of an LCS, row by row."""
    row = [0] * (len(b) + 1)
    for one in a:
        before = row
        row = [0]
        for j, other in enumerate(b):
            row.append(before[j] + 1 if one == other else max(before[j + 1], row[j]))
    return row[-1]


def replayed(found):
    """Return both texts from equal letters and changes, in pieces of A and of B."""
    (a, b), at_a, at_b, pieces = (letters(found.a), letters(found.b)), 0, 0, []
    for (a0, a1, b0, b1), kind in zip(found.result.changes.tolist(), found.result.kinds.tolist(), strict=True):
        pieces += [(a[at_a:a0], b[at_b:b0], 0), (a[a0:a1], b[b0:b1], kind)]
        at_a, at_b = a1, b1
    return [*pieces, (a[at_a:], b[at_b:], 0)]


@given(a=TEXT, b=TEXT)
def test_the_most_words_are_equal_and_the_changes_give_both_texts(a, b):
    found = compare(a, b)
    a, b, pieces = letters(found.a), letters(found.b), replayed(found)
    assert ["".join(each) for each in list(zip(*pieces, strict=True))[:2]] == [a, b]
    equal = [one for one, other, kind in pieces if not kind and one == other]
    assert len(equal) == sum(not kind for _, _, kind in pieces)
    assert sum(len(tokens(one)) for one in equal) == most_equal(tokens(a), tokens(b))
    for one, other, kind in pieces:
        if kind:
            has_words = [any(each[0].isalnum() or each[0] == "_" for each in tokens(text)) for text in (one, other)]
            assert kind == {
                (True, True): WordKind.CHANGED, (True, False): WordKind.REMOVED, (False, True): WordKind.ADDED,
                (False, False): WordKind.SIGNS if (one + other).strip() else WordKind.SPACE,
            }[tuple(has_words)]  # fmt: skip
    assert WORDS.same(found.result, len(a), len(b)) == (a == b)


@given(a=TEXT, b=TEXT)
def test_the_alignment_has_every_letter_and_the_same_equal_ones(a, b):
    found = compare(a, b)
    alignment, n_equal = found.result.alignment, sum(len(one) for one, _, kind in replayed(found) if not kind)
    assert int((alignment.lengths * CONSUMES_A[alignment.ops]).sum()) == len(found.a)
    assert int((alignment.lengths * CONSUMES_B[alignment.ops]).sum()) == len(found.b)
    assert alignment.count(Op.EQUAL) == n_equal
    assert (alignment.lengths > 0).all()
    assert (np.diff(alignment.ops.astype(int)) != 0).all()


@given(a=TEXT, b=TEXT)
def test_the_counts_are_those_of_the_words_in_each_change(a, b):
    found, expected = compare(a, b), dict.fromkeys(("changed", "added", "removed", "equal"), 0)
    for one, other, kind in replayed(found):
        p, q = (sum(each[0].isalnum() or each[0] == "_" for each in tokens(text)) for text in (one, other))
        if not kind:
            expected["equal"] += p
            continue
        expected["changed"] += min(p, q)
        expected["added"] += max(q - p, 0)
        expected["removed"] += max(p - q, 0)
    counted = dict(zip(("changed", "added", "removed"), found.result.words.sum(axis=0).tolist(), strict=True))
    assert counted | {"equal": found.result.counts.equal} == expected


@given(a=TEXT, b=TEXT)
def test_rows_have_each_line_once_and_those_with_changes_are_not_equal(a, b):
    found = compare(a, b)
    rows = found.result.rows
    for lines, starts in ((rows.a, rows.starts_a), (rows.b, rows.starts_b)):
        assert lines[lines >= 0].tolist() == list(range(starts.size - 1))
    changed = found.result.changes[found.result.kinds != WordKind.SPACE]
    for text, lines, starts, (first, end) in (
        (letters(found.a), rows.a, rows.starts_a, (0, 1)), (letters(found.b), rows.b, rows.starts_b, (2, 3)),
    ):  # fmt: skip
        touched = {
            line
            for change in changed.tolist()
            for line in range(starts.size - 1)
            if text[max(change[first], starts[line]) : min(change[end], starts[line + 1])].strip()
        }
        for line, kind in zip(lines.tolist(), rows.kind.tolist(), strict=True):
            assert not (line in touched and kind == LineKind.EQUAL)
    assert (rows.n_hunks == 0) == (len(changed) == 0)


def test_as_many_words_are_equal_as_difflib_has_or_more():
    rng = np.random.default_rng(3)
    a = [f"w{k}" for k in rng.integers(0, 60, 400).tolist()]
    b = [word for word in a if rng.random() > 0.1]
    for place in rng.integers(0, len(b), 30).tolist():
        b[place] = "new"
    found = compare(" ".join(a), "\n".join(b))
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    assert found.result.counts.equal >= sum(block.size for block in blocks)
    assert found.result.counts.equal == most_equal(a, b)


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("the cat sat", "the cat sat", "No differences"),
        ("the cat sat", "the dog sat", "1 change: 1 word changed"),
        ("the cat sat", "the big cat\nsat", "1 change: 1 word added"),
        ("the cat, sat", "the cat sat", "1 change: signs in 1 place"),
        ("a b c d e", "a x c e f g", "3 changes: 2 words added, 1 removed, 1 changed"),
        ("the cat sat", "the cat\n  sat", "White space only: 1 place"),
        ("我爱北京", "我爱南京", "1 change: 1 word changed"),
        ("", "one two", "1 change: 2 words added"),
        ("", "", "No differences"),
        ("\n\n\n", " ", "White space only: 1 place"),
    ],
)
def test_the_answer_counts_words(a, b, told):
    assert headline(compare(a, b)) == told


@pytest.mark.parametrize(
    ("a", "b", "options", "fold_case", "told"),
    [
        ("The  cat", "The\ncat", {"ignore_space": True}, False, "No differences · white space ignored"),
        ("The cat", "the CAT", {}, True, "No differences · case ignored"),
        (
            "10:03 up\nx 11:04", "23:59 up x\n0:00", {"ignore_matching": r"\d+:\d+"}, False,
            "White space only: 2 places · matches of \\d+:\\d+ ignored",
        ),
        (
            "10:03 up\nx", "23:59 down\nx", {"ignore_matching": r"\d+:\d+"}, False,
            "1 change: 1 word changed · matches of \\d+:\\d+ ignored",
        ),
    ],
)  # fmt: skip
def test_ignored_differences_are_no_changes(a, b, options, fold_case, told):
    assert headline(compare(a, b, options, fold_case=fold_case)) == told


def test_a_paragraph_that_was_wrapped_again_differs_in_white_space_alone():
    words_ = [f"word{k}" for k in range(100)]
    found = compare(
        "\n".join(" ".join(words_[k : k + 7]) for k in range(0, 100, 7)),
        "\n".join(" ".join(words_[k : k + 9]) for k in range(0, 100, 9)),
    )
    assert re.fullmatch(r"White space only: \d+ places", headline(found))
    assert found.result.rows.n_hunks == 0
    assert found.result.rows.ignored.any()


def test_the_changes_are_listed():
    found = compare("The quick fox,\njumps over 3 dogs", "The slow fox\njumps over  the 3 dogs")
    assert b"".join(words.tsv(found)).decode().splitlines() == [
        "change\tkind\ta_start\ta_end\tb_start\tb_end\ta_line\tb_line\ta_text\tb_text",
        "1\tchanged\t5\t9\t5\t8\t1\t1\tquick\tslow",
        "2\tsigns\t14\t14\t13\t12\t1\t1\t,\t",
        "3\tadded\t26\t25\t24\t28\t2\t2\t\t\\x20\\x20the",
    ]
    listed = json.loads(json.dumps(as_json(found)["change_list"]))
    assert listed[0] == {"kind": "changed", "a": [4, 9], "b": [4, 8], "lines": [0, 0]}
    assert [each["kind"] for each in listed] == ["changed", "signs", "added"]


def test_a_terminal_shows_changes_as_git_does():
    found = compare("The quick fox\njumps", "The slow fox\njumps")
    assert [line.rstrip() for line in terminal.lines(found)][1:3] == ["1 1 ~ The [-quick-]{+slow+} fox", "2 2   jumps"]


def test_the_number_alone_has_the_same_changes():
    one, other = (compare("a b c", "a x c", options) for options in ({}, {"traceback": TracebackMethod.NONE}))
    assert other.result.alignment is None
    assert other.result.counts == one.result.counts


def test_long_lines_are_cut_between_words():
    rng = np.random.default_rng(5)
    a = [f"w{k}" for k in rng.integers(0, 9999, 40_000).tolist()]
    b = [*a[:20_000], "between", *a[20_000:]]
    assert headline(compare(" ".join(a), " ".join(b))) == "1 change: 1 word added"


def shown(a, b, **options):
    """Lines of the terminal between the answer and the method."""
    return list(terminal.lines(compare(a, b), **options))[1:-1]


def test_a_line_whose_words_another_has_is_marked_in_a_terminal():
    told = shown("x\n今天\n天气很好\n", "y\n今天天气很好\n")
    assert "2   ↵ 今天" in told
    assert "3 2   天气很好" in told


def test_no_patch_of_words_is_offered_in_a_terminal():
    a, b = ("".join(f"{word} {k}\nsame\nsame\nsame\n" for k in range(8)) for word in ("line", "other"))
    assert shown(a, b)[-1].split("··· ")[1] == "3 more changes; --all prints them"


def test_a_terminal_counts_changes_that_it_does_not_show():
    a, b = ("".join(f"{word} {k} {word} end\nsame\nsame\nsame\n" for k in range(8)) for word in ("line", "other"))
    assert compare(a, b).result.n_changes == 16
    assert shown(a, b)[-1].split("··· ")[1] == "6 more changes; --all prints them"
    assert shown(a, b, rest="more")[-1].endswith("6 more changes; more")
    removed = "".join(f"gone {k}\nsame\nsame\nsame\n" for k in range(9))
    assert "4 more changes" in shown(removed, "same\nsame\nsame\n" * 9)[-1]
    assert "4 more changes" in shown("same\nsame\nsame\n" * 9, removed)[-1]


def test_added_lines_leave_the_line_behind_them_as_it_is():
    before, added, after = "    z = f(y)", "\n    z += 1", "\n    return z\n"
    for a, b, side in ((before + after, before + added + after, 2), (before + added + after, before + after, 0)):
        result = compare(a, b).result
        ((first, end),) = result.changes[:, side : side + 2].tolist()
        assert (b if side else a)[first:end] == added
        assert result.rows.kind.tolist() == [
            LineKind.EQUAL,
            LineKind.ADDED if side else LineKind.REMOVED,
            LineKind.EQUAL,
        ]


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [("a = 1\n", "\n    new = 9", "\n    b = 2\n"), ("", "  z();\n", "  a();\n  b();\n"), ("x\n", "\n\tz", "\n\ty")],
)
def test_a_line_behind_a_blank_one_or_at_the_start_is_added_whole(before, added, after):
    for a, b, side in ((before + after, before + added + after, 2), (before + added + after, before + after, 0)):
        for options in ({}, {"ignore_space": True}):
            found = compare(a, b, options)
            ((first, end),) = found.result.changes[:, side : side + 2].tolist()
            assert (b if side else a)[first:end] == added
            assert LineKind.CHANGED not in found.result.rows.kind


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        ("  f();", "\n  h();", "\n  g();\n"),
        ("for (;;) {\n  a();\n}", "\nfor (;;) {\n  b();\n}", "\nend();\n"),
        ("x = [1,", "\n2,", "\n3]\n"),
        ("start\n{ a }", "\n{ b }", "\n{ c }\n{ d }\n"),
    ],
)
def test_lines_that_share_signs_with_their_neighbours_are_added_whole(before, added, after):
    for a, b, side in ((before + after, before + added + after, 2), (before + added + after, before + after, 0)):
        found = compare(a, b)
        ((first, end),) = found.result.changes[:, side : side + 2].tolist()
        longer = b if side else a
        assert (longer[first], longer[end], end - first) == ("\n", "\n", len(added))
        assert LineKind.CHANGED not in found.result.rows.kind


def test_white_space_alone_is_told_by_its_lines():
    def told(a, b):
        found = compare(a, b)
        return next((one for one in found.method.remarks(found.result) if one.startswith("in line")), "")

    assert told("a b c\n", "a  b\n\nc\n") == "in line 1 of A"
    assert told("one x\ntwo\nthree x\n", "one\tx\ntwo\nthree\tx\n") == "in lines 1 to 3 of A"
    assert told("", "\n\n\n") == "in line 1 of A"
    assert told("a b\n" * 9, "a  b\n" * 9) == "in lines 1 to 9 of A"
    assert told("a b c", "a  b d") == ""


@given(a=TEXT, b=TEXT)
def test_each_change_is_a_hunk_in_the_rows_of_its_letters(a, b):
    found = compare(a, b)
    result, view = found.result, line_view(found.result, found.a, found.b)
    assert view.n_hunks == (result.n_changes or result.kinds.size)
    words = result.words[view.chosen].sum(axis=1)
    assert view.counts.sum(axis=1).tolist() == words.clip(1).tolist()  # one without a word is a changed one
    for number in range(1, view.n_hunks + 1):
        hunk, letters = view.hunk(number), view.letters(number)
        rows = [row for first, end in hunk.places for row in range(first, end)]
        for side, (lines, starts, (first, end)) in enumerate(
            zip((result.rows.a, result.rows.b), (result.rows.starts_a, result.rows.starts_b), letters, strict=True)
        ):
            goes_on = end - first > 1 and first + 1 in starts  # its first letter ends the line before
            for letter in range(first + goes_on, end):
                line = int(np.searchsorted(starts[:-1], letter, "right")) - 1
                assert int(np.flatnonzero(lines == line)[0]) in rows
                assert view.at(side, letter) == (number, number)
        assert view.title(number)
