"""What is kept between two runs: settings and recent pairs, whatever has become of their files."""

import json
import os
import threading

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.depth import examples
from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.ui.json_store import JsonStore
from wavediff.app.ui.shared_cursor import SharedCursor
from wavediff.app.ui.theme import Scheme
from wavediff.app.window import settings as saved
from wavediff.app.window.job_options import JobOptions
from wavediff.app.window.letter_style import LetterStyle
from wavediff.app.window.recent import MAX_PAIRS, RecentPair, RecentPairs, RecordRef
from wavediff.app.window.recent_menu import RecentMenu
from wavediff.app.window.settings import Settings
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.letter_rules import Ambiguity

GARBAGE = [
    b"",
    b"\0\0\0",
    b"not json",
    b"[1, 2]",
    b"\xff\xfe{",
    b'{"pairs": ',
    b"[" * 100_000,
    b"{}" + b" " * (1 << 20),
]


@pytest.mark.parametrize("content", GARBAGE, ids=range(len(GARBAGE)))
def test_a_damaged_file_is_kept_as_bad_and_said_once(tmp_path, content):
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    store = JsonStore(path)
    assert saved.load(store) == Settings()
    assert "settings.json.bad" in store.problem
    assert (tmp_path / "settings.json.bad").read_bytes() == content
    again = JsonStore(path)
    assert saved.load(again) == Settings()
    assert again.problem == ""


def test_settings_come_back_as_they_were(tmp_path):
    store = JsonStore(tmp_path / "sub" / "settings.json")
    options = {"traceback": TracebackMethod.HIRSCHBERG}
    choices = JobOptions(device=Device.CPU, ambiguity=Ambiguity.COMPATIBLE, options=options)
    letters = LetterStyle(21, False, Colouring.CELLS, True, True)
    layout = {"tab": "timings", "sizes": {"normal lower": [400, 224]}}
    cluster = Cluster("tls://there:8786", "ca.pem", "certificate.pem", "key.pem")
    settings = Settings(Scheme.DARK, b"\x01\x02", layout, choices, letters, replays=False, cluster=cluster)
    assert saved.save(store, settings) == ""
    assert saved.load(JsonStore(store.path)) == settings


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "scheme",
                "geometry",
                "layout",
                "method",
                "device",
                "path",
                "alignment_font_px",
                "alignment_wrapped",
                "alignment_colouring",
                "alignment_ruler_of_b",
                "zoom_strip_folded",
            ]
        ),
        json_values,
    )
)
@examples(60, HealthCheck.function_scoped_fixture)
def test_values_of_any_type_become_defaults(tmp_path, found):
    """Wrong types, values of a newer version."""
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    settings = saved.load(JsonStore(path))
    assert isinstance(settings.scheme, Scheme)
    assert isinstance(settings.geometry, bytes)
    assert isinstance(settings.choices.device, Device)
    assert settings.choices.method == "edit"
    assert isinstance(settings.letters.colouring, Colouring)
    assert 0 <= settings.letters.size < 1000
    for each in (settings.letters.wrapped, settings.letters.b_ruler, settings.letters.strip_folded):
        assert isinstance(each, bool)


def test_a_value_of_the_wrong_type_is_said_and_written_anew(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"device": 7, "scheme": "dark", "swaps": "no", "traceback": [], "of a newer version": 1}')
    store = JsonStore(path)
    settings = saved.load(store)
    assert settings.choices.device is Device.AUTO
    assert settings.scheme is Scheme.DARK
    assert store.problem.startswith(f"{path}: device is 7, right is auto or cpu or gpu; traceback is []")
    assert store.problem.endswith("and 1 more; defaults are used for that")
    assert saved.save(store, settings) == ""
    kept = json.loads(path.read_text())
    assert (kept["device"], kept["scheme"], kept["swaps"], kept["traceback"]) == ("auto", "dark", True, "checkpoints")
    assert kept["of a newer version"] == 1
    again = JsonStore(path)
    saved.load(again)
    assert again.problem == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("kind", ["named pipe", "character device", "directory"])
