"""Nothing is collected while a compiler is imported, and nothing of it is looked through afterwards."""

import gc
import sys

import pytest

from wavediff.core.jit.gc_control import gc_paused_and_frozen, import_frozen


@pytest.fixture
def collections():
    seen = []

    def heard(phase, info):
        if phase == "stop":
            seen.append(info["generation"])

    gc.callbacks.append(heard)
    yield seen
    gc.callbacks.remove(heard)
    gc.unfreeze()


def test_what_lasts_is_made_without_a_collection(collections):
    frozen = gc.get_freeze_count()
    with gc_paused_and_frozen(), gc_paused_and_frozen():
        made = [[] for _ in range(50_000)]  # type: list[list[int]]
        assert not gc.isenabled()
    assert collections == []
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(made)
    more = [[] for _ in range(50_000)]  # type: list[list[int]]
    assert collections  # without it there would have been some
    assert len(more) == len(made)


def test_an_error_inside_lets_collections_go_on():
    with pytest.raises(KeyError), gc_paused_and_frozen():
        raise KeyError
    assert gc.isenabled()
    gc.unfreeze()


def test_modules_are_imported_once_and_to_stay(tmp_path, monkeypatch, collections):
    (tmp_path / "made_of_many_objects.py").write_text("THINGS = [[] for _ in range(50_000)]\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = import_frozen("made_of_many_objects")
    assert len(module.THINGS) == 50_000
    assert collections == []
    assert import_frozen("made_of_many_objects") is module
    del sys.modules["made_of_many_objects"]
