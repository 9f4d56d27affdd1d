"""Names of lines, as they are typed."""

from __future__ import annotations

import re

from wavediff.app.ui.pair import Side
from wavediff.core.base.numbers import number, plain_number, position
from wavediff.core.jobs.line_result import LineRows

TRY = "120, B:120, 50% or #4"
HELP = "120 or A 120 line of A · B 120 line of B · 50% · #4 hunk"
_PLACE = re.compile(r"(?:([ab])\s*[: ]?)?\s*(\d.*)", re.IGNORECASE)


def parse_line(text: str, rows: LineRows) -> tuple[Side, int]:
    """Return the line, from 0, that ``text`` names; see ``HELP``.

    Raises:
        ValueError: says what would be right.
    """
    text = text.strip()
    totals = {Side.A: rows.starts_a.size - 1, Side.B: rows.starts_b.size - 1}
    if text.startswith("#") and rows.n_hunks and text[1:].strip().isdecimal():
        hunk = int(text[1:])
        if not 1 <= hunk <= rows.n_hunks:
            raise ValueError(f"there is no hunk {number(hunk)}, only 1 to {number(rows.n_hunks)}")
        row = int(rows.first_rows[hunk - 1])
        return (Side.A, int(rows.a[row])) if rows.a[row] >= 0 else (Side.B, int(rows.b[row]))
    try:
        if text.endswith("%") and 0 <= (share := float(plain_number(text[:-1].strip()))) <= 100:
            return Side.A, min(totals[Side.A] - 1, int(totals[Side.A] * share / 100))
        found = _PLACE.fullmatch(text)
        side, line = Side((found[1] or "A").upper() if found else "A"), position(found[2] if found else text)
    except ValueError:
        raise ValueError(f"“{text[:12]}” is no line: try {TRY}" if text else f"try {TRY}") from None
    if not 1 <= line <= totals[side]:
        raise ValueError(f"{side} has no line {number(line)}, only 1 to {number(totals[side])}")
    return side, line - 1
