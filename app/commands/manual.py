"""The manual page (roff, for ``man``), made from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from wavediff.app.commands.short_help import examples
from wavediff.core.system.version import VERSION


def page(top: argparse.ArgumentParser) -> str:
    """Return the page of the program with all its commands."""
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
    """Return ``text`` so that roff shows it as it is."""
    escaped = (text or "").replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
