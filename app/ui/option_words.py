"""Options of the command line that a message names, as the controls of the window are labelled."""

from __future__ import annotations

import re
from contextlib import suppress

from wavediff.core.methods import METHODS
from wavediff.core.methods.options import Choice

_OPTION = re.compile(r"(?P<quote>'?)--(?P<id>[a-z][a-z-]*)(?: (?P<value>[\w.]+))?(?P=quote)")


def by_controls(text: str) -> str:
    """Return ``text`` with each option of a method by its label, and its value by its name; others stay."""
    return _OPTION.sub(_control, text) if "--" in text else text


def _control(match: re.Match[str]) -> str:
    id_, value = match["id"], match["value"] or ""
    if id_ == "method":
        return next((f"Method: {each.name}" for each in METHODS if each.id == value), match[0])
    options = [option for each in METHODS for option in each.options if option.id == id_ and option.shown]
    for option in options:
        with suppress(ValueError):
            entry = option.entry(option.parse(value)[id_]) if isinstance(option, Choice) else None
            if entry is not None:
                return f"{option.label}: {entry.name}"
    return f"{options[0].label} {value}".rstrip() if options else match[0]
