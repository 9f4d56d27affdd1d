"""Tokens of a text for a comparison by words: words, white space, punctuation."""

from __future__ import annotations

import re

# Chinese characters and kana are words of one letter, as nothing stands between words.
_ALONE = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
WORD = re.compile(rf"[^\W{_ALONE}]+|\s+|.", re.DOTALL)
