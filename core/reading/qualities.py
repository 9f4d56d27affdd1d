"""Base qualities of FASTQ: stretches of letters that are often wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from wavediff.core.base.arrays import Counts, Letters
from wavediff.core.sequences.spans import SpanKind, Spans

LOW_QUALITY = 20  # Phred: below it more than 1 letter in 100 is wrong
_FIRST_SIGN = ord("!")  # quality 0


def low_stretches(qualities: Letters, lengths: Counts, before: int) -> Counts:
    """Return starts, ends, least and largest quality of the stretches below ``LOW_QUALITY``; int64, shape (4, n).

    Args:
        qualities: signs of some records, which follow ``before`` letters of others. lengths: of these records.
    """
    values = np.append(qualities, _FIRST_SIGN) - np.uint8(_FIRST_SIGN)
    low = np.concatenate(([False], values[:-1] < LOW_QUALITY, [False]))
    begins = np.zeros(values.size, np.bool_)
    begins[np.append(0, np.cumsum(lengths))] = True
    starts = np.flatnonzero(low[1:-1] & (~low[:-2] | begins[:-1]))
    ends = np.flatnonzero(low[1:-1] & (~low[2:] | begins[1:])) + 1
    edges = np.stack([starts, ends], axis=1).ravel()
    least, most = (one.reduceat(values, edges)[::2] if edges.size else edges for one in (np.minimum, np.maximum))
    return np.stack([starts + before, ends + before, least, most]).astype(np.int64)


class Qualities(Mapping[int, tuple[Spans, ...]]):
    """Spans of each record (0-based), made when they are asked for.

    Args:
        stretches: of all records, see ``low_stretches``. starts: int64, shape (n_records + 1,).
    """

    def __init__(self, stretches: Counts, starts: Counts) -> None:
        self._stretches, self._starts = stretches, starts

    def __getitem__(self, k: int) -> tuple[Spans, ...]:
        if not 0 <= k < len(self):
            raise KeyError(k)
        start, end = self._starts[k : k + 2].tolist()
        low, high = np.searchsorted(self._stretches[0], (start, end))
        starts, ends, *values = self._stretches[:, low:high]
        names = [
            f"Q{least}" if least == most else f"Q{least} to Q{most}" for least, most in np.transpose(values).tolist()
        ]
        spans = Spans(
            kind=SpanKind.QUALITY, n_letters=end - start, starts=starts - start, ends=ends - start, names=names
        )
        return (spans,) if names else ()

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __len__(self) -> int:
        return self._starts.size - 1
