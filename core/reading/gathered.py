"""Records of several files, or some records of one, as one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from os.path import basename

import numpy as np

from wavediff.core.base.arrays import freeze
from wavediff.core.base.numbers import count
from wavediff.core.reading.load import Load
from wavediff.core.sequences.common_characters import in_common_characters


def compared_files(loads: Sequence[Load]) -> tuple[Load, ...]:
    """Return the files of a batch: one or two as they are, more combined into one."""
    return (gathered((one, range(one.n_records)) for one in loads),) if len(loads) > 2 else tuple(loads)


def gathered(parts: Iterable[tuple[Load, Iterable[int]]]) -> Load:
    """Combine some records (0-based) of each file into one; names in several files get the file name as prefix."""
    chosen = [(load, [*records]) for load, records in parts]
    first, loads = chosen[0][0], [load for load, _ in chosen]
    if len(chosen) == 1 and chosen[0][1] == [*range(first.n_records)]:
        return first
    records = [(load, k) for load, places in chosen for k in places]
    letters, characters = [load.letters[load.starts[k] : load.starts[k + 1]] for load, k in records], first.characters
    if len({load.characters for load in loads}) > 1:
        sequences = in_common_characters([load.sequence(k) for load, k in records])
        letters, characters = [one.letters for one in sequences], sequences[0].characters
    names = ["_".join(load.name(k).split()) for load, k in records]
    if len(chosen) > 1 and len({*names}) < len(names):
        names = [f"{basename(load.source)}:{name}" for name, (load, _) in zip(names, records, strict=True)]
    headers = [
        " ".join((name, *load.description(k).split())).encode("utf-8", "surrogateescape") + b"\n"
        for name, (load, k) in zip(names, records, strict=True)
    ]
    return Load(
        source=first.source if len(chosen) == 1 else count(len(chosen), "file", "files"),
        format=first.format if len({load.format for load in loads}) == 1 else "",
        letters=freeze(np.concatenate(letters)),
        starts=np.array([0, *accumulate(map(len, letters))]),
        headers=b"".join(headers),
        header_starts=np.array([0, *accumulate(map(len, headers))]),
        notices=first.notices if len(chosen) == 1 else (),
        alphabet=first.alphabet if len({load.alphabet for load in loads}) == 1 else None,
        encoding=first.encoding,
        read_as=first.read_as,
        characters=characters,
        spans={i: load.spans[k] for i, (load, k) in enumerate(records) if k in load.spans},
        circular=frozenset(i for i, (load, k) in enumerate(records) if k in load.circular),
    )
