"""Differences that a comparison by lines ignores: equal keys against a slow oracle, patches, and wrapped paragraphs."""

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_lines import PROGRAM, applied, headline, most_equal_lines, texts_compared
from wavediff.core.base.errors import Cancelled, WavediffError
from wavediff.core.export import terminal
from wavediff.core.export.unified_diff import unified
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import StepDone
from wavediff.core.jobs.line_result import LineKind
from wavediff.core.jobs.line_view import LineView
from wavediff.core.kernels.lines import text_lines
from wavediff.core.kernels.words import tokens
from wavediff.core.methods.lines import LINES
from wavediff.core.methods.words import WORDS
from wavediff.core.reading import parse
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.read_as import ReadAs

LINE = st.sampled_from(
    ["", "  ", "\t", "one", " one", "On e", "two words", "two  words ", "at 12:30", "at 09:15", "é 中", "É 中"]
)
TEXT = st.lists(LINE, max_size=10).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "".join(f"{line}\n" for line in lines)])
)
OPTIONS = st.fixed_dictionaries(
    {
        "ignore_space": st.booleans(),
        "ignore_blank": st.booleans(),
        "ignore_breaks": st.booleans(),
        "ignore_matching": st.sampled_from(["", r"\d\d:\d\d", "o+|e*"]),
    }
)
PARAGRAPH = (
    "The line method is an LCS over hashed lines in which blank lines weigh a tenth; then lines of a hunk are paired "
    "that share more than half of their letters, and words are marked inside the ones that changed. A block that moved "
    "is one hunk with two places, shown at both with a band in the channel and named by its first line."
)


def key(line, options, fold_case):
    """Return what is compared of a line, in the plainest way."""
    line = line.upper() if fold_case else line
    if options["ignore_matching"]:
        pattern = re.compile(options["ignore_matching"], re.I if fold_case else 0)
        line = pattern.sub(lambda found: "\0" if found[0] else "", line)
    return "".join(line.split()) if options["ignore_space"] else line


def compared(a, b, options, fold_case=False):
    return texts_compared(a, b, options, fold_case=fold_case)


@given(TEXT, TEXT, OPTIONS, st.booleans())
def test_equal_rows_have_equal_keys_and_are_the_most(a, b, options, fold_case):
    rows = compared(a, b, options, fold_case).result.rows
    ours, theirs = ([key(line, options, fold_case) for line in text.split("\n")] for text in (a, b))
    lines_a, lines_b = a.split("\n"), b.split("\n")
    equal = [(i, j) for i, j, kind in zip(rows.a, rows.b, rows.kind, strict=True) if kind == LineKind.EQUAL]
    pairs = [(i, j) for i, j in equal if i >= 0 and j >= 0 and ours[i] == theirs[j]]
    assert sum(bool(ours[i].strip()) for i, _ in pairs) == most_equal_lines(
        [one for one in ours if one.strip()], [one for one in theirs if one.strip()]
    )
    for i, j, kind, ignored in zip(rows.a, rows.b, rows.kind, rows.ignored, strict=True):
        assert not ignored or kind == LineKind.EQUAL
        if kind == LineKind.EQUAL:
            same = i >= 0 and j >= 0 and lines_a[i] == lines_b[j]
            assert ignored == (not same)
            wrapped = options["ignore_breaks"]
            blank = options["ignore_blank"] and not (ours[i] if i >= 0 else theirs[j]).strip()
            assert same or wrapped or blank or (i >= 0 and j >= 0 and ours[i] == theirs[j])


@given(TEXT, TEXT, OPTIONS, st.booleans())
def test_a_patch_leaves_what_is_ignored_and_nothing_else(a, b, options, fold_case):
    found = compared(a, b, options, fold_case)
    diff = b"".join(unified(found))
    made = applied(diff, a.encode()).decode() if diff else a
    rows, kept = found.result.rows, []
    for i, j, kind in zip(rows.a, rows.b, rows.kind, strict=True):
        if kind == LineKind.EQUAL:
            kept += [a.split("\n")[i]] if i >= 0 else []
        elif j >= 0:
            kept.append(b.split("\n")[j])
    assert "\n".join(kept).rstrip("\n") == made.rstrip("\n")
    if not any(options.values()) and not fold_case:
        assert made == b


@pytest.mark.parametrize(
    ("options", "a", "b", "ends"),
    [
        ({"ignore_space": True}, "if x:\n    y = 1\n", "if x:\n\ty  = 1 \n", "white space ignored"),
        ({"ignore_space": True}, "one\r\ntwo\r\n", "one\ntwo\n", "white space ignored"),
        ({"ignore_blank": True}, "one\ntwo\n", "one\n\n\ntwo\n\n", "blank lines ignored"),
        ({"ignore_matching": r"\d\d:\d\d"}, "12:30 up\n", "09:15 up\n", r"matches of \d\d:\d\d ignored"),
        ({"ignore_breaks": True}, "a b\nc d e\n", "a\nb c\nd e\n", "line breaks ignored"),
    ],
    ids=["white space", "line ends", "blank lines", "pattern", "line breaks"],
)
def test_what_is_ignored_is_no_difference_and_is_named(options, a, b, ends):
    found = compared(a.encode(), b.encode(), options)
    assert headline(found) == f"No differences · {ends}"
    assert LINES.same(found.result, len(found.a), len(found.b))
    assert b"".join(unified(found)) == b""
    assert LINES.fields(found.result)["ignored"] == [ends.removesuffix(" ignored")]
    assert headline(compared(a.encode(), b.encode(), {})) != headline(found)


