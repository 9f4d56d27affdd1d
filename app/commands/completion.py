"""``completion``: completion scripts for shells and the manual page, generated from the parser."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator

from wavediff.app.commands.short_help import examples, first_clause
from wavediff.core.system import program
from wavediff.core.system.version import VERSION

_WORD = re.compile(r"[a-z][a-z-]*")
_FILES = {"A", "B", "LOCAL", "REMOTE", "F", "FILE", "FILE2", "CONTIGS"}  # names of arguments that are files
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
    from wavediff.app.commands.cli import parser

    top = parser(program.COMMAND_NAME)
    if arguments.shell == "man":
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


def page(top: argparse.ArgumentParser) -> str:
    return "\n".join(_lines(top)) + "\n"


def _lines(top: argparse.ArgumentParser) -> Iterator[str]:
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    listed = [commands.choices[one.dest] for one in commands._choices_actions if commands.choices[one.dest].add_help]
    yield f'.TH WAVEDIFF 1 "" "wavediff {VERSION}" "User Commands"'
    yield from (".SH NAME", rf"wavediff \- {_text(top.description)}", ".SH SYNOPSIS", ".nf")
    yield from (_text(one.format_usage().partition(":")[2].strip()) for one in (top, *listed))
    yield from (".fi", *_body(top))
    for parser in listed:
        yield from (f'.SH "{_text(parser.prog.upper())}"', _text(parser.description), *_body(parser))


def _body(parser: argparse.ArgumentParser) -> Iterator[str]:
    formatter = argparse.HelpFormatter(parser.prog)
    for group in parser._action_groups:
        if group._group_actions:
            yield f'.SS "{_text(group.title)}"'
        for action in group._group_actions:
            for one in getattr(action, "_choices_actions", [action]):
                yield from (".TP", rf"\fB{_text(formatter._format_action_invocation(one))}\fR")
                yield _text(formatter._expand_help(one)) if one.help else r"\&"
    for text in (parser.epilog or "", examples(parser)):
        if text:
            yield from (".PP", ".nf", *map(_text, text.strip().splitlines()), ".fi")


def _text(text: str | None) -> str:
    escaped = (text or "").replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
