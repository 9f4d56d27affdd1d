"""Number formatting in the locale of the window; files and the command line use English.

Only the window sets its separators (``use_separators``); other processes write English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor, log10

RANGE_SIGN = re.compile(r"\.\.|[-–]")  # between the ends of a range
MAX_CHARACTERS = 24  # characters of a position: far more than any needs
LEAST_GCUPS = 0.001  # below it the start takes the time, not the kernel
_SPACES = re.compile(r"[_\s\u00a0\u202f]")
_POSITION = re.compile(r"(\d+\.?\d*|\.\d+)([kKmMgG]?)")
_FACTOR = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


@dataclass(slots=True)
class _Separators:
    group: str
    point: str


_now = _Separators(",", ".")


def use_separators(group: str = ",", point: str = ".") -> None:
    """Set the thousands separator and the decimal point."""
    _now.group, _now.point = group, point


def number(value: float, digits: int = 0) -> str:
    """Format a number with thousands groups and ``digits`` decimals.

    >>> number(1234567), number(0.25, 2)
    ('1,234,567', '0.25')
    """
    return localized(f"{value:,}" if isinstance(value, int) and not digits else f"{value:,.{digits}f}")


def count(n: int, one: str, many: str) -> str:
    """Return a number and the noun of what it counts.

    >>> count(1, "gap", "gaps"), count(1234, "gap", "gaps")
    ('1 gap', '1,234 gaps')
    """
    return f"{number(n)} {one if n == 1 else many}"


def identity(share: float) -> str:
    """Format an identity with one decimal, or more if it would round to 100 %.

    >>> identity(0.806), identity(0.99962), identity(1)
    ('80.6 %', '99.96 %', '100 %')
    """
    digits = next((each for each in (1, 2, 3, 4) if round(100 * share, each) < 100), 5)
    return "100 %" if share == 1 else f"{number(min(100 * share, 99.99999), digits)} %"


def percent(fraction: float) -> str:
    """Format a fraction as ``43 %`` or ``0.04 %``; only exactly 0 and 1 give 0 % and 100 %.

    >>> percent(0.806), percent(0.9981), percent(0.99999), percent(0.0004), percent(1e-7), percent(1), percent(1.06)
    ('81 %', '99.8 %', '> 99.9 %', '0.04 %', '< 0.01 %', '100 %', '106 %')
    """
    value = 100 * fraction
    if 0 < value < 0.01:
        return f"< {number(0.01, 2)} %"
    if 99.9 < value < 100:
        return f"> {number(99.9, 1)} %"
    digits = 2 if value < 0.1 else 1 if value < 10 or 99 < value < 100 else 0
    return f"{number(value) if value == 0 or value >= 100 else number(value, digits)} %"


def rate(value: float) -> str:
    """Format a speed in 10^9 units per second with so many decimals that only a speed of 0 reads 0.

    >>> rate(523.4), rate(4.02), rate(0.123), rate(0.0000056), rate(0)
    ('523', '4.0', '0.123', '0.0000056', '0.000')
    """
    return number(value, 0 if value >= 100 else 1 if value >= 1 else max(3, 1 - floor(log10(value or 1))))


def speed(gcups: float) -> str:
    """Format 10^9 cells per second with its unit."""
    return f"{rate(gcups)} GCUPS"


def localized(text: str) -> str:
    """Convert a number from English separators to those of the locale."""
    if (_now.group, _now.point) == (",", "."):
        return text
    return "".join(_now.group if each == "," else _now.point if each == "." else each for each in text)


def plain_number(text: str) -> str:
    """Convert a typed number to plain digits and a decimal point."""
    return text.replace(_now.group, "").replace(_now.point, ".") if text else text


def position(text: str) -> int:
    """Parse a position; thousands separators, ``10k`` and ``2.5M`` are accepted.

    Raises:
        ValueError: not a number.

    >>> position("12,345"), position("2.5M")
    (12345, 2500000)
    """
    plain = _SPACES.sub("", plain_number(text)) if len(text) <= MAX_CHARACTERS else ""
    parts = _POSITION.fullmatch(plain)
    if parts is None:
        raise ValueError(f"'{text}' is not a number")
    digits, factor = parts.group(1), _FACTOR[parts.group(2).lower()]
    return round(float(digits) * factor) if "." in digits else int(digits) * factor


def duration(seconds: float) -> str:
    """Format a duration.

    >>> duration(0.000016), duration(0.0016), duration(0.013), duration(1.84), duration(75)
    ('16 µs', '1.6 ms', '13 ms', '1.8 s', '1 min 15 s')
    """
    if 0 < seconds < 0.0001:
        return f"{number(seconds * 1e6, 0)} µs"
    if seconds < 0.0995:
        return f"{number(seconds * 1000, 1 if seconds < 0.00995 else 0)} ms"
    if seconds < 59.5:
        return f"{number(seconds, 2 if seconds < 1 else 1)} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{number(hours)} h {minutes:02d} min"
    return f"{number(minutes)} min {rest:02d} s"
