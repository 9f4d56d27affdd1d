"""Hunks as a table, as data and as a page: each holds the texts that were compared."""

import re
from html.parser import HTMLParser

from hypothesis import given

from tests.core.test_line_ignores import OPTIONS
from tests.core.test_lines import PROGRAM, TEXT, texts_compared
from wavediff.core.export import hunks
from wavediff.core.export.tsv import tsv
from wavediff.core.export.unified_diff import page
from wavediff.core.jobs.line_result import LineKind

PARTS = PROGRAM.split("\n\n\n")
MOVED = "\n\n\n".join([PARTS[0], PARTS[3].rstrip(), PARTS[1], PARTS[2]]) + "\n"


class Page(HTMLParser):
    """Cells of a page: the class of the row, number of the line and text of each side; links and their places."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.links, self.places, self.tags = [], [], [], set()
        self._in_code = self._in_link = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.add(tag)
        if tag == "div" and found["class"].startswith("r "):
            self.rows.append((found["class"].split()[1:], []))
            self.places += [found["id"]] if "id" in found else []
        elif tag == "i":
            self.rows[-1][1].append([found.get("data-n"), ""])
        elif tag == "a":
            self.links.append(found["href"][1:])
        self._in_code = self._in_code or tag == "code"
        self._in_link = tag == "a"

    def handle_endtag(self, tag):
        self._in_code = self._in_code and tag != "code"
        self._in_link = False

    def handle_data(self, data):
        if self._in_code and not self._in_link:
            self.rows[-1][1][-1][1] += data


@given(TEXT, TEXT, OPTIONS)
def test_a_page_has_both_texts_in_its_columns(a, b, options):
    found = texts_compared(a, b, options)
    seen = Page(b"".join(page(found)).decode())
    for side, text in enumerate((a, b)):
        cells = [cells[side] for _, cells in seen.rows if cells[side][0] is not None]
        assert [int(n) for n, _ in cells] == list(range(1, len(cells) + 1))
        assert [line for _, line in cells] == (text.removesuffix("\n").split("\n") if text else [])
    kinds = found.result.rows.kind
    assert [classes[0] for classes, _ in seen.rows] == [
        {0: "e", 1: "c", 2: "a", 3: "d", 4: "m", 5: "m"}[k] for k in kinds
    ]
    assert [classes[1:] == ["o"] for classes, _ in seen.rows] == found.result.rows.ignored.tolist()
    assert not {"script", "link", "img"} & seen.tags


def test_both_places_of_a_block_that_moved_are_linked():
    found = texts_compared(PROGRAM, MOVED, {})
    text = b"".join(page(found)).decode()
    seen = Page(text)
    assert len(seen.links) == 2
    assert set(seen.links) == set(seen.places)
    assert re.findall(r"moved (?:to B|from A) \d+", text) == ["moved from A 14", "moved to B 4"]


def test_control_characters_and_markup_are_text_of_a_page():
    found = texts_compared("<b>&\x1b[31m\u202e\n", "<b>&\x1b[32m\u202e\n", {})
    text = b"".join(page(found)).decode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert Page(text).rows[0][1][0][1].startswith("<b>&␛[31m")


def test_equal_lines_are_folded_and_left_out_of_a_long_page():
    same = "".join(f"same {k}\n" for k in range(30_000))
    short = b"".join(page(texts_compared("a\n" + same[:200], "b\n" + same[:200], {}))).decode()
    long = b"".join(page(texts_compared("a\n" + same, "b\n" + same, {}))).decode()
    assert "<details>" in short
    assert "29,997 equal lines" in long
    assert len(long) < 10_000


@given(TEXT, TEXT, OPTIONS)
def test_places_of_the_hunks_are_what_is_not_equal(a, b, options):
    found = texts_compared(a, b, options)
    rows = found.result.rows
    lines = [set(), set()]
    for hunk in hunks.listed(found):
        kinds = {"added": 0, "removed": 0, "changed": 0, "moved": 0}
        for place in hunk["places"]:
            for side in (0, 1):
                lines[side] |= set(range(*place["ab"[side]]))
        assert sum(hunk[kind] for kind in kinds) > 0
        assert hunk["title"] == hunk["title"].strip()
    differ = rows.kind != LineKind.EQUAL
    assert lines == [set(of[differ & (of >= 0)].tolist()) for of in (rows.a, rows.b)]


def test_the_table_has_a_line_for_each_place():
    table = [line.split("\t") for line in b"".join(tsv(texts_compared(PROGRAM, MOVED, {}))).decode().splitlines()]
    assert [len(line) for line in table] == [11] * 3
    assert table[1] == ["1", "moved", "4", "3", "4", "8", "0", "0", "0", "5", "def third(x):"]
    assert table[2] == ["1", "moved", "12", "16", "17", "16", "0", "0", "0", "5", "def third(x):"]
    changed = b"".join(tsv(texts_compared("=1\t2\n", "=1\t3\n", {}))).decode().splitlines()[1]
    assert changed.split("\t")[-1] == "'=1_3"
