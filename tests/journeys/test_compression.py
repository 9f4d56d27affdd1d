"""A lecture on the transform ends with what it is good for: the figures of compression."""

import bz2
import zlib

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey
TEXT = "She sells sea shells by the sea shore. " * 40


def looks_at_compression(me):
    me.wait_for_window()
    me.put_away_all()
    path = me.folder / "shells.txt"
    path.write_text(TEXT)
    me.drop([path])
    me.wait_until(lambda: "shells" in " ".join(me.read()), "the text is loaded")
    me.wait_idle()
    me.key("Ctrl+B")
    me.wait_until(lambda: me.is_enabled("Compression…", "Transform"), "the text is transformed")
    me.click("Compression…", "Transform")
    me.wait_until(lambda: len(me.table("Compression")) == 6, "the figures are there")
    me.picture("compression")
    rows = {row[0]: row[1].replace(",", "") for row in me.table("Compression")}
    assert rows["zlib"] == str(len(zlib.compress(TEXT.encode(), 9)))
    assert rows["bzip2"] == str(len(bz2.compress(TEXT.encode(), 9)))
    assert int(rows["Last column, runs too"]) < int(rows["Letters by frequency"]) / 5
    me.close_popover()
    me.picture("closed")


def test_compression(tmp_path):
    play(Home(tmp_path), looks_at_compression)
