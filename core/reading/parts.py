"""Parts of files that were read: the record, or letters of it, that a name has behind the file."""

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
        record, letters = part, ""
    k = record_number(load, None if is_range and not record else record, f"{load.source}:")
    read, whole = load.sequence(k), not is_range
    start, end = _range(load, k, letters) if is_range else (0, len(read))
    found = load.letters[load.starts[k] + start : load.starts[k] + end]
    header = load.headers[load.header_starts[k] : load.header_starts[k + 1]]
    if not whole:
        called = "_".join(read.name.split())
        header = f"{called}:{start + 1}-{end} {read.description}".rstrip().encode("utf-8", "surrogateescape") + b"\n"
    return replace(
        load,
        source=load.source if whole else name,
        letters=found if 2 * found.size > load.letters.size else found.copy(),
        starts=np.array([0, found.size]),
        headers=header,
        header_starts=np.array([0, len(header)]),
        counts={0: load.counts[k]} if whole and k in load.counts else {},
        alphabet=read.alphabet,
        fallback=load.fallback if load.n_records == 1 else "",
        spans={0: tuple(one.within(start, end) for one in load.spans.get(k, ()))},
        circular=frozenset({0} if whole and k in load.circular else ()),
        first=k if whole else 0,
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
    if max(start, end) > n:
        problem = f"the range {text} goes past letter {number(n)}, the last one"
        raise InputError(load.source, problem, record=of)
    if end < start:
        raise InputError(load.source, f"the range {text} ends before it begins", f"{end}-{start} is one", record=of)
    return start - 1, end
