"""Hunks in a terminal: the words of the picture, nothing of a line lost, no control character written."""

import re

from hypothesis import given

from tests.core.test_lines import PROGRAM, TEXT, compared
from wavediff.core.export import terminal, terminal_lines


def shown(found, **options):
    return list(terminal.lines(found, **options))


def test_a_changed_an_added_and_a_removed_line(tmp_path):
    a = "one\ntwo\nthe cat sat\n" + "same\n" * 9 + "gone\nend\n"
    b = "one\ntwo\nthe dog sat\nnew\n" + "same\n" * 9 + "end\n"
    assert shown(compared(tmp_path, a, b))[1:-1] == [
        " 1  1   one",
        " 2  2   two",
        " 3  3 ~ the [-cat-]{+dog+} sat",
        "    4 + new",
        " 4  5   same",
        "  ··· 7 equal lines",
        "12 13   same",
        "13    − gone",
        "14 14   end",
    ]


def test_a_block_that_moved_is_one_line(tmp_path):
    parts = PROGRAM.split("\n\n\n")
    found = compared(tmp_path, PROGRAM, "\n\n\n".join([parts[0], parts[3].rstrip(), parts[1], parts[2]]) + "\n")
    told = [line for line in shown(found) if "moved, " in line]
    assert [re.sub(r"\s+", " ", line) for line in told] == ["12 4 → moved, 5 lines: def third(x): …"]


def test_more_than_five_hunks_are_counted(tmp_path):
    a = "".join(f"line {k}\nsame\nsame\nsame\n" for k in range(8))
    b = "".join(f"other {k} of them\nsame\nsame\nsame\n" for k in range(8))
    found = compared(tmp_path, a, b)
    assert shown(found)[-2].endswith("3 more hunks; --all prints them, --diff FILE writes a patch")
    assert not any("more hunks" in line for line in shown(found, everything=True))
    assert sum(line[6:7] == "+" for line in shown(found, everything=True)) == 8


def test_colours_take_the_place_of_brackets(tmp_path):
    found = compared(tmp_path, "the cat sat\n", "the dog sat\n")
    mark = terminal_lines.coloured({"TERM": "xterm-256color"})
    line = shown(found, mark=mark)[1]
    assert "\x1b[" in line
    assert "{+" not in line
    assert re.sub(r"\x1b\[[0-9;]*m", "", line) == "1 1 ~ the catdog sat"


@given(TEXT, TEXT)
def test_every_line_that_differs_is_shown(tmp_path_factory, a, b):
    found = compared(tmp_path_factory.mktemp("texts"), a, b)
    text = shown(found, everything=True)
    for line in set(a.split("\n")) ^ set(b.split("\n")):
        words = [word for word in line.split() if word.isascii()]
        assert all(any(word in row for row in text) for word in words)


def test_control_characters_are_signs(tmp_path):
    found = compared(tmp_path, "a\x1b[31mb\tc\n", "a\x1b[31mb\td\n")
    assert "\x1b" not in "".join(shown(found))


def test_of_a_large_hunk_both_ends_are_shown_unless_all_is_wanted(tmp_path):
    found = compared(tmp_path, "same\n", "same\n" + "".join(f"new {k}\n" for k in range(12_385)))
    told = shown(found)
    assert sum("+ new" in line for line in told) == 39
    assert any(line.endswith("··· 12,346 more lines; --all prints them") for line in told)
    assert told[-2].endswith("+ new 12384")
    assert sum("+ new" in line for line in shown(found, everything=True)) == 12_385


def test_a_large_block_that_moved_is_one_line(tmp_path):
    block = "".join(f"line {k} of it\n" for k in range(100))
    rest = "".join(f"other {k}\n" for k in range(150))
    found = compared(tmp_path, block + rest, rest + block)
    assert [" ".join(line.split()) for line in shown(found) if "moved, " in line] == [
        "1 151 → moved, 100 lines: line 0 of it …"
    ]
    assert not any("more lines" in line for line in shown(found))