def test_a_file_that_is_no_regular_one_is_left_alone(tmp_path, kind):
    path = tmp_path / "settings.json"
    if kind == "named pipe":
        os.mkfifo(path)
    elif kind == "character device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    for read in (saved.load, lambda store: RecentPairs(store).pairs):
        store = JsonStore(path)
        assert not read(store) or read is saved.load
        assert store.problem.startswith(f"{path}: not read: this is a {kind}; ")
        assert store.problem.endswith("defaults are used")
    assert path.exists() or path.is_symlink()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"pairs": 7}, "1 recent pair left out"),
        ({"pairs": [1, {"a": {"path": "/x"}}, {"a": {"path": "/x"}, "b": {"path": "y"}}]}, "3 recent pairs left out"),
        ({"pairs": []}, ""),
        ({}, ""),
    ],
)
def test_recent_pairs_of_wrong_type_are_said(tmp_path, content, said):
    path = tmp_path / "recent.json"
    path.write_text(json.dumps(content))
    store = JsonStore(path)
    assert RecentPairs(store).pairs == ()
    assert said in store.problem
    assert bool(store.problem) is bool(said)


@pytest.mark.parametrize("first_start", [True, False])
def test_two_windows_keep_what_each_of_them_changed(tmp_path, first_start):
    path = tmp_path / "settings.json"
    if not first_start:
        assert saved.save(JsonStore(path), Settings(geometry=b"\x01")) == ""
    one, other = saved.load(JsonStore(path)), saved.load(JsonStore(path))
    one.scheme, one.geometry = Scheme.DARK, b"\x02"
    other.choices = JobOptions(method="edit")
    assert saved.save(JsonStore(path), one) == ""
    assert saved.save(JsonStore(path), other) == ""
    kept = saved.load(JsonStore(path))
    assert (kept.scheme, kept.geometry, kept.choices.method) == (Scheme.DARK, b"\x02", "edit")


