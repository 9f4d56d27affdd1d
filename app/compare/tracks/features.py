"""Track of features in files, without those of the whole sequence, and without genes that have a product."""

from __future__ import annotations

import numpy as np

from wavediff.app.compare.tracks.track import Track
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.sequences.spans import Spans


def _features(sequence: Sequence, _cancel: CancelToken) -> Spans | None:
    features = sequence.features
    if features is None or not features.types:
        return features
    types = [features.types[k] for k in features.owned(np.arange(len(features))).tolist()]
    genes, places = (
        np.array([one == "gene" for one in types]),
        features.starts * (features.n_letters + 1) + features.ends,
    )
    return features.taken(np.flatnonzero(~features.is_whole & ~(genes & np.isin(places, places[~genes]))))


FEATURES = Track("feature", "features", lambda theme: theme.accent, _features, is_bars=True)
