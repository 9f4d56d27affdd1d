"""O(ND): what is reached on each diagonal with few edits; the first answer for what hardly differs, a band of long
pairs that are alike, and a short way back through a strip."""

from __future__ import annotations
