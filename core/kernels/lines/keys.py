"""Keys of lines and of words where some differences are ignored: equal lines have equal keys."""

from __future__ import annotations

import re

from wavediff.core.jobs.ignore import Ignore

# Chinese characters and kana are words of one letter, as nothing stands between words.
_ALONE = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
WORD = re.compile(rf"[^\W{_ALONE}]+|\s+|.", re.DOTALL)
MATCH = "\ud800"  # stands for a match of the pattern; no text has it


class Keys:
    """Keys of lines and words; case is folded before."""

    def __init__(self, ignore: Ignore = Ignore()) -> None:  # noqa: B008 (a tuple)
        self.ignore = ignore
        flags = re.IGNORECASE if ignore.case else 0
        self._pattern = re.compile(ignore.matching, flags) if ignore.matching else None
        self.has_spaces = not (ignore.space or ignore.breaks)

    def line(self, line: str) -> str:
        """Return the key of a line without its line end."""
        line = self._matched(line)
        return "".join(line.split()) if self.ignore.space else line

    def words(self, line: str) -> list[str]:
        """Return the keys of what stands between white space."""
        return self._matched(line).split()

    def tokens(self, line: str) -> tuple[list[str], list[str]]:
        """Return words, white space and signs, and the key of each."""
        tokens, keys, at = [], [], 0
        spans = [] if self._pattern is None else [found.span() for found in self._pattern.finditer(line) if found[0]]
        for start, end in [*spans, (len(line), len(line))]:
            words = WORD.findall(line[at:start])
            tokens += [*words, line[start:end]]
            keys += [*(words if self.has_spaces else [" " if each.isspace() else each for each in words]), MATCH]
            at = end
        return tokens[:-1], keys[:-1]

    def _matched(self, line: str) -> str:
        return line if self._pattern is None else self._pattern.sub(lambda found: MATCH if found[0] else "", line)
