"""Hits of the search."""

from __future__ import annotations

from wavediff.app.compare.tracks.track import Track

HITS = Track("hit of the search", "hits of the search", lambda theme: theme.text)
