"""The answer in a terminal: its letters are those of both sequences, its match line says what the alignment does."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.export import terminal, terminal_lines
from wavediff.core.run.api import compare

BLOCK = re.compile(r"^  (A|B) +([\d,]*)  (.*?)  ([\d,]*)$")
FOLD = re.compile(r"^ +···  ([\d,]+) (equal letters?|letters? of [AB] alone), ([\d,]+)–([\d,]+)$")


def rows(lines):
    """Return (name, first, text, last) of the rows of letters, and the match lines between them."""
    found, matches = [], []
    for at, line in enumerate(lines):
        if (row := BLOCK.match(line)) is not None:
            found.append(row.groups())
            if row[1] == "A":
                matches.append(lines[at + 1][row.start(3) :].ljust(len(row[3])))
    return found, matches


def number(text):
    return int(text.replace(",", ""))


@given(st.text("ACGT", max_size=300), st.lists(st.tuples(st.integers(0, 300), st.sampled_from("ACGT-+")), max_size=6))
def test_all_letters_are_there_in_order(a, edits):
    letters = list(a)
    for at, sign in edits:
        if at < len(letters):
            letters[at] = {"-": "", "+": letters[at] + "T"}.get(sign, sign)
    b = "".join(letters)
    answer = compare(a, b)
    lines = [*terminal.lines(answer.comparison, everything=True)]
    found, matches = rows(lines)
    shown = {"A": "", "B": ""}
    folded = 0
    for line in lines:
        if (fold := FOLD.match(line)) is not None:
            first, last = number(fold[3]), number(fold[4])
            assert number(fold[1]) == last - first + 1
            if fold[2].startswith("equal"):
                folded += last - first + 1
                shown["A"] += a[first - 1 : last]
                shown["B"] += a[first - 1 : last]
            else:
                name = fold[2].split()[2]
                shown[name] += {"A": a, "B": b}[name][first - 1 : last]
        elif (row := BLOCK.match(line)) is not None:
            name, first, text, last = row.groups()
            plain = text.replace("-", "")
            assert not plain or (number(first), number(last)) == (len(shown[name]) + 1, len(shown[name]) + len(plain))
            shown[name] += plain
    assert shown == {"A": a, "B": b}
    pairs = [
        pair for one, other in zip(found[::2], found[1::2], strict=True) for pair in zip(one[2], other[2], strict=True)
    ]
    expected = ["|" if x == y else " " if "-" in (x, y) else "." for x, y in pairs]
    assert list("".join(matches)) == expected
    assert folded + expected.count("|") == answer.statistics["matches"]
    assert len(expected) - expected.count("|") <= answer.distance


def test_a_few_blocks_are_shown_and_the_rest_is_named():
    a = "ACGT" * 250
    b = "".join("TGCA"["ACGT".index(letter)] if k in (5, 205, 405, 605) else letter for k, letter in enumerate(a))
    answer = compare(a, b)
    lines = list(terminal.lines(answer.comparison))
    assert "2 more differences at 406, 606; to('text') shows them" in str(answer)
    assert lines[0].startswith("4 substitutions · 99.6 % identical  1,000 and 1,000 letters")
    assert [line for line in lines if "···" in line] == [
        "      ···  120 equal letters, 61–180",
        "      ···  2 more differences at 406, 606; --all prints them",
    ][: sum("···" in line for line in lines)]
    assert "2 more differences at 406, 606" in lines[-2]
    assert sum(line.startswith("  A") for line in lines) == terminal.SHOWN_BLOCKS


@pytest.mark.parametrize(
    ("a", "b", "row_a", "match", "row_b"),
    [
        ("kitten", "sitting", "kitten-", ".|||.|", "sitting"),
        ("a\tb c", "a b c", "a⇥b c", "|.|||", "a␣b c"),
        ("你好吗", "你x吗", "你好吗", "| . | ", "你x 吗"),
    ],
)
def test_characters_stand_below_each_other(a, b, row_a, match, row_b):
    _, first, between, second, _ = str(compare(a, b)).splitlines()
    assert first.split("  ")[2] == row_a
    assert second.split("  ")[2] == row_b
    assert between.strip() == match.strip()


def test_a_gap_that_is_cut_by_the_last_block_is_told_to_its_end():
    letters = "GATTACAGCATGCTTGACCA" * 30
    for gap, seen in (((200, 320), "20 letters of A alone, 301–320"), ((170, 470), "230 letters of A alone, 241–470")):
        a = letters[: gap[0]] + "T" * (gap[1] - gap[0]) + letters[gap[0] :]
        text = str(compare(a, letters)).splitlines()
        assert any(seen in line or "letters of A alone" in line for line in text), text
        told = [number(fold[4]) for line in text if (fold := FOLD.match(line))]
        assert told[-1] in (len(a), len(letters))


def test_a_swap_has_its_sign():
    assert "~~" in str(compare("abcd", "acbd", method="swap"))


@pytest.mark.parametrize(
    ("environment", "code"),
    [({"COLORTERM": "truecolor"}, "48;2;"), ({"TERM": "xterm-256color"}, "48;5;"), ({"TERM": "xterm"}, "[1;33m")],
)
def test_colours_are_those_that_a_terminal_has_and_change_no_letter(environment, code):
    answer = compare("kitten", "sitting").comparison
    coloured = "\n".join(terminal.lines(answer, mark=terminal_lines.coloured(environment)))
    assert code in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == "\n".join(terminal.lines(answer))


def test_a_notebook_gets_escaped_letters():
    shown = compare("a<b", "a>b")._repr_html_()
    assert "&lt;" in shown
    assert "&gt;" in shown
    assert "<b" not in shown.replace("<br", "")


def test_a_notebook_gets_a_map_of_differences_that_no_block_shows():
    letters = "".join(np.random.default_rng(0).choice(list("ACGT"), 2400))
    other = f"{letters[:500]}N{letters[501:1199]}{letters[1220:2000]}{letters[:30]}{letters[2000:]}"
    answer = compare(letters, other, ambiguity="letters")
    drawn = re.findall(r"<rect class='(\w+)' x='(\d+)' width='(\d+)' height='1'/>", answer._repr_html_())
    marked = {(style, x) for style, first, width in drawn for x in range(int(first), int(first) + int(width))}
    names = {"X": "mismatch", "I": "insertion", "D": "deletion"}
    runs = [(int(n), op) for n, op in re.findall(r"(\d+)(.)", answer.cigar)]
    n_columns, expected = sum(n for n, _ in runs), set()
    for kind, a_start, a_end, b_start, b_end, column in answer.differences.tolist():
        for at in range(column, column + max(a_end - a_start, b_end - b_start)):
            expected.add((names[kind], at * terminal.MAP_WIDTH // n_columns))
    assert marked == expected
    assert {style for style, _ in marked} == set(names.values())
    told = f"{len(answer.differences)} differences in {n_columns:,} columns"
    assert f"<title>{told}</title>" in answer._repr_html_()
    assert "<svg" not in compare("kitten", "sitting")._repr_html_()
    assert "to('text') shows them" in str(compare(letters, letters[::-1]))
