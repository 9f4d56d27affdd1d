"""What is kept between two runs: settings and recent pairs, whatever has become of their files."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.depth import examples
from tests.processes import spawned
from wavediff.app.compare.cell_styles import Colouring
from wavediff.app.compare.pair.pair_state import AUTOMATIC, JobOptions
from wavediff.app.compare.pair.recent import MAX_PAIRS, RecentPair, RecentPairs
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.compare.pair_view import PairView
from wavediff.app.ui.pair import SharedCursor, Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme
from wavediff.app.window import settings as saved
from wavediff.app.window.frame.actions import RecentMenu
from wavediff.app.window.settings import Settings
from wavediff.app.window.window_commands import files_of
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

GARBAGE = [
    b"\0\0\0",
    b"not an INI file",
    b"[1, 2]",
    b"\xff\xfe{",
    b'{"pairs": ',
    b"[" * 100_000,
    b"scheme=dark\n" + b";" * (1 << 20),
]
ROOT = Path(__file__).parents[2]


def of_a(path, record=1, **how):
    return ReadItem(Side.A, Path(path), record=record, **how)


def of_b(path, record=1, **how):
    return ReadItem(Side.B, Path(path), record=record, **how)


def pair_of(a, b):
    return RecentPair(of_a(a), of_b(b))


def pair_text(a, b):
    return json.dumps({"a": a, "b": b})


def recent(tmp_path, *texts):
    """Return a file with these texts as recent pairs, the first one the newest."""
    path = tmp_path / "wavediff.ini"
    path.unlink(missing_ok=True)
    SettingsFile(path).update({f"recent/{len(texts) - k:03}": text for k, text in enumerate(texts)})
    return SettingsFile(path)


@pytest.mark.parametrize("content", GARBAGE, ids=range(len(GARBAGE)))
def test_a_damaged_file_is_kept_as_bad_and_said_once(tmp_path, content):
    path = tmp_path / "wavediff.ini"
    path.write_bytes(content)
    file = SettingsFile(path)
    assert saved.load(file) == Settings()
    assert "wavediff.ini.bad" in file.problem
    assert (tmp_path / "wavediff.ini.bad").read_bytes() == content
    again = SettingsFile(path)
    assert saved.load(again) == Settings()
    assert again.problem == ""


def test_settings_come_back_as_they_were(tmp_path):
    path = tmp_path / "sub" / "wavediff.ini"
    options = {"traceback": TracebackMethod.HIRSCHBERG}
    choices = JobOptions(device=Device.CPU, options=options)
    layout = {"tab": "timings", "sizes": {"normal lower": [400, 224]}}
    cluster = Cluster("tls://there:8786", "ca, of us.pem", "certificate.pem", "@key.pem")
    settings = Settings(Scheme.DARK, b"\x01\x02", layout, choices, cluster, "/tmp/my: files", False)
    settings.alignment_font_px, settings.alignment_wrapped = 21, False
    settings.alignment_colouring, settings.alignment_ruler_of_b = Colouring.CELLS, True
    settings.zoom_strip_folded = True
    assert SettingsFile(path).is_new
    assert saved.save(SettingsFile(path), settings) == ""
    assert saved.load(SettingsFile(path)) == settings
    assert not SettingsFile(path).is_new


def test_settings_of_an_older_version_are_taken_over_once(tmp_path):
    """They were two files of JSON."""
    corpus = ROOT / "tests" / "fuzz" / "corpus" / "settings"
    pair = {"a": {"path": "/x/a.fa", "record": 2}, "b": {"path": "/x/b.fa", "read_as": "text", "alphabet": "protein"}}
    (tmp_path / "recent.json").write_text(json.dumps({"pairs": [pair, {**pair, "a": {"path": "/x/older.fa"}}]}))
    more = {"alignment_colouring": Colouring.CELLS.value, "zoom_strip_folded": True, "swaps": False}
    (tmp_path / "settings.json").write_text(json.dumps(json.loads((corpus / "settings.json").read_text()) | more))
    file = SettingsFile(tmp_path / "wavediff.ini")
    settings = saved.load(file)
    assert file.problem == ""
    assert not file.is_new
    assert (settings.scheme, settings.geometry, settings.replay_short_runs) == (Scheme.DARK, b"\x01\x02", False)
    assert settings.layout == {"tab": "timings", "sizes": {"normal lower": [400, 224]}}
    assert settings.choices.options == {"traceback": TracebackMethod.HIRSCHBERG}  # swaps were of one pair
    assert settings.choices.device is Device.CPU
    assert (settings.alignment_font_px, settings.alignment_wrapped, settings.alignment_colouring) == (
        21,
        False,
        Colouring.CELLS,
    )
    assert (settings.alignment_ruler_of_b, settings.zoom_strip_folded) == (False, True)
    assert settings.cluster.address == "tls://there:8786"
    kept = RecentPairs(file)
    b = of_b("/x/b.fa", read_as=ReadAs.TEXT, alphabet=Alphabet.PROTEIN)
    assert kept.pairs == (RecentPair(of_a("/x/a.fa", 2), b), RecentPair(of_a("/x/older.fa"), b))
    assert kept.clear() == ""
    settings.scheme = Scheme.LIGHT
    assert saved.save(file, settings) == ""
    again = SettingsFile(tmp_path / "wavediff.ini")
    assert (saved.load(again).scheme, RecentPairs(again).pairs) == (Scheme.LIGHT, ())


@pytest.mark.parametrize("content", [*GARBAGE, b"", b'{"pairs": 7}', b'{"scheme": [], "pairs": [1]}'])
def test_damaged_files_of_an_older_version_are_passed_over(tmp_path, content):
    for name in ("settings.json", "recent.json"):
        (tmp_path / name).write_bytes(content)
    file = SettingsFile(tmp_path / "wavediff.ini")
    assert saved.load(file) == Settings()
    assert RecentPairs(file).pairs == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = ("scheme", "geometry", "layout", "method", "device", "path", "alignment_font_px", "alignment_wrapped")
NAMES += ("alignment_colouring", "alignment_ruler_of_b", "zoom_strip_folded")
LETTERS = (*NAMES[-5:], "hidden_tracks")


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=20) | json_values.map(json.dumps)))
@examples(60, HealthCheck.function_scoped_fixture)
def test_values_of_any_type_become_defaults(tmp_path, found):
    """Wrong types, values of a newer version."""
    path = tmp_path / "wavediff.ini"
    path.unlink(missing_ok=True)
    SettingsFile(path).update(found)
    settings = saved.load(SettingsFile(path))
    assert isinstance(settings.scheme, Scheme)
    assert isinstance(settings.geometry, bytes)
    assert isinstance(settings.choices.device, Device)
    assert settings.choices.method == AUTOMATIC
    assert isinstance(settings.alignment_colouring, Colouring)
    assert 0 <= settings.alignment_font_px < 1000
    for each in (settings.alignment_wrapped, settings.alignment_ruler_of_b, settings.zoom_strip_folded):
        assert isinstance(each, bool)


def test_a_value_of_the_wrong_type_is_said_and_written_anew(tmp_path):
    path = tmp_path / "wavediff.ini"
    path.write_text("device=7\nscheme=dark\nties=x\ntraceback=y, z\nof-a-newer-version=1\n")
    file = SettingsFile(path)
    settings = saved.load(file)
    assert settings.choices.device is Device.AUTO
    assert settings.scheme is Scheme.DARK
    assert file.problem.startswith(f"{path}: device: '7' is not auto, cpu or gpu; traceback: ")
    assert file.problem.endswith("and 1 more; defaults are used for that")
    assert saved.save(file, settings) == ""
    lines = set(path.read_text().splitlines())
    assert {"device=auto", "scheme=dark", "ties=fewest-gaps", "traceback=checkpoints", "of-a-newer-version=1"} <= lines
    again = SettingsFile(path)
    saved.load(again)
    assert again.problem == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("kind", ["named pipe", "character device", "directory"])
def test_a_file_that_is_no_regular_one_is_left_alone(tmp_path, kind):
    path = tmp_path / "wavediff.ini"
    if kind == "named pipe":
        os.mkfifo(path)
    elif kind == "character device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    file = SettingsFile(path)
    assert (saved.load(file), RecentPairs(file).pairs) == (Settings(), ())
    assert file.problem.startswith(f"{path}: not read: this is a {kind}; ")
    assert "not written" in saved.save(file, Settings(Scheme.DARK))
    assert path.exists() or path.is_symlink()


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["7"], "1 recent pair ignored"),
        (["1", pair_text({"path": "/x"}, None), pair_text({"path": "/x"}, {"path": "y"})], "3 recent pairs ignored"),
        ([], ""),
    ],
)
def test_recent_pairs_of_wrong_type_are_said(tmp_path, texts, said):
    file = recent(tmp_path, *texts)
    assert RecentPairs(file).pairs == ()
    assert said in file.problem
    assert bool(file.problem) is bool(said)


@pytest.mark.parametrize("first_start", [True, False])
def test_two_windows_keep_what_each_of_them_changed(tmp_path, first_start):
    path = tmp_path / "wavediff.ini"
    if not first_start:
        assert saved.save(SettingsFile(path), Settings(geometry=b"\x01")) == ""
    files = [SettingsFile(path) for _ in range(2)]
    one, other = map(saved.load, files)
    one.scheme, one.geometry = Scheme.DARK, b"\x02"
    other.choices = JobOptions(method="edit", device=Device.CPU)
    assert [saved.save(*each) for each in zip(files, (one, other), strict=True)] == ["", ""]
    kept = saved.load(SettingsFile(path))
    assert (kept.scheme, kept.geometry, kept.choices.device) == (Scheme.DARK, b"\x02", Device.CPU)


ADD = """
import sys
from pathlib import Path
from wavediff.app.compare.pair.recent import RecentPair, RecentPairs
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import SettingsFile
for k in range(4):
    file = SettingsFile(Path(sys.argv[1]))
    assert file.problem == ""
    recent = RecentPairs(file)
    a, b = Path(f"/x/{sys.argv[2]}-{k}.fa"), Path("/x/b.fa")
    assert recent.add(RecentPair(ReadItem(Side.A, a, record=1), ReadItem(Side.B, b, record=1))) == ""
