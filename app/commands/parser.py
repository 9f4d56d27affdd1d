"""Parsers of the program and its commands: one-line errors, a short help (``-h``) and a full help."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Container, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

from wavediff.app.commands import HAVE_DEFAULTS, NO_DEFAULTS
from wavediff.app.commands.help_format import Formatter
from wavediff.core.base.errors import WavediffError, did_you_mean

CALLED_IN_WINDOW = {("method", "letters"): "edit"}  # of texts


class PrintVersion(argparse.Action):
    """Print the version, the commit where it is known, and the levels of x86-64 with installed kernels."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from wavediff.core.jit.compile_cache import shipped_levels
        from wavediff.core.system.version import VERSION, commit

        made_from = f"commit {commit_hash}, " if (commit_hash := commit()) else ""
        kernels = " and ".join(shipped_levels()) or "none, compiled at first use"
        sys.stdout.write(f"wavediff {VERSION} ({made_from}kernels: {kernels})\n")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """Parser without abbreviated options, which a new option would break in scripts."""

    def __init__(self, *, add_help: bool = True, formatter_class: Any = Formatter, **named: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=formatter_class, **named)
        self._words: Sequence[str] = ()
        self._mixes = False
        self.compares_pair = False  # A and B are needed, but where an alignment has the letters of both
        self.add_help = add_help
        if add_help:
            self.add_argument("-h", action=_ShortHelp, nargs=0, help="show the usual options and some examples")
            self.add_argument("--help", action="help", help="show all options")

    def error(self, message: str) -> NoReturn:
        what = re.sub(r"^argument (-\w/)?", "", message)
        missing = re.fullmatch(r"the following arguments are required: (.*)", message)
        if missing:
            names, are = missing[1].replace(", ", " and "), "are" if "," in missing[1] else "is"
            what = f"{names} {are} missing{self._file_taken()}"
        raise WavediffError(f"{what} (see {self.prog} --help)")

    def refuse_unknown(self, words: Sequence[str], of_compare: Container[str]) -> NoReturn:
        """Raise an error for unknown arguments; suggest a similar option, here or in ``compare``."""
        options = [option for option in self._option_string_actions if option.startswith("--")]
        asked = next((word.partition("=")[0] for word in words if word.startswith("-")), "")
        right = did_you_mean(asked, options) or f"'wavediff compare' has {asked}" * (asked in of_compare)
        self.error(f"unrecognized arguments: {' '.join(words)}{f'; {right}' if right else self._file_taken()}")

    def _file_taken(self) -> str:
        """Return a note on a word that is perhaps an input: one that an option took, or that looks like an option."""
        for option, word in pairwise(self._words):
            action = self._option_string_actions.get(option)
            if action is not None and action.metavar == "F":
                return f"; {option} takes {word} as its file"
        like = (f"; ./{word} names that file" for word in self._words if word[:1] == "-" and os.path.isfile(word))
        return next(like, "")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._mixes:
            return super().parse_known_args(args, namespace)
        self._words = args or ()
        known, rest = super().parse_known_args(args, namespace)
        if rest and self._subparsers is None and not any(word.startswith("-") for word in rest):
            self._mixes = True
            known, rest = super().parse_known_intermixed_args(args)
            self._mixes = False
        return known, rest

    def require_pair(self, known: argparse.Namespace) -> None:
        """Raise an error if A or B is missing. This opens a sole A, perhaps an alignment: do not call while parsing."""
        if self.compares_pair and known.b is known.alignment is None and known.a is not None:
            from wavediff.core.reading.alignments import is_alignment

            known.a, known.alignment = (None, known.a) if is_alignment(known.a) else (known.a, None)
        if self.compares_pair and known.b is None and (known.a is not None or known.alignment is None):
            self.error(f"the following arguments are required: {'A, B' if known.a is None else 'B'}")

    def _parse_optional(self, arg_string: str) -> Any:
        part = arg_string.startswith("-:")  # of standard input: no option
        return None if part else super()._parse_optional(arg_string)

    def format_help(self) -> str:
        from wavediff.app.commands.short_help import ending  # when it is asked for, as below

        return super().format_help() + ending(self)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = (*action.choices, *self._option_string_actions)
            meant = CALLED_IN_WINDOW.get((action.dest, value), f"--{value}")
            asked = f"; is {meant} meant?" if meant in known else ""
            from wavediff.core.methods.options import joined

            listed = joined([str(choice) for choice in action.choices], "or")
            raise argparse.ArgumentError(action, f"'{value}' is not {listed}{asked}")


class _ShortHelp(argparse.Action):
    def __init__(self, **named: Any) -> None:
        super().__init__(**named | {"dest": argparse.SUPPRESS, "default": argparse.SUPPRESS})

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from wavediff.app.commands.short_help import short_help

        sys.stdout.write(short_help(parser))
        parser.exit()


class _Parsers(dict[str, Any]):
    """Subparsers, created on demand from their modules."""

    def __init__(self, commands: Commands) -> None:
        super().__init__()
        self._commands = commands

    def __getitem__(self, name: str) -> Parser:
        module = super().__getitem__(name)
        if isinstance(module, str):
            del self[name]
            getattr(import_module(f"wavediff.app.commands.{module}"), f"add_{name.replace('-', '_')}")(self._commands)
            if name in HAVE_DEFAULTS:
                self[name].add_argument(NO_DEFAULTS, action="store_true", help="ignore the defaults")
        parser: Parser = super().__getitem__(name)
        return parser

    def values(self) -> Any:
        return [self[name] for name in [*self]]

    def items(self) -> Any:
        return [(name, self[name]) for name in [*self]]


class Commands(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Commands of the program; arguments are added when a command is used."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._name_parser_map = self.choices = _Parsers(self)

    def add_later(self, name: str, text: str | None, module: str) -> None:
        """Add a command with arguments from ``add_NAME`` in ``module``; without ``text`` it is not listed."""
        dict.__setitem__(self._name_parser_map, name, module)
        if text is not None:
            self._choices_actions.append(self._ChoicesPseudoAction(name, (), text))
