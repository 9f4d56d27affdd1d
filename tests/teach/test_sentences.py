"""Sentences of a lesson: names and indices are looked up, and nothing else is."""

import os
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavediff.core.base.errors import InputError
from wavediff.core.teach.lesson import MAX_FILE_BYTES, parse_lesson, read_lesson
from wavediff.core.teach.sentence import filled, sentence_fields
from wavediff.core.teach.traces import new_trace

TRACE = new_trace("lcs", {"a": "abc", "b": "bcd"})
NOW = "cell 3"

LESSON = """id = "x"
title = "t"
source = "s"
minutes = 1
[[part]]
method = "lcs"
a = "abc"
b = "bcd"
units = ["cell"]
[[part.scene]]
id = "edge"
from = 0
to = 0
say = '{}'
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{a[1]} is not {b[1]}", "a is not b"),
        ("{a}, {b[3]}", "abc, d"),
        ("{answer} letters, {L[3,3]} in the corner, {L[1,1]} first", "2 letters, 2 in the corner, 0 first"),
        ("{now cells} of {cells}", "3 of 9"),
        ("{row 3} and its second, {row 3[2]}", "0, 1, 2, 2 and its second, 2"),
        ("{{a}} {{{a[2]}}}", "{a} {b}"),
        ("no field", "no field"),
    ],
)
def test_fields_are_names_and_indices(text, said):
    assert filled(text, TRACE, NOW) == said


@pytest.mark.parametrize(
    "field",
    [
        "{x.__init__.__globals__[Path].cwd.__func__.__globals__[os].environ[HOME]}",  # reads_environment.toml
        "{a[1]:>3000000000}",  # three_gigabytes.toml
        "{a.nosuch}",  # no_such_name.toml
        "{a!r}",
        "{a!z}",
        "{a:>9}",
        "{}",
        "{0}",
        "{a[b]}",
        "{a[-1]}",
        "{a[1",
        "a}",
        "{a{b}}",
        "{a[1][2]}",
        "{a[9999999999]}",
    ],
)
def test_anything_else_is_refused_before_it_is_looked_up(field):
    with pytest.raises(ValueError, match="write the name of a value"):
        sentence_fields(field)
    with pytest.raises(InputError, match=r"^own: scene 1, 'edge': ") as caught:
        parse_lesson(LESSON.replace("'{}'", f"'{field}'").encode(), "own")
    assert os.environ["HOME"] not in str(caught.value)


@pytest.mark.parametrize("field", ["{a[99]}", "{a[0]}", "{a[1,1]}", "{L[9,9]}", "{nosuch}", "{answer[1]}", "{L}"])
def test_what_is_not_there_is_refused_as_the_lesson_is_read(field):
    with pytest.raises(InputError, match=r"^own: part 1, scene 'edge': .* is nothing that a sentence can ask for"):
        parse_lesson(LESSON.replace("'{}'", f"'{field}'").encode(), "own")


def test_a_lesson_is_a_small_regular_file(tmp_path):
    large, pipe = tmp_path / "large.toml", tmp_path / "pipe.toml"
    with large.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(InputError, match="no lesson is as large"):
        read_lesson(large)
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(InputError, match="named pipe"):
            read_lesson(pipe)


@given(st.text(st.sampled_from("{}[].,:! ab019L_" + string.ascii_lowercase), max_size=40))
def test_no_text_does_more_than_look_up(text):
    try:
        said = filled(text, TRACE, NOW)
    except (ValueError, LookupError):
        return
    longest = max(len(str(TRACE.value_of("row 3"))), len("abc"))
    assert len(said) <= len(text) * longest
