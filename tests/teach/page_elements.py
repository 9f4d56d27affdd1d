"""Elements of a page, by Python's own parser."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "input", "link", "br", "img", "hr"}


class Elements(HTMLParser):
    """Elements in order: tag, attributes, and the tags that they are in."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], tuple[str, ...]]] = []
        self.texts: dict[int, str] = {}
        self._open: list[tuple[str, int]] = []

    @classmethod
    def of(cls, page: str) -> Elements:
        made = cls()
        made.feed(page)
        made.close()
        return made

    def __iter__(self):
        return iter(self.found)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), tuple(name for name, _ in self._open)))
        if tag not in VOID:
            self._open.append((tag, len(self.found) - 1))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, place in self._open:
            self.texts[place] = self.texts.get(place, "") + data

    def text(self, place: int) -> str:
        return " ".join(self.texts.get(place, "").split())
