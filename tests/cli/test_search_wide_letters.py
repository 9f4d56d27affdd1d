"""``search`` in texts of many characters: places are those of characters, found again here by Python's own strings."""

import pytest

from tests.cli.helpers import call

MANY = "".join(chr(0x4E00 + k) for k in range(900))
EMOJI = "ab👨\u200d👩\u200d👧cd\ufffeÉlan élan 👍x"


@pytest.mark.parametrize(
    ("text", "pattern", "more"),
    [
        pytest.param(MANY, MANY[100], [], id="one character"),
        pytest.param(MANY * 2, MANY[50:350], [], id="300 characters"),
        pytest.param(EMOJI, "\u200d", [], id="zero-width joiner"),
        pytest.param(EMOJI, "\ufffe", [], id="no character"),
        pytest.param(EMOJI, "ÉLAN", ["--case", "fold"], id="fold"),
        pytest.param(EMOJI, "👍x", [], id="emoji"),
    ],
)
def test_places_are_those_of_characters(text, pattern, more, tmp_path, capsys):
    path, out = tmp_path / "text.txt", tmp_path / "out.tsv"
    path.write_text(f"{text}\n", encoding="utf-8")
    code, _, _ = call(capsys, "search", path, "--pattern", pattern, "--tsv", out, *more)
    assert code == 0
    head, *lines = (line.split("\t") for line in out.read_text(encoding="utf-8").splitlines())
    if more:
        text, pattern = text.lower(), pattern.lower()
    wanted = [k + 1 for k in range(len(text)) if text.startswith(pattern, k)]
    assert wanted
    assert [int(line[head.index("start")]) for line in lines] == wanted
    assert [int(line[head.index("end")]) - len(pattern) + 1 for line in lines] == wanted


def test_an_error_is_allowed_in_few_characters_and_refused_in_many(tmp_path, capsys):
    path = tmp_path / "text.txt"
    path.write_text(MANY, encoding="utf-8")
    code, out, _ = call(capsys, "search", path, "--pattern", f"{MANY[20:25]}x{MANY[26:30]}", "-k", "1")
    assert code == 0
    assert "1 hit of 1 pattern" in out
    code, _, error = call(capsys, "search", path, "--pattern", MANY[50:350], "-k", "1")
    assert code == 2
    assert "--pattern 1: " in error
    assert "128 different characters" in error
