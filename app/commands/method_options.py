"""Command-line options generated from the comparison methods; imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.methods import METHODS
from wavediff.core.methods import method as method_by_id
from wavediff.core.methods.base import AUTOMATIC, Method
from wavediff.core.methods.lines import LINES
from wavediff.core.methods.options import Choice, Flag, Option, joined

Offered = tuple[Method, Option]
COMPARE_OPTIONS = [(one, option) for one in METHODS for option in one.options]
BATCH_OPTIONS = [(one, option) for one in METHODS if one.batch is not None for option in one.batch.options]


def add_method_options(group: Any, offered: Iterable[Offered]) -> None:
    """Add an option for each id in ``offered``; methods with the same id share the option."""
    by_id: dict[str, list[Offered]] = {}
    for method, option in offered:
        if option.typed:
            by_id.setdefault(option.id, []).append((method, option))
    for id_, owners in by_id.items():
        text = _help(owners).replace("%", "%%")
        names = (*filter(None, dict.fromkeys(option.short for _, option in owners)), _flag(id_))
        if all(isinstance(option, Flag) for _, option in owners):
            group.add_argument(*names, dest=id_, action=argparse.BooleanOptionalAction, default=None, help=text)
        else:
            words = dict.fromkeys(word for _, option in owners for word in option.metavar.split("|"))
            group.add_argument(*names, dest=id_, metavar="|".join(words), help=text)


def method_options(arguments: argparse.Namespace, method: Method, offered: Iterable[Offered]) -> dict[str, Any]:
    """Return the option values that ``arguments`` set for ``method``.

    Raises:
        WavediffError: an option or a value that this method does not have.
    """
    values: dict[str, Any] = {}
    pairs = [(one, option) for one, option in offered if option.typed]
    if id_ := _foreign(arguments, method, pairs):
        owned = f"goes with --method {_ids(one for one, option in pairs if option.id == id_)}, not with {method.id}"
        names = [*{option.short for _, option in pairs if option.id == id_ and option.short}, _flag(id_)]
        text = getattr(arguments, id_)
        raise WavediffError(f"{'/'.join(names)} {owned}{'' if text is True else f' ({names[-1]} {text})'}")
    for own in (option for one, option in pairs if one is method):
        text = getattr(arguments, own.id)
        if isinstance(text, bool):
            values[own.id] = text
        elif text is not None:
            try:
                values |= own.parse(text)
            except ValueError as error:
                raise WavediffError(_refusal(text, own, error, method, pairs)) from None
    return values


def usual_methods(arguments: argparse.Namespace, *, letters: bool, lines: bool) -> list[Method]:
    """Return the methods that ``compare`` may choose: the named one, else those that accept the options.

    Args:
        letters, lines: whether an option needs a method of letters, or of lines.
    """
    if arguments.method != AUTOMATIC:
        return [method_by_id(arguments.method)]
    methods: tuple[Method, ...] = (LINES,) if lines else METHODS[:1] if letters else (METHODS[0], LINES)
    pairs = [(one, option) for one, option in COMPARE_OPTIONS if option.typed]
    return [one for one in methods if not _foreign(arguments, one, pairs)] or [methods[0]]


def _foreign(arguments: argparse.Namespace, method: Method, pairs: list[Offered]) -> str:
    own = {option.id for one, option in pairs if one is method}
    for id_ in dict.fromkeys(option.id for _, option in pairs if option.id not in own):
        text = getattr(arguments, id_)
        if text is None or id_ in getattr(arguments, "defaults", ()):
            continue
        if not any(option.asks_nothing(text) for _, option in pairs if option.id == id_):
            return id_
    return ""


def _refusal(text: str, own: Option, error: ValueError, method: Method, pairs: list[Offered]) -> str:
    others = [
        one
        for one, option in pairs
        if one is not method and option.id == own.id and isinstance(option, Choice) and text in option.typable
    ]
    if isinstance(own, Choice) and others:
        has = joined(list(own.typable), "and")
        goes = f"; it goes with --method {_ids(others)}, not with {method.id}"
        return f"{_flag(own.id)} {text}: --method {method.id} has {has}{goes}"
    return f"{_flag(own.id)}: {error}"


def _flag(id_: str) -> str:
    return f"--{id_.replace('_', '-')}"


def _ids(methods: Iterable[Method]) -> str:
    return " or ".join(dict.fromkeys(method.id for method in methods))


def _help(owners: list[Offered]) -> str:
    by_text: dict[str, list[Method]] = {}
    for method, option in owners:
        by_text.setdefault(option.help, []).append(method)
    return "; ".join(f"{', '.join(one.id for one in methods)}: {text}" for text, methods in by_text.items())
