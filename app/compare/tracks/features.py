"""Features that a file names, but for those that are the whole sequence, and genes in the place of their product."""

from __future__ import annotations

import numpy as np

from wavediff.app.compare.tracks.track import Track
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import Spans


def _features(sequence: Sequence, _cancel: CancelToken) -> Spans | None:
    found = sequence.features
    if found is None or not found.types:
        return found
    types = [found.types[k] for k in found.owned(np.arange(len(found))).tolist()]
    genes, places = np.array([one == "gene" for one in types]), found.starts * (found.n_letters + 1) + found.ends
    return found.taken(np.flatnonzero(~found.is_whole & ~(genes & np.isin(places, places[~genes]))))


FEATURES = Track("feature", "features", lambda theme: theme.accent, _features, is_bars=True)
