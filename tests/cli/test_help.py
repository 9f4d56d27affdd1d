"""The short help and the whole one of each command."""

import re
import shlex

import pytest

from tests.cli.helpers import actions, call, options, parsers
from wavediff.app.commands import COMMANDS, cli, complete
from wavediff.app.commands.short_help import USUAL
from wavediff.core.system import program

HELPED = sorted({*COMMANDS, ""} - {"bench", "compile-kernels"})


def words_of(text):
    return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", text))


@pytest.mark.parametrize("command", HELPED)
def test_the_short_help_has_ten_options_at_most_and_three_examples(capsys, command):
    code, out, err = call(capsys, *command.split(), "-h")
    assert (code, err) == (0, "")
    before, _, after = out.partition("\nexamples:\n")
    usual = re.findall(r"^  (-.*?)(?:  |$)", before, re.MULTILINE)
    options = USUAL[command][0].split()
    assert len(usual) == len(options) <= 10
    assert set(options) <= words_of(" ".join(usual))
    assert len(after.splitlines()) == 3


@pytest.mark.parametrize("command", HELPED)
def test_the_help_has_all_options_in_groups_and_the_examples(capsys, command):
    code, out, err = call(capsys, *command.split(), "--help")
    assert (code, err) == (0, "")
    parser = parsers()[command]
    assert options(command) <= words_of(out)
    ungrouped = [action for action in parser._optionals._group_actions if action.option_strings]
    assert len(ungrouped) <= 15
    examples = out.partition("\nexamples:\n")[2].partition("\ndefaults: ")[0]
    assert len(examples.splitlines()) == (3 if command else len(HELPED))
    more = re.search(r"--help shows (\d+) more", call(capsys, *command.split(), "-h")[1])
    others = sum(bool(one.option_strings) for one in actions(parser)) - len(USUAL[command][0].split()) - 2
    assert others <= 0 if more is None else int(more[1]) == others


def test_each_example_of_the_help_is_understood():
    lines = [line for _, examples in USUAL.values() for line, text in examples if text]
    assert len(lines) == 3 * len(HELPED)
    for line in lines:
        if not re.search(r"\|\||=|>|help ", line):  # of a shell
            arguments, rest = cli.parser().parse_known_args(complete(shlex.split(line)))
            assert rest == [] or arguments.command == "worker", line


def test_help_and_examples_name_the_program_as_it_was_called(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["/somewhere/wavediff"])
    _, out, _ = call(capsys, "compare", "-h")
    assert out.startswith("usage: wavediff compare ")
    assert "  wavediff compare A.fa B.fa " in out
    assert program.name() == "wavediff"
