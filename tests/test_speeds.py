"""The plugin of the whole suite: what it leaves out, and in which order files begin."""

import json
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import depth, kept, speeds, type_check
from tests.speeds import Speeds
from wavediff.core.jit import compile_cache

ROOT = Path(__file__).parents[1]


class Item:
    """A test of a file, perhaps with the mark ``gpu``."""

    def __init__(self, nodeid, gpu=False):
        self.nodeid = nodeid
        self._marks = {"gpu"} if gpu else set()

    def get_closest_marker(self, name):
        return name if name in self._marks else None


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "base_folder", lambda: tmp_path)
    monkeypatch.setattr(speeds, "why_no_card", lambda: "none was bought")
    return tmp_path


def config(marks="not journey", **more):
    option = SimpleNamespace(markexpr=marks, keyword="")
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    return SimpleNamespace(option=option, hook=hook, args=[], getini=lambda _: ["-m", "not journey"], **more)


def ran(of, **seconds):
    """Finish a run in which the files took as long as told."""
    plugin = Speeds(of)
    plugin._seconds.update(seconds)
    plugin.pytest_sessionfinish()


def test_twins_on_a_card_are_left_out_and_counted(capsys):
    plugin, items = Speeds(config()), [Item("a::cpu"), Item("a::gpu", gpu=True)]
    plugin.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["a::cpu"]
    plugin.pytest_terminal_summary(SimpleNamespace(write_line=print))
    assert capsys.readouterr().out == "1 tests need a graphics card and were left out: none was bought\n"


def test_with_a_card_or_asked_for_they_stay(monkeypatch):
    items = [Item("a::gpu", gpu=True)]
    Speeds(config("gpu")).pytest_collection_modifyitems(items)
    monkeypatch.setattr(speeds, "why_no_card", lambda: None)
    Speeds(config()).pytest_collection_modifyitems(items)
    assert len(items) == 1


def test_a_worker_begins_with_the_files_that_take_longest():
    known = {"short": 0.1, "long": 9.0}
    items = [Item("short::1"), Item("new::1"), Item("long::2"), Item("long::1")]
    Speeds(config(workerinput={"durations": known}, workeroutput={})).pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["long::2", "long::1", "new::1", "short::1"]


def test_every_second_worker_reads_folders_from_their_end():
    for worker, kind, read in (
        ("gw0", pytest.Dir, [1, 2]),
        ("gw1", pytest.Dir, [2, 1]),
        ("gw1", pytest.Module, [1, 2]),
    ):
        report = SimpleNamespace(result=[1, 2])
        hook = Speeds(config(workerinput={"workerid": worker})).pytest_make_collect_report(Mock(spec=kind))
        next(hook)
        with pytest.raises(StopIteration):
            hook.send(report)
        assert report.result == read


@pytest.mark.parametrize(("worker", "durations", "shown"), [(True, None, 4), (True, 0, 0), (False, None, 0)])
def test_a_worker_sends_what_is_shown(monkeypatch, worker, durations, shown):
    """All but that fixtures were made and ended well; elsewhere, and where durations are asked for, pytest sends."""
    outcomes = (
        ("setup", True),
        ("call", True),
        ("call", False),
        ("setup", False),
        ("teardown", False),
        ("teardown", True),
    )
    reports = [SimpleNamespace(when=when, passed=passed) for when, passed in outcomes]
    monkeypatch.setattr(speeds, "runtestprotocol", lambda item, log, nextitem: reports)
    of, sent = config(**({"workerinput": {"durations": {}}} if worker else {})), []
    of.option.durations, of.option.xmlpath = durations, None
    item = SimpleNamespace(ihook=SimpleNamespace(pytest_runtest_logreport=lambda report: sent.append(report)))
    assert Speeds(of).pytest_run_in_a_worker(item, None) == (True if shown else None)
    assert sent == (reports[1:5] if shown else [])


