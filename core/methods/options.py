"""Options of a comparison method for the command line, the window and races.

It imports nothing heavy, as it provides the help of the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Options = Mapping[str, Any]  # values by the ids of their options; what is missing has its default
MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an option.

    Attributes:
        value: the value in a job.
        name, tip: name and tooltip in a chooser of the window.
        typed: text on the command line and in the settings; None: ``str`` of the value; empty: it cannot be typed.
        gpu_only: why the value needs a GPU, a sentence; else empty.
    """

    value: Hashable
    name: str
    tip: str
    typed: str | None = None
    gpu_only: str = ""

    @property
    def text(self) -> str:
        return str(self.value) if self.typed is None else self.typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Option of a method; the subclass determines the widget and the syntax.

    Attributes:
        id: key of ``Options``, option of the command line, key of the settings. Several methods may share an id, with
            different values.
        label, tip: label and tooltip of its widget. help: text in the help of the command line.
        default: initial value.
        typed, shown: whether it is available on the command line, and in the window.
        kept: whether its value stays for the next pairs, as for options that do not change the answer.
        short: short form on the command line, or empty.
        only_with: id of another option of the method, and the value of that option that enables this one.
        advanced: whether it changes the computation but not the answer.
    """

    id: str
    label: str
    tip: str
    help: str
    default: Any
    typed: bool = True
    shown: bool = True
    kept: bool = False
    short: str = ""
    only_with: tuple[str, Any] | None = None
    advanced: bool = True

    def accepts(self, value: object) -> bool:
        """Return whether a job can have ``value``."""
        raise NotImplementedError

    def parse(self, text: str) -> dict[str, Any]:
        """Parse a value from the command line; it may set other options too.

        Raises:
            ValueError: invalid; the message names valid values.
        """
        raise NotImplementedError

    def asks_nothing(self, typed: str | bool) -> bool:
        """Return whether ``typed`` is the default, so that it may also be given for methods without this option."""
        try:
            return self.parse(str(typed)) == {self.id: self.default}
        except ValueError:
            return False

    def text(self, value: Any) -> str:
        """Return the command-line text of ``value``."""
        return str(value)

    @property
    def metavar(self) -> str:
        """Placeholder of a value in the help of the command line."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Option):
    """One of a few values: a chooser.

    Attributes:
        values: the values offered.
        others: function that parses other typed values; raises ValueError with the reason.
        others_metavar: placeholder of such values in the help.
        number: a value, and the id of a ``Number``: a typed number selects the value and sets the ``Number``.
        number_name: noun for the number.
    """

    values: tuple[Value, ...]
    others: Callable[[str], Any] | None = None
    others_metavar: str = ""
    number: tuple[Hashable, str] | None = None
    number_name: str = "a number"

    def entry(self, value: object) -> Value | None:
        """Return the entry of ``value``, or None if it is not offered."""
        # Members of two StrEnums can be equal.
        return next((one for one in self.values if type(one.value) is type(value) and one.value == value), None)

    def accepts(self, value: object) -> bool:
        return self.entry(value) is not None or (self.others is not None and type(value) is type(self.default))

    @property
    def typable(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.values if one.text)

    def parse(self, text: str) -> dict[str, Any]:
        for one in self.values:
            if one.text == text != "":
                return {self.id: one.value}
        if self.others is not None:
            return {self.id: self.others(text)}
        if self.number is not None and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
            value, id_ = self.number
            return {self.id: value, id_: int(text)}
        listed = [*self.typable, *([self.number_name] if self.number else [])]
        raise ValueError(f"'{text}' is not {joined(listed, 'or')}")

    def text(self, value: Any) -> str:
        one = self.entry(value)
        return str(value) if one is None else one.text

    @property
    def metavar(self) -> str:
        more = self.others_metavar or ("K" if self.number else "")
        return more if self.others else "|".join([*self.typable, *([more] if more else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Option):
    """Boolean option: a check box."""

    def accepts(self, value: object) -> bool:
        return isinstance(value, bool)

    def parse(self, text: str) -> dict[str, Any]:
        if text not in ("yes", "no"):
            raise ValueError(f"'{text}' is not yes or no")
        return {self.id: text == "yes"}

    def asks_nothing(self, typed: str | bool) -> bool:
        return typed is False

    def text(self, value: Any) -> str:
        return "yes" if value else "no"

    @property
    def metavar(self) -> str:
        return "yes|no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Option):
    """A number: a spin box.

    Attributes:
        least, most: inclusive bounds.
        decimals: digits after the point; 0: integers.
        unset: name of the default None (automatic); empty: always a number.
    """

    least: float
    most: float
    decimals: int = 0
    unset: str = ""

    def accepts(self, value: object) -> bool:
        if value is None:
            return bool(self.unset)
        if isinstance(value, bool) or not isinstance(value, int | float) or (not self.decimals and value != int(value)):
            return False
        return self.least <= value <= self.most

    def parse(self, text: str) -> dict[str, Any]:
        if self.unset and text == self.unset.lower():
            return {self.id: None}
        value: float | None = None
        if len(text) <= MAX_DIGITS:
            try:
                value = float(text) if self.decimals else int(text)
            except ValueError:
                value = None
        if value is None or not self.accepts(value):
            kind = "number" if self.decimals else "whole number"
            range_ = f"a {kind} from {self.least:,} to {self.most:,}"
            right = f"neither {self.unset.lower()} nor {range_}" if self.unset else f"not {range_}"
            raise ValueError(f"'{text}' is {right}")
        return {self.id: value}

    def text(self, value: Any) -> str:
        return self.unset.lower() if value is None else str(value)

    @property
    def metavar(self) -> str:
        return "N"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Option):
    """Text option with suggested values, e.g. a matrix name or a file: an editable combo box.

    Attributes:
        names: the suggested texts; ``value`` is a str.
        check: function that raises ValueError with the reason if another text is invalid; slow, called for jobs only.
        files: whether other texts are file names, which a dialog can choose.
        what: placeholder of other texts in the help, e.g. ``FILE``.
    """

    names: tuple[Value, ...]
    check: Callable[[str], None] = field(default=lambda _: None)
    files: bool = False
    what: str = "TEXT"

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and (bool(value) or not self.default)

    def names_file(self, text: str) -> bool:
        """Return whether the text may be a file name."""
        return self.files and text.lower() not in (one.text.lower() for one in self.names)

    def parse(self, text: str) -> dict[str, Any]:
        if not text and self.default:
            raise ValueError(f"nothing is not a {self.what.lower()}")
        if text not in (one.text for one in self.names):
            self.check(text)
        return {self.id: text}

    @property
    def metavar(self) -> str:
        return f"NAME|{self.what}" if self.names else self.what


def accepted(offered: Iterable[Option], options: Options) -> dict[str, Any]:
    """Return the value of each offered option: from ``options`` where accepted, else the default."""
    parsed = {}
    for option in offered:
        value = options.get(option.id, option.default)
        parsed[option.id] = value if option.accepts(value) else option.default
    return parsed


def typed(offered: Iterable[Option], options: Options) -> dict[str, str]:
    """Return the command-line text, by option id, of each value in ``options`` that is not a default."""
    values, texts = accepted(offered := tuple(offered), options), {}
    for option in offered:
        value = values[option.id]
        number = option.number if isinstance(option, Choice) else None
        if option.typed and value != option.default:
            texts[option.id] = str(options[number[1]]) if number and value == number[0] else option.text(value)
    return texts


def parsed(offered: Iterable[Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """Parse ``texts`` (by option id) into values of the offered options.

    Raises:
        ValueError: unknown option or value.
    """
    by_id = {one.id: one for one in offered if one.typed}
    parsed: dict[str, Any] = {}
    for id_, text in texts.items():
        if id_ not in by_id:
            raise ValueError(f"there is no option '{id_}'")
        parsed |= by_id[id_].parse(text)
    return parsed


def option_words(name: str, text: str) -> list[str]:
    """Return an option and its value as words of a command line; the value may begin like an option."""
    return [f"{name}={text}"] if text.startswith("-") else [name, text]


def joined(words: list[str], last: str) -> str:
    """Return e.g. ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def kernel_option(default: Any, help: str, *values: Value, tip: str = "The fastest of the device") -> Choice:
    """Return the option that selects the kernel; ``tip`` is the tooltip of ``default``."""
    return Choice(
        id="kernel",
        label="Kernel",
        tip="Kernel that computes the cells; a race compares several (Ctrl+K)",
        help=help,
        default=default,
        values=(Value(default, "Default", tip), *values),
    )
