"""No part of the program asks which method it has before it: what differs is asked of the method's object.

Nor does what runs jobs ask which kind of job it has: the job answers.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from wavediff.core.jobs.choices import Device
from wavediff.core.methods import METHODS
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run.runner import run_job

ROOT = Path(__file__).parents[2]
MAX_BRANCHES = 0  # may only go down


@cache
def own_folders():
    """Folders that are for certain methods: theirs, their kernels' and their kernels' on cards."""
    kinds = [one.job_type.modules for one in METHODS]
    modules = [
        name for kind in kinds for name in (kind.cpu, kind.gpu, kind.uncompiled and kind.uncompiled.module) if name
    ]
    return (ROOT / "core" / "methods", *(ROOT.joinpath(*name.split(".")[1:-1]) for name in modules))


@cache
def classes():
    """Names of the jobs and results of all methods."""
    jobs = {one.job_type.__name__ for one in METHODS}
    return jobs | {f"{name.removesuffix('Job')}Result" for name in jobs}


def names_in(node):
    """Names and ends of dotted names in an expression."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def imported(tree):
    """Names that a module has from where the methods are made."""
    homes = {"wavediff.core.methods", *(type(one).__module__ for one in METHODS)}
    froms = (each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom))
    return {name.asname or name.name for each in froms if each.module in homes for name in each.names}


def asks_for_a_method(node, known):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
        return bool(names_in(node.args[1]) & classes())
    if isinstance(node, ast.MatchClass):
        return bool(names_in(node.cls) & classes())
    if isinstance(node, ast.Compare):
        ids, objects = {one.id for one in METHODS}, {name for name in known if name.isupper()}
        sides = [node.left, *node.comparators]
        texts = {each.value for side in sides for each in ast.walk(side) if isinstance(each, ast.Constant)}
        bare = {side.id for side in sides if isinstance(side, ast.Name)}
        return bool(ids & {text for text in texts if isinstance(text, str)}) or bool(bare & (objects | classes()))
    return False


def branches():
    ids = [f"{quote}{one.id}{quote}" for one in METHODS for quote in "'\""]
    said = {"wavediff.core.methods", *(type(one).__module__ for one in METHODS), *classes(), *ids}
    for path in sorted(path for folder in ("app", "core", "gpu") for path in (ROOT / folder).rglob("*.py")):
        if any(path.is_relative_to(folder) for folder in own_folders()):
            continue
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in said):
            continue  # nothing in it has the name of a method
        tree = ast.parse(text)
        known = imported(tree)
        for node in ast.walk(tree):
            if asks_for_a_method(node, known):
                line = getattr(node, "lineno", getattr(getattr(node, "cls", None), "lineno", 0))
                yield f"{path.relative_to(ROOT).as_posix()}:{line}"


def test_nobody_asks_which_method_it_is():
    found = list(branches())
    assert len(found) <= MAX_BRANCHES, "ask the method's object instead: " + ", ".join(found)


def test_such_a_question_would_be_seen():
    asked = "isinstance(a, LcsJob)", "a == 'edit'", "a.method is SWAP", "type(a) is EditJob"
    assert [asks_for_a_method(ast.parse(text, mode="eval").body, {"SWAP"}) for text in asked] == [True] * len(asked)
    for text in ("isinstance(a, BatchJob)", "a == 'tsv'", "a.kind == SWAP"):
        assert not asks_for_a_method(ast.parse(text, mode="eval").body, set())


def asks_for_a_kind_of_job(node):
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"):
        return False
    asked, kinds = node.args
    return any(name == "job" or name.endswith("_job") for name in names_in(asked)) or any(
        name.endswith("Job") or name in {"Compared", "Transformed"} for name in names_in(kinds)
    )


def test_what_runs_jobs_does_not_ask_for_their_kind():
    paths = [
        *(ROOT / "core" / "run").rglob("*.py"),
        ROOT / "gpu/card/cuda.py",
        ROOT / "app/compare/pair/pair_screening.py",
    ]
    assert all(path.exists() for path in paths)
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 0)}"
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if asks_for_a_kind_of_job(node)
    ]
    assert found == []
    for text in ("isinstance(job, X)", "isinstance(self._slot.job, X)", "isinstance(it, PairJob | None)"):
        assert asks_for_a_kind_of_job(ast.parse(text, mode="eval").body)
    assert not asks_for_a_kind_of_job(ast.parse("isinstance(error, X)", mode="eval").body)


def private_names(tree):
    """Attributes in assertions that only their own object knows; ``_replace`` of a tuple is none, nor IPython's."""
    return [
        f"{node.lineno} {node.attr}"
        for check in ast.walk(tree)
        if isinstance(check, ast.Assert)
        for node in ast.walk(check)
        if isinstance(node, ast.Attribute) and re.fullmatch(r"_[a-z]\w*", node.attr)
        if node.attr != "_replace" and not node.attr.startswith("_repr_")
    ]


def test_no_assertion_reads_a_private_attribute():
    assert private_names(ast.parse("assert a\nassert b._c(d.e)\nassert f._replace(g=1)._repr_html_()")) == ["2 _c"]
    paths = sorted((ROOT / "tests").rglob("*.py"))
    found = {path.name: names for path in paths if (names := private_names(ast.parse(path.read_text("utf-8"))))}
    assert found == {}


@pytest.mark.parametrize("device", [Device.AUTO, Device.CPU])
def test_a_job_comes_to_its_kernel_by_a_short_path(device):
    """What receives the job before its kernel does, as entered: few returns to a module, and none into ``gpu``."""
    job, entered = LcsJob(a=np.zeros(9, np.uint8), b=np.ones(9, np.uint8)), list[str]()
    kernel = job.modules.cpu

    def note(frame, event, _):
        code, module = frame.f_code, str(frame.f_globals.get("__name__"))
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        first = frame.f_locals.get(given[0]) if given else None
        if event != "call" or kernel in entered or (first is job and given[0] == "self"):  # the job answers
            return
        received = module.startswith("wavediff.") and any(frame.f_locals.get(name) is job for name in given)
        if received and module != (entered or [""])[-1]:
            entered.append(module)

    run_job(job, device=device)
    sys.setprofile(note)
    try:
        run_job(job, device=device)
    finally:
        sys.setprofile(None)
    assert entered[0] == "wavediff.core.run.runner"
    assert entered[-1] == kernel
    assert not [module for module in entered if module.startswith("wavediff.gpu")]
    assert len(entered) - len(set(entered)) <= 8, entered
