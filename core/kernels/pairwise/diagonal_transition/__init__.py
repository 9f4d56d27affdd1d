"""O(ND) diagonal transition: probe for few edits, narrow bands of long similar pairs, fast traceback."""

from __future__ import annotations
