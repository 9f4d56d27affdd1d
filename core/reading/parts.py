"""A record of a file, or letters of it as a record of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wavediff.core.base.errors import InputError
from wavediff.core.base.numbers import RANGE_SIGN, number, position
from wavediff.core.reading.load import Load
from wavediff.core.reading.pick import named_records, record_number


def part_of(load: Load, part: str | None, name: str) -> Load:
    """Return the record that ``part`` names alone, or letters of it as a record of its own; None: all records.

    Args:
        name: of the part as the user named it, which letters of a record have for their source.

    Raises:
        InputError: there is no such record, or no such letters in it.
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
    """Return letters ``[start, end)`` of record ``k``, all 0-based, as a record of its own.

    Args:
        name: of the source.

    Raises:
        InputError: the record has fewer letters.
    """
    _require_letters(load, k, end, f"{start + 1}-{end}")
    read = load.sequence(k)
    header = f"{'_'.join(read.name.split())}:{start + 1}-{end} {read.description}".rstrip()
    found = _letters_of(load, k, start, end, header.encode("utf-8", "surrogateescape") + b"\n")
    return replace(found, source=name, counts={}, circular=frozenset(), first=0)


def range_name(load: Load, k: int, start: int, end: int) -> str | None:
    """Return ``file:record:from-to``, which ``part_of`` reads as these letters; None where the file has none such."""
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
    """Return the letters that a range names, 0-based and half open; without an end it goes to the last one."""
    first, last = RANGE_SIGN.split(text, maxsplit=1)
    n, of = int(load.lengths[k]), (k + 1, load.name(k))
    try:
        start, end = position(first), position(last) if last.strip() else n
    except ValueError:
        raise InputError(load.source, f"'{text}' is no range", "1,001-2,000 is one", record=of) from None
    if start < 1:
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