def test_a_line_end_at_the_end_of_a_context_line_is_written():
    found = compared("one\nTWO", "one\ntwo\nthree", {}, fold_case=True)
    diff = b"".join(unified(found))
    assert applied(diff, b"one\nTWO") == b"one\nTWO\nthree"


def test_case_is_folded_and_told():
    found = compared("Straße\nÉté\n", "STRAßE\nété\nnew\n", {}, fold_case=True)
    assert headline(found) == "1 hunk: 1 line added · case ignored"
    assert found.result.rows.ignored.tolist() == [True, True, False]


def test_a_hunk_of_more_than_blank_lines_keeps_them():
    parts = PROGRAM.split("\n\n\n")
    more = "\n\n\n".join([*parts[:2], "def new(y):\n\n    return y", *parts[2:]])
    assert headline(compared(PROGRAM, more, {"ignore_blank": True})) == "1 hunk: 5 lines added · blank lines ignored"


def wrapped(text, width):
    return textwrap.fill(text, width) + "\n"


@given(st.integers(20, 90), st.integers(20, 90))
def test_a_paragraph_wrapped_again_has_no_difference(one, other):
    a, b = (f"# Title\n\n{wrapped(PARAGRAPH, width)}\nThe end.\n" for width in (one, other))
    found = compared(a, b, {"ignore_breaks": True})
    assert headline(found) == "No differences · line breaks ignored"


@given(st.integers(30, 90), st.integers(30, 90))
def test_one_word_in_a_wrapped_paragraph_is_one_changed_line_with_that_word(one, other):
    a, b = wrapped(PARAGRAPH, one), wrapped(PARAGRAPH.replace("hashed lines", "numbered lines"), other)
    found = compared(a, b, {"ignore_breaks": True})
    view = LineView(found.result, found.a, found.b)
    changed = [row for row in range(found.result.rows.kind.size) if found.result.rows.hunk[row]]
    sides = [set(), set()]
    for row in changed:
        for side, spans in enumerate(view.marks(row)):
            lines = (found.result.rows.a, found.result.rows.b)[side]
            sides[side] |= {view.text(side, int(lines[row]))[slice(*span)] for span in spans}
    assert sides[0] <= {"hash", "hashed"}
    assert sides[1] <= {"number", "numbered"}
    assert any(sides)
    assert len(changed) <= 2


def test_marks_leave_out_what_is_ignored():
    options = {"ignore_space": True, "ignore_matching": r"\d\d:\d\d"}
    found = compared("12:30  f(x,  y)\n", "09:15 f(x, z)\n", options)
    view = LineView(found.result, found.a, found.b)
    ours, theirs = view.marks(0)
    assert [view.text(0, 0)[slice(*span)] for span in ours] == ["y"]
    assert [view.text(1, 0)[slice(*span)] for span in theirs] == ["z"]
    assert list(terminal.lines(found))[1] == "1 1 ~ 09:15 f(x, [-y-]{+z+})"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", r"missing \), unterminated subpattern at letter 1"),
        ("a*+*", "multiple repeat at letter 4"),
        ("[a", "at letter 1"),
    ],
)
def test_a_bad_pattern_is_refused_with_its_place(pattern, why):
    option = LINES.option("ignore_matching")
    with pytest.raises(ValueError, match=why):
        option.parse(pattern)
    assert option.parse(r"\d+") == {"ignore_matching": r"\d+"}


@pytest.mark.parametrize("method", [LINES, WORDS], ids=str)
def test_a_pattern_that_never_ends_is_refused_with_its_line(method, monkeypatch):
    monkeypatch.setattr(text_lines, "LINE_SECONDS", 0.01)
    texts = (parse(f"one\n{'a' * 80}{end}", source=end, read_as=ReadAs.TEXT).sequence(0) for end in "bc")
    with pytest.raises(WavediffError, match=r"the pattern '\(a\|aa\)\+\$' takes more than 0 s for the line 'aaaa"):
        run_job(method.job(*texts, {"ignore_matching": "(a|aa)+$"}, fold_case=False, threads=1))


@pytest.mark.parametrize(("method", "module"), [(LINES, text_lines), (WORDS, tokens)], ids=str)
def test_a_run_can_be_stopped_after_each_line_that_a_pattern_is_tried_on(method, module, monkeypatch):
    monkeypatch.setattr(module, "STEP_SECONDS", -1.0)
    texts = [parse("\n".join(f"line {k}{end}" for k in range(50)), source=end, read_as=ReadAs.TEXT) for end in "bc"]
    job = method.job(*(one.sequence(0) for one in texts), {"ignore_matching": r"\d+"}, fold_case=False, threads=1)
    cancel, steps = CancelToken(), []

    def hear(event):
        if isinstance(event, StepDone) and event.kernel == method.id:
            steps.append(event)
        if len(steps) == 60:
            cancel.cancel()

    with pytest.raises(Cancelled):
        run_job(job, report=hear, cancel=cancel)
    assert len(steps) == 60
