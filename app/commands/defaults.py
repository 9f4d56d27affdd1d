"""Defaults of options from a TOML file and from ``WAVEDIFF_OPTIONS``; the command line overrides both."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wavediff.app.commands import HAVE_DEFAULTS, NO_DEFAULTS
from wavediff.core.base.errors import InputError, did_you_mean, printable

VARIABLE = "WAVEDIFF_OPTIONS"

Parsers = Mapping[str, argparse.ArgumentParser]


@dataclass(frozen=True, slots=True)
class Default:
    """Default value of an option and its source: file and line, or the environment variable."""

    option: str
    value: Any
    source: str
    line: int | None = None

    @property
    def place(self) -> str:
        return self.source + (f", line {self.line}" if self.line else "")

    def __str__(self) -> str:
        return self.option if isinstance(self.value, bool) else f"{self.option} {self.value}"

    def wrong(self, found: str, expected: str = "") -> InputError:
        return InputError(self.source, printable(found), expected, line=self.line)


def path() -> Path:
    from platformdirs import user_config_path

    return user_config_path("wavediff", appauthor=False) / "options.toml"


def set_defaults(parsers: Parsers, command: str) -> None:
    """Set the defaults of ``command``.

    Raises:
        InputError: unknown option or invalid value; with file and line.
    """
    try:
        words = shlex.split(os.environ.get(VARIABLE, ""))
    except ValueError as error:
        raise InputError(VARIABLE, str(error)) from None
    defaults = [] if NO_DEFAULTS in words else [*_in_file(parsers, command)]
    defaults += _in_words(parsers, [word for word in words if word != NO_DEFAULTS])
    for one in defaults:
        action = parsers[command]._option_string_actions.get(one.option)
        if action is not None:
            value = _value(parsers[command], action, one)
            parsers[command].set_defaults(**{action.dest: replace(one, value=value)})


def take_defaults(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Default]:
    """Apply defaults to options missing from the command line; return these defaults by destination."""
    defaults = {dest: value for dest, value in vars(arguments).items() if isinstance(value, Default)}
    for dest, one in defaults.items():
        setattr(arguments, dest, one.value)
    for group in parser._mutually_exclusive_groups:
        chosen = {one.dest for one in group._group_actions if getattr(arguments, one.dest)}
        for dest in chosen & defaults.keys() if chosen - defaults.keys() else ():
            setattr(arguments, dest, False)  # the command line asks for another one of these
            del defaults[dest]
    return defaults


def described(defaults: Iterable[Default]) -> str:
    """Return the defaults as text, grouped by source."""
    places: dict[str, list[str]] = {}
    for one in defaults:
        places.setdefault(one.source, []).append(str(one))
    return "; ".join(f"{printable(source)}: {' '.join(options)}" for source, options in places.items())


def _in_file(parsers: Parsers, command: str) -> Iterator[Default]:
    file = path()
    if not os.path.exists(file):  # also where nobody can know, as in the home of another user
        return
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(str(file), getattr(error, "strerror", None) or str(error)) from None
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(str(file), f"this is no TOML: {error}") from None
    own = {name: options for name, options in table.items() if isinstance(options, dict)}
    shared = {name: value for name, value in table.items() if name not in own}
    for name in own:
        if name not in HAVE_DEFAULTS:
            raise InputError(
                str(file), f"no command '{printable(name)}' has defaults", did_you_mean(name, HAVE_DEFAULTS),
                line=_line(text, name),
            )  # fmt: skip
    for name, options in (("", shared), *own.items()):
        known = _options(parsers, (name,) if name else HAVE_DEFAULTS)
        for key, value in options.items():
            one = Default(f"--{key.replace('_', '-')}", value, str(file), _line(text, name, key))
            if one.option not in known:
                has = f"'{name}' has no option" if name else "no command has an option"
                raise one.wrong(f"{has} '{key}'", did_you_mean(key, [word.removeprefix("--") for word in known]))
            if name in ("", command, "compare" if command == "difftool" else ""):
                yield one


def _in_words(parsers: Parsers, words: Iterable[str]) -> Iterator[Default]:
    known, rest = _options(parsers, HAVE_DEFAULTS) if words else {}, iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if option not in known:
            raise InputError(VARIABLE, f"no command has an option '{printable(option)}'", did_you_mean(option, known))
        flag = known[option].nargs == 0 and not equals
        yield Default(option, True if flag else value if equals else next(rest, None), VARIABLE)


def _options(parsers: Parsers, users: Iterable[str]) -> dict[str, argparse.Action]:
    actions = [pair for name in users for pair in parsers[name]._option_string_actions.items()]
    return {word: one for word, one in actions if one.dest not in ("help", "no_defaults", argparse.SUPPRESS)}


def _value(parser: argparse.ArgumentParser, action: argparse.Action, one: Default) -> Any:
    value = one.value
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise one.wrong(f"{one.option}: '{value}' is not true or false")
        negated = isinstance(action, argparse.BooleanOptionalAction) and one.option.startswith("--no-")
        return value != negated
    if isinstance(action, argparse._AppendAction):
        raise one.wrong(f"{one.option} has no default, as it may be given many times")
    if value is None or isinstance(value, bool | dict):
        raise one.wrong(f"{one.option} needs a value")
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    try:
        converted = parser._get_value(action, text)
        parser._check_value(action, converted)
    except argparse.ArgumentError as error:
        raise one.wrong(f"{one.option}: {error.message}") from None
    return converted


def _line(text: str, table: str, key: str = "") -> int | None:
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        word = line.partition("#")[0].strip()
        if word.startswith("["):
            here = word.strip("[] \"'")
            if here == table and not key:
                return number
        elif here == table and key and word.partition("=")[0].strip(" \"'") == key:
            return number
    return None
