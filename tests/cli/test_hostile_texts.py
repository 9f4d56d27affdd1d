"""Texts that no editor writes: each has an answer or one line of error, by lines and by words."""

import pytest

from tests.cli.helpers import call

LATIN = "caf\u00e9 two\n".encode("latin-1")
TEXTS = {  # A, B, exit code, the first line of the answer or of the error by lines, and by words
    "a zero byte": (b"one\ntwo\0x\n", b"one\n", 2, "line 2, column 4: a zero byte", "line 2, column 4: a zero byte"),
    "two encodings": (
        "caf\u00e9 one\n".encode() + LATIN, "caf\u00e9 one\n".encode() + LATIN.replace(b"two", b"three"), 1,
        "1 hunk: 1 line changed", "1 change: 1 word changed",
    ),
    "all line ends": (b"a\r\nb\nc\rd\r\n", b"a\nb\r\nc\nd\n", 0, "No differences", "No differences"),
    "line ends of one kind": (
        b"a\r\nb\r\n", b"a\nb\n", 0, "Line ends only: CRLF in A, LF in B", "Line ends only: CRLF in A, LF in B",
    ),
    "UTF-16 and UTF-8": (
        "one\ntwo\n".encode("utf-16"), b"one\ntwa\n", 1, "1 hunk: 1 line changed", "1 change: 1 word changed",
    ),
    "a byte-order mark": (b"\xef\xbb\xbfone\ntwo\n", b"one\ntwo\n", 0, "No differences", "No differences"),
    "ends of lines that are none": (
        "a\x0cb\x85c\u2028d\ne\n".encode(), "a\x0cb\x85c\u2028D\ne\n".encode(), 1,
        "1 hunk: 1 line changed", "1 change: 1 word changed",
    ),
    "signs that are not seen": (
        "a\u200bb \u202ec\n\n".encode(), b"ab c\n\n", 1, "1 hunk: 1 line changed",
        "1 change: 1 word removed, 1 changed",
    ),
    "an empty file": (b"", b"\n\n\n", 1, "1 hunk: 3 lines added", "White space only: 1 place"),
    "a line of a million letters": (
        b"ab cd, " * 150_000, b"ab cd, " * 70_000 + b"XY " + b"ab cd, " * 80_000, 1,
        "1 hunk: 1 line changed", "1 change: 1 word added",
    ),
    "a word of a million letters": (
        b"a" * 10**6 + b"\n", b"a" * 10**6 + b"b\n", 1, "1 hunk: 1 line changed", "1 change: 1 word changed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("method", ["lines", "words"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_has_an_answer_or_one_line_of_error(name, method, tmp_path, capsys):
    a, b, expected, *told = TEXTS[name]
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path, content in zip(paths, (a, b), strict=True):
        path.write_bytes(content)
    code, out, err = call(capsys, "compare", *map(str, paths), "--method", method, "--threads", 1)
    assert code == expected
    text = told[method == "words"]
    if code == 2:
        assert out == ""
        assert err.count("\n") == 1
        assert text in err
    else:
        assert out.split("\n")[0].split("  ")[0] == text
        assert len(out) < 10_000
        assert "\x0c" not in out
        assert "\u202e" not in out


@pytest.mark.parametrize("more", [[], ["--exercises", "2", "--seed", "1"]])
def test_a_lesson_of_somebody_moves_no_cursor(tmp_path, capsys, more):
    path = tmp_path / "own.toml"
    call(capsys, "lesson", "new", path)
    text = path.read_text().replace("My lesson", r"My\u001b[2J lesson").replace("kitten", r"ki\u001b\u2028ten")
    path.write_text(text.replace("= 42", "= 49").replace("answer = 3", "answer = 5"))
    code, out, err = call(capsys, "lesson", path, *more)
    assert (code, err, [one for one in out.replace("\n", "") if not one.isprintable()]) == (0, "", [])
    assert r"ki\x1b\u2028ten" in out
