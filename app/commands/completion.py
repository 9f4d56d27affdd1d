"""``completion``: scripts by which shells complete the command line, and the manual page, made from the parser."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator

from wavediff.app.commands.short_help import first_clause
from wavediff.core.system import program

_WORD = re.compile(r"[a-z][a-z-]*")
_FILES = {"A", "B", "LOCAL", "REMOTE", "F", "FILE", "FILE2"}  # names of arguments that are files
# The first words may be files too, for the window: what stands in the scripts, and instead of it.
_FISH = "complete -c wavediff -f\n"
_FIRST_FILES = {
    "bash": {"complete -o bashdefault -F": "complete -o bashdefault -o default -F"},
    "zsh": {
        "': :_shtab_wavediff_commands'": "': :{_shtab_wavediff_commands; _files}'",
        "\n      esac\n": "\n        *) _files ;;\n      esac\n",
    },
    "fish": {
        _FISH: f"{_FISH}complete -c wavediff -n '_shtab_wavediff_using; and test $_shtab_wavediff_npos -le 1' "
        "-ka '(__fish_complete_path (commandline -ct))'\n"
    },
}


def run(arguments: argparse.Namespace) -> int:
    """Print the script, or the page."""
    from wavediff.app.commands.cli import parser

    top = parser(program.COMMAND_NAME)
    if arguments.shell == "man":
        from wavediff.app.commands.manual import page

        sys.stdout.write(page(top))
        return 0
    import shtab

    for action in _actions(top):
        action.help = first_clause(action.help)
        _complete(action, shtab.FILE, shtab.DIRECTORY)
    script = shtab.complete(top, arguments.shell)
    for found, instead in _FIRST_FILES[arguments.shell].items():
        script = script.replace(found, instead)
    sys.stdout.write(f"{script.rstrip()}\n")
    return 0


def _complete(action: argparse.Action, file: object, folder: object) -> None:
    """Add the values of an argument: a file, or the words that its name lists."""
    name = str(action.metavar)
    if action.dest == "name":
        from wavediff.core.teach.lesson import lessons

        action.choices = ["all", *(lesson.id for lesson in lessons())]
    elif name == "DIR" or _FILES & {*re.split(r"\W", name)}:
        setattr(action, "complete", folder if name == "DIR" else file)  # noqa: B010 - shtab reads it
    elif action.choices is None and "|" in name:
        action.choices = _WORD.findall(name)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from _actions(one)
        else:
            yield action