def test_types_are_checked_from_what_another_checkout_has_found(monkeypatch, tmp_path):
    ended = [0]

    def mypy():
        type_check.FOUND.mkdir(exist_ok=True)
        seen.append([path.read_text() for path in type_check.FOUND.iterdir()])
        (type_check.FOUND / "types").write_text(type_check.FOUND.parent.name)
        return ended[0]

    monkeypatch.setattr(type_check, "checked", mypy)
    seen = []
    for checkout, status in (("failed", 1), ("one", 0), ("two", 0), ("two", 0)):
        ended[0] = status
        monkeypatch.setattr(type_check, "FOUND", tmp_path / checkout / "found")
        type_check.FOUND.parent.mkdir(exist_ok=True)
        assert type_check.main() == status
    assert seen == [[], [], ["one"], ["two"]]
    (file,) = kept.folder("types").iterdir()
    file.write_bytes(b"no archive")
    monkeypatch.setattr(type_check, "FOUND", tmp_path / "three" / "found")
    type_check.FOUND.parent.mkdir()
    assert type_check.main() == 0
    assert seen[-1] == []


def test_where_nothing_has_run_yet_files_begin_in_the_order_of_the_list():
    first, second = (f"tests/{speeds.BEGIN[at]}.py" for at in (0, 1))
    items = [Item("a::1"), Item(f"{second}::1"), Item(f"{first}::1")]
    Speeds(config(workerinput={"durations": {}}, workeroutput={})).pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == [f"{first}::1", f"{second}::1", "a::1"]
    assert all((ROOT / "tests" / f"{each}.py").is_file() for each in speeds.BEGIN)


def test_durations_are_kept_and_one_run_that_compiles_counts_little():
    ran(config(), a=60.0)
    ran(config(), a=4.0, b=1.0)
    ran(config(), a=80.0)
    assert speeds.recorded() == {"a": 9.0, "b": 1.0}


@pytest.mark.parametrize("marks", ["thorough", ""])
def test_parts_of_the_suite_leave_no_durations(marks):
    ran(config(marks), a=60.0)
    assert speeds.recorded() == {}


def test_what_workers_measured_is_added_up():
    controller, told = Speeds(config()), {}
    ran(config(workerinput={"durations": {}}, workeroutput=told), a=2.0)
    controller.pytest_testnodedown(SimpleNamespace(workeroutput=json.loads(json.dumps(told))))
    controller.pytest_sessionfinish()
    assert speeds.recorded() == {"a": 2.0}


def test_what_is_kept_is_built_once_and_whole(tmp_path):
    place = kept.folder("things")
    path, built = place / "one", []

    def build(new):
        assert not path.exists()
        built.append(new)
        new.write_text("whole")

    assert [kept.kept(path, build).read_text() for _ in range(2)] == ["whole", "whole"]
    assert len(built) == 1
    assert list(place.iterdir()) == [path]


def test_what_a_failed_build_leaves_is_not_kept():
    path = kept.folder("things") / "one"

    def fails(new):
        new.write_text("half")
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        kept.kept(path, fails)
    assert not path.exists()


def test_a_folder_that_others_can_write_is_refused():
    kept.folder("things").chmod(0o777)
    with pytest.raises(PermissionError):
        kept.folder("things")


def test_what_generates_its_cases_is_run_again_with_all_of_them():
    """In `make check`, by its mark."""
    marked = []
    one, other = (
        SimpleNamespace(obj=function, add_marker=lambda mark, name=name: marked.append(f"{name} {mark.name}"))
        for name, function in (("one", given(st.none())(lambda found: None)), ("other", print))
    )
    depth.mark([one, other])
    assert marked == ["one deeper"]


@pytest.mark.parametrize(("deep", "drawn"), [(True, [15, 60, 400]), (False, [15, 20, 100])])
def test_a_quarter_is_drawn_but_not_too_few(monkeypatch, deep, drawn):
    monkeypatch.setattr(depth, "DEEP", deep)
    assert [depth.examples(n).max_examples for n in (15, 60, 400)] == drawn
