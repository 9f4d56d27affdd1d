"""One record of a file, by its name, its whole header or its number."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.numbers import count
from wavediff.core.reading.load import Load
from wavediff.core.sequences.sequence import Sequence

_LISTED = 5
_COMPARED = 10_000  # records whose names are compared with one that does not exist


def pick(load: Load, wanted: str | None, option: str) -> Sequence:
    """Return the record called ``wanted``: a name, a whole header, else a 1-based number; None: the only one there is.

    Args:
        option: what stands before the name where one is chosen, as ``--record-a ``.

    Raises:
        InputError: there is no such record, or several.
    """
    return load.sequence(record_number(load, wanted, option))


def named_records(load: Load, wanted: str) -> list[int]:
    """Return the records (0-based) that ``wanted`` names; several where they share a name or a header."""
    every, called = range(load.n_records), " ".join(wanted.split())
    named = [k for k in every if load.name(k) == wanted] or [k for k in every if _header(load, k) == called]
    number = int(wanted) - 1 - load.first if wanted.isascii() and wanted.isdigit() and len(wanted) < 12 else -1
    return named or ([number] if 0 <= number < load.n_records else [])


def record_number(load: Load, wanted: str | None, option: str) -> int:
    """Return the number (0-based) of the record that ``pick`` returns."""
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
    meant = get_close_matches(wanted, map(load.name, every[:_COMPARED]), 1)
    problem = f"no record '{printable(wanted, 40)}'; {count(load.n_records, 'record', 'records')}: {_list(load, every)}"
    raise InputError(load.source, problem, f"did you mean {option}{printable(meant[0])}?" if meant else how)


def _header(load: Load, k: int) -> str:
    return " ".join([load.name(k), *load.description(k).split()])


def _list(load: Load, records: Collection[int]) -> str:
    """Return the first of ``records``, each by its number and name, or whole header where names are the same."""
    some = [*records][:_LISTED]
    names = [load.name(k) for k in some]
    told = names if len({*names}) == len(names) else [_header(load, k) for k in some]
    shown = [f"{k + 1} '{printable(name, 40)}'" for k, name in zip(some, told, strict=True)]
    return ", ".join(shown) + (", …" if len(records) > _LISTED else "")