"""


def test_windows_at_once_lose_no_pair(tmp_path):
    """Each is a process; they share nothing but the file."""
    path = tmp_path / "wavediff.ini"
    commands = [[sys.executable, "-c", ADD, str(path), name] for name in "abc"]
    with spawned(commands[0], cwd=ROOT) as a, spawned(commands[1], cwd=ROOT) as b, spawned(commands[2], cwd=ROOT) as c:
        assert [each.wait(60) for each in (a, b, c)] == [0, 0, 0]
    names = {str(pair.a.path) for pair in RecentPairs(SettingsFile(path)).pairs}
    assert names == {f"/x/{name}-{k}.fa" for name in "abc" for k in range(4)}
    assert [left.name for left in tmp_path.iterdir()] == ["wavediff.ini"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    """Also as root: a file has the place of the folder, or the folder cannot be."""
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    for folder in ("taken", "x" * 300):
        problem = saved.save(SettingsFile(tmp_path / folder / "wavediff.ini"), Settings())
        assert "not written" in problem
        assert files_of(tmp_path / folder) == [tmp_path / folder]


def places(tmp_path, k):
    return of_a(tmp_path / f"a{k}.fa"), of_b(tmp_path / f"b{k}.fa", k + 1)


def test_twenty_pairs_are_kept_newest_first_each_once(qtbot, tmp_path):
    path = tmp_path / "wavediff.ini"
    kept = RecentPairs(SettingsFile(path))
    for k in [*range(25), 10]:
        assert kept.add(RecentPair(*places(tmp_path, k))) == ""
    again = RecentPairs(SettingsFile(path))
    assert again.pairs == kept.pairs
    assert len(again.pairs) == MAX_PAIRS
    assert [pair.b.record - 1 for pair in again.pairs] == [
        10,
        *[k for k in range(24, 4, -1) if k != 10][: MAX_PAIRS - 1],
    ]


@given(json_values)
@examples(60, HealthCheck.function_scoped_fixture)
def test_a_list_of_anything_gives_only_pairs(tmp_path, found):
    good = {"a": {"path": "/x/a.fa", "record": 2}, "b": {"path": "/x/b.fa"}}
    texts = (json.dumps(each) for each in (found, good, {"a": found, "b": good["b"]}))
    expected = (RecentPair(of_a(os.path.sep + os.path.join("x", "a.fa"), 2), of_b("/x/b.fa")),)
    assert RecentPairs(recent(tmp_path, *texts)).pairs == expected


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
        {"path": "/a", "read_as": "docx"},
        {"path": "/a", "read_as": 7},
        {"path": "/a", "alphabet": "klingon"},
        {"path": "/a", "alphabet": []},
        {"path": "/a", "features": 7},
        {"path": "/a", "features": "x.gff3"},
    ],
)
def test_values_that_make_no_sense_are_left_out(qtbot, tmp_path, place):
    assert RecentPairs(recent(tmp_path, pair_text(place, {"path": "/b"}))).pairs == ()


def test_missing_pairs_are_grey_and_named(qtbot, session, tmp_path):
    for name in ("a.fa", "b & c.fa"):
        (tmp_path / name).write_text(">x\nA\n", encoding="utf-8")
    session.recent.add(pair_of(tmp_path / "gone.fa", tmp_path / "a.fa"))
    session.recent.add(RecentPair(of_a(tmp_path / "a.fa"), of_b(tmp_path / "b & c.fa", 3)))
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
    pair = pair_of("/human/mt.fa", "/orang/mt.fa")
    assert pair.title == "human/mt.fa  —  orang/mt.fa"


def test_the_letters_look_as_they_did_when_the_window_was_closed(qtbot, window, theme, tmp_path):
    view, settings = window.alignment, window.settings
    default = view.canvas.font_size
    view.canvas.zoom(1)
    view.actions_by_id["set_wrapped"].trigger()
    view.canvas.set_colouring(Colouring.PLAIN)
    for id_ in ("set_b_ruler", "set_strip_folded"):
        view.actions_by_id[id_].trigger()
    view.annotator.hidden = frozenset({"tRNA", "gene, or % \u00e9"})
    window.close()
    letters = [getattr(settings, name) for name in LETTERS]
    assert letters == [view.canvas.font_size, False, Colouring.PLAIN, True, True, "gene, or % \u00e9\ttRNA"]
    file = SettingsFile(tmp_path / "wavediff.ini")
    assert saved.save(file, settings) == ""
    read = saved.load(SettingsFile(file.path))
    assert [getattr(read, name) for name in LETTERS] == letters
    assert settings.alignment_font_px > default
    again = PairView(theme, SharedCursor())
    qtbot.addWidget(again)
    read.show(again)
    noted = Settings()
    noted.note(again)
    assert [getattr(noted, name) for name in LETTERS] == letters
    assert not again.actions_by_id["set_wrapped"].isChecked()
    assert all(again.actions_by_id[id_].isChecked() for id_ in ("set_b_ruler", "set_strip_folded"))
    again.colour_menu.aboutToShow.emit()
    assert [each.text() for each in again.colour_menu.actions() if each.isChecked()] == [Colouring.PLAIN.value]


def test_two_windows_keep_the_pairs_of_both(tmp_path):
    path = tmp_path / "wavediff.ini"
    one, other = (RecentPairs(SettingsFile(path)) for _ in range(2))
    x, y, z = (tmp_path / name for name in "xyz")
    assert one.add(pair_of(x, y)) == ""
    assert other.add(pair_of(y, z)) == ""
    assert one.add(pair_of(x, z)) == ""
    assert RecentPairs(SettingsFile(path)).pairs == (pair_of(x, z), pair_of(y, z), pair_of(x, y))
    other.look_again()
    assert other.pairs == one.pairs
    assert one.clear() == ""
    assert other.add(pair_of(y, z)) == ""
    assert RecentPairs(SettingsFile(path)).pairs == (pair_of(y, z),)  # what was cleared does not come back


def test_pairs_that_could_not_be_saved_stay_while_the_window_does(tmp_path):
    (tmp_path / "folder").write_text("a file where a folder should be")
    kept = RecentPairs(SettingsFile(tmp_path / "folder" / "wavediff.ini"))
    x, y = (tmp_path / name for name in "xy")
    assert "not written" in kept.add(pair_of(x, y))
    assert "not written" in kept.add(pair_of(y, x))
    kept.look_again()
    assert kept.pairs == (pair_of(y, x), pair_of(x, y))