def test_many_windows_at_once_lose_no_pair(tmp_path):
    """Each in a thread; they share nothing but the file."""
    path = tmp_path / "recent.json"
    windows = [RecentPairs(JsonStore(path)) for _ in range(6)]
    said = []

    def work(at):
        said.extend(windows[at].add(RecentPair(RecordRef(f"/x/{at}-{k}.fa"), RecordRef("/x/b.fa"))) for k in range(3))

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(windows))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [""] * 18
    names = {pair.a.path for pair in RecentPairs(JsonStore(path)).pairs}
    assert names == {f"/x/{at}-{k}.fa" for at in range(6) for k in range(3)}
    assert [left.name for left in tmp_path.iterdir()] == ["recent.json"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    """Also as root: the place of the folder is taken by a file."""
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    problem = saved.save(JsonStore(tmp_path / "taken" / "settings.json"), Settings())
    assert "not written" in problem


def places(tmp_path, k):
    return RecordRef(str(tmp_path / f"a{k}.fa")), RecordRef(str(tmp_path / f"b{k}.fa"), k + 1)


def test_twenty_pairs_are_kept_newest_first_each_once(qtbot, tmp_path):
    recent = RecentPairs(JsonStore(tmp_path / "recent.json"))
    for k in [*range(25), 10]:
        assert recent.add(RecentPair(*places(tmp_path, k))) == ""
    again = RecentPairs(JsonStore(tmp_path / "recent.json"))
    assert again.pairs == recent.pairs
    assert len(again.pairs) == MAX_PAIRS
    assert [pair.b.record - 1 for pair in again.pairs] == [
        10,
        *[k for k in range(24, 4, -1) if k != 10][: MAX_PAIRS - 1],
    ]


@given(json_values)
@examples(60, HealthCheck.function_scoped_fixture)
def test_a_list_of_anything_gives_only_pairs(tmp_path, found):
    path = tmp_path / "recent.json"
    good = {"a": {"path": "/x/a.fa", "record": 2}, "b": {"path": "/x/b.fa"}}
    path.write_text(json.dumps({"pairs": [found, good, {"a": found, "b": good["b"]}]}), encoding="utf-8")
    expected = (RecentPair(RecordRef(os.path.sep + os.path.join("x", "a.fa"), 2), RecordRef("/x/b.fa")),)
    assert RecentPairs(JsonStore(path)).pairs == expected


@pytest.mark.parametrize(
    "place",
    [
        {"path": "relative.fa"},
        {"path": ""},
        {"path": "/x\0y"},
        {"path": "/" + "x" * 9000},
        {"path": "/x", "record": 0},
        {"path": "/x", "record": True},
        {"path": "/x", "record": 1 << 40},
        {"path": 7},
    ],
)
def test_values_that_make_no_sense_are_left_out(qtbot, tmp_path, place):
    path = tmp_path / "recent.json"
    path.write_text(json.dumps({"pairs": [{"a": place, "b": {"path": "/b"}}]}), encoding="utf-8")
    assert RecentPairs(JsonStore(path)).pairs == ()


def test_missing_pairs_are_grey_and_named(qtbot, session, tmp_path):
    for name in ("a.fa", "b & c.fa"):
        (tmp_path / name).write_text(">x\nA\n", encoding="utf-8")
    session.recent.add(RecentPair(RecordRef(str(tmp_path / "gone.fa")), RecordRef(str(tmp_path / "a.fa"))))
    session.recent.add(RecentPair(RecordRef(str(tmp_path / "a.fa")), RecordRef(str(tmp_path / "b & c.fa"), 3)))
    menu = RecentMenu(session)
    qtbot.addWidget(menu)
    menu.fill()
    good, missing = menu.actions()
    assert good.isEnabled()
    assert good.text() == "&1 a.fa  —  b && c.fa #3"
    assert not missing.isEnabled()
    assert "(missing)" in missing.text()
    assert "gone.fa" in missing.toolTip()


def test_files_of_one_name_are_told_apart():
    pair = RecentPair(RecordRef("/human/mt.fa"), RecordRef("/orang/mt.fa"))
    assert pair.title == "human/mt.fa  —  orang/mt.fa"


def test_the_letters_look_as_they_did_when_the_window_was_closed(qtbot, window, theme):
    view, settings = window.alignment, window.settings
    default = LetterStyle.of(view)
    view.canvas.zoom(1)
    view.actions_by_id["set_wrapped"].trigger()
    view.canvas.set_colouring(Colouring.PLAIN)
    for id_ in ("set_b_ruler", "set_strip_folded"):
        view.actions_by_id[id_].trigger()
    window.close()
    assert settings.letters == LetterStyle(view.canvas.font_size, False, Colouring.PLAIN, True, True)
    assert settings.letters.size > default.size
    again = AlignmentView(theme, SharedCursor())
    qtbot.addWidget(again)
    settings.letters.show(again)
    assert LetterStyle.of(again) == settings.letters
    assert not again.actions_by_id["set_wrapped"].isChecked()
    assert all(again.actions_by_id[id_].isChecked() for id_ in ("set_b_ruler", "set_strip_folded"))
    again.colour_menu.aboutToShow.emit()
    assert [each.text() for each in again.colour_menu.actions() if each.isChecked()] == [Colouring.PLAIN.value]


def test_two_windows_keep_the_pairs_of_both(tmp_path):
    path = tmp_path / "recent.json"
    one, other = (RecentPairs(JsonStore(path)) for _ in range(2))
    x, y, z = (RecordRef(str(tmp_path / name)) for name in "xyz")
    assert one.add(RecentPair(x, y)) == ""
    assert other.add(RecentPair(y, z)) == ""
    assert one.add(RecentPair(x, z)) == ""
    assert RecentPairs(JsonStore(path)).pairs == (RecentPair(x, z), RecentPair(y, z), RecentPair(x, y))
    other.look_again()
    assert other.pairs == one.pairs
    assert one.clear() == ""
    assert other.add(RecentPair(y, z)) == ""
    assert RecentPairs(JsonStore(path)).pairs == (RecentPair(y, z),)  # what was cleared does not come back


def test_pairs_that_could_not_be_saved_stay_while_the_window_does(tmp_path):
    (tmp_path / "folder").write_text("a file where a folder should be")
    recent = RecentPairs(JsonStore(tmp_path / "folder" / "recent.json"))
    x, y = (RecordRef(str(tmp_path / name)) for name in "xy")
    assert "not written" in recent.add(RecentPair(x, y))
    assert "not written" in recent.add(RecentPair(y, x))
    recent.look_again()
    assert recent.pairs == (RecentPair(y, x), RecentPair(x, y))


@pytest.mark.parametrize("how", [{"read_as": "docx"}, {"read_as": 7}, {"alphabet": "klingon"}, {"alphabet": []}])
def test_a_way_of_reading_that_there_is_not_is_left_out(qtbot, tmp_path, how):
    path = tmp_path / "recent.json"
    path.write_text(json.dumps({"pairs": [{"a": {"path": "/a", **how}, "b": {"path": "/b"}}]}), encoding="utf-8")
    assert RecentPairs(JsonStore(path)).pairs == ()
