"""Whatever is dropped, on whatever: it is taken or refused in words, and no file of the source is moved."""

import pytest

from tests.journeys.stage import Home, play

pytestmark = pytest.mark.journey

# Names that a person sees; the chips say what they hold, so they are found by how their names begin.
PANES = ("Sequence A", "Sequence B")


def drops(me, on, problem):
    """Files from none to five, text, both, a folder and what is not there, on one place of the window."""
    me.wait_for_first_answer()
    files = []
    for number in range(5):
        path = me.folder / f"file {number}.fa"
        path.write_text(f">name{number}\nACGTACGTAC{'ACGTN'[number]}\n")
        files.append(path)
    if on in me.panels():
        me.show_panel(on)
    for count in range(6):
        drop(me, files[:count], "", on)
    for text in ("ACGTACGT", ">pasted\nACGT\n", "Příliš žluťoučký kůň", " \n", "x" * 100_000):
        drop(me, (), text, on)
    if problem:
        return
    empty, binary, folder = me.folder / "empty.fa", me.folder / "picture.png", me.folder / "folder"
    empty.write_bytes(b"")
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    folder.mkdir()
    for paths in ([empty], [binary], [folder], [me.folder / "is not there.fa"], [files[0], binary], [empty, empty]):
        drop(me, paths, "", on)
    drop(me, files[:1], "and a text", on)
    me.key("Ctrl+R")
    me.wait_idle()


def drop(me, paths, text, on):
    """Drop with Move preferred, as with Shift held: the source must be told of a copy, or it deletes its files."""
    me.clear_messages()
    before = me.read()
    target = next((name for name in me.names_seen() if on and name.startswith(on)), on)
    told = me.drop(paths, text, target, move=True)
    assert told == "CopyAction", f"the source of the drag is told {told!r}"
    me.wait_idle()
    answered = me.answer_questions()
    missing = [path for path in paths if not path.exists() and "not there" not in path.name]
    assert not missing, f"gone after the drop: {missing}"
    if len(paths) in (1, 2) and all(path.suffix == ".fa" and path.is_file() and path.stat().st_size for path in paths):
        for path in paths:
            me.wait_to_see(path.name, 20)
    elif answered:  # the same pair may have been chosen again
        me.wait_idle()
    else:
        me.wait_until(lambda: me.read() != before, "the window says or shows what came of the drop", 20)


@pytest.mark.parametrize("on", [*PANES, "", "Statistics", "Search"])
def test_drops_on_panes_and_elsewhere(tmp_path, on):
    play(Home(tmp_path), drops, leave="key", on=on, problem=on == PANES[0])
