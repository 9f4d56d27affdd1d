"""Selection of records and ranges by name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.numbers import RANGE_SIGN, count, number, position
from wavediff.core.reading.load import Load
from wavediff.core.sequences.sequence import Sequence


def part_of(load: Load, part: str | None, name: str) -> Load:
    """Return the record named by ``part``, or a range of it as a record; None: all records.

    Args:
        name: name of the part as entered, the source of a range.

    Raises:
        InputError: no such record or range.
    """
    if part is None:
        return load
    record, _, letters = part.rpartition(":")
    is_range = RANGE_SIGN.search(letters) is not None and not named_records(load, part)
    if not is_range:
        record = part
    k = record_number(load, None if is_range and not record else record, f"{load.source}:")
    if is_range:
        return range_of(load, k, *_range(load, k, letters), name)
    header = load.headers[load.header_starts[k] : load.header_starts[k + 1]]
    whole = _letters_of(load, k, 0, int(load.lengths[k]), header)
    counts = {0: load.counts[k]} if k in load.counts else {}
    return replace(whole, counts=counts, circular=frozenset({0} if k in load.circular else ()), first=k)


def range_of(load: Load, k: int, start: int, end: int, name: str) -> Load:
    """Return letters ``[start, end)`` of record ``k`` (all 0-based) as a record.

    Args:
        name: name of the source.

    Raises:
        InputError: the record has fewer letters.
    """
    _require_letters(load, k, end, f"{start + 1}-{end}")
    read = load.sequence(k)
    header = f"{'_'.join(read.name.split())}:{start + 1}-{end} {read.description}".rstrip()
    part = _letters_of(load, k, start, end, header.encode("utf-8", "surrogateescape") + b"\n")
    return replace(part, source=name, counts={}, circular=frozenset(), first=0)


def range_name(load: Load, k: int, start: int, end: int) -> str | None:
    """Return ``file:record:from-to``, which ``part_of`` parses; None if the file or record has no such name."""
    of = f"{start + 1}-{end}"
    for record in (load.name(k), str(k + 1)):
        part = f"{record}:{of}"
        if named_records(load, record) == [k] and not named_records(load, part) and not {*record} & {*"/ \t"}:
            return f"{load.source}:{part}"
    return None


def _letters_of(load: Load, k: int, start: int, end: int, header: bytes) -> Load:
    letters = load.letters[load.starts[k] + start : load.starts[k] + end]
    return replace(
        load,
        letters=letters if 2 * letters.size > load.letters.size else letters.copy(),
        starts=np.array([0, letters.size]),
        headers=header,
        header_starts=np.array([0, len(header)]),
        alphabet=load.sequence(k).alphabet,
        fallback=load.fallback if load.n_records == 1 else "",
        spans={0: tuple(one.within(start, end) for one in load.spans.get(k, ()))},
    )


def _range(load: Load, k: int, text: str) -> tuple[int, int]:
    """Parse a range, 0-based and half-open; without an end it reaches the last letter."""
    first, last = RANGE_SIGN.split(text, maxsplit=1)
    n, of = int(load.lengths[k]), (k + 1, load.name(k))
    try:
        start, end = position(first), position(last) if last.strip() else n
    except ValueError:
        raise InputError(load.source, f"'{text}' is no range", "1,001-2,000 is one", record=of) from None
    if start < 1 or end < 1 <= n:
        raise InputError(load.source, f"the range {text} begins before letter 1", record=of)
    _require_letters(load, k, max(start, end), text)
    if end < start:
        raise InputError(load.source, f"the range {text} ends before it begins", f"{end}-{start} is one", record=of)
    return start - 1, end


def _require_letters(load: Load, k: int, end: int, text: str) -> None:
    n = int(load.lengths[k])
    if end > n:
        problem = f"the range {text} goes past letter {number(n)}, the last one"
        raise InputError(load.source, problem, record=(k + 1, load.name(k)))


_LISTED = 5
_COMPARED = 10_000  # records whose names are compared with one that does not exist


def pick(load: Load, wanted: str | None, option: str) -> Sequence:
    """Return the record ``wanted``: a name, a whole header, or a 1-based number; None: the only record.

    Args:
        option: text before the name of a chosen record, e.g. ``--record-a ``.

    Raises:
        InputError: no such record, or several.
    """
    return load.sequence(record_number(load, wanted, option))


def named_records(load: Load, wanted: str) -> list[int]:
    """Return the records (0-based) named by ``wanted``; several if they share a name or header."""
    every, called = range(load.n_records), " ".join(wanted.split())
    named = [k for k in every if load.name(k) == wanted] or [k for k in every if _header(load, k) == called]
    number = int(wanted) - 1 - load.first if wanted.isascii() and wanted.isdigit() and len(wanted) < 12 else -1
    return named or ([number] if 0 <= number < load.n_records else [])


def record_number(load: Load, wanted: str | None, option: str) -> int:
    """Return the number (0-based) of the record returned by ``pick``."""
    every = range(load.n_records)
    how = f"choose one with {option}NAME|N"
    if wanted is None:
        if load.n_records == 1:
            return 0
        raise InputError(load.source, f"{count(load.n_records, 'record', 'records')}: {_list(load, every)}", how)
    named = named_records(load, wanted)
    if len(named) == 1:
        return named[0]
    if named:
        problem = f"{len(named):,} records are called '{printable(wanted, 40)}': {_list(load, named)}"
        raise InputError(load.source, problem, f"choose one with {option}N, or by its whole header")
    if load.refusal is not None:  # the text has no records of that name
        raise load.refusal
    meant = get_close_matches(wanted, map(load.name, every[:_COMPARED]), 1)
    problem = f"no record '{printable(wanted, 40)}'; {count(load.n_records, 'record', 'records')}: {_list(load, every)}"
    raise InputError(load.source, problem, f"did you mean {option}{printable(meant[0])}?" if meant else how)


def _header(load: Load, k: int) -> str:
    return " ".join([load.name(k), *load.description(k).split()])


def _list(load: Load, records: Collection[int]) -> str:
    """List the first records by number and name; by whole header if names repeat."""
    some = [*records][:_LISTED]
    names = [load.name(k) for k in some]
    labels = names if len({*names}) == len(names) else [_header(load, k) for k in some]
    shown = [f"{k + 1} '{printable(name, 40)}'" for k, name in zip(some, labels, strict=True)]
    return ", ".join(shown) + (", …" if len(records) > _LISTED else "")
