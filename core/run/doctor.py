"""Diagnosis of this machine as text or JSON; imports no Qt."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

from wavediff.core.base.errors import printable
from wavediff.core.jit import compile_cache
from wavediff.core.jobs import Job
from wavediff.core.jobs.bwt import (
    BwtJob,
    BwtTextJob,
    FindJob,
    IndexJob,
    InverseBwtJob,
    LocateRowsJob,
    RowsOfPositionsJob,
)
from wavediff.core.jobs.compression import CompressionJob
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.jobs.search import SearchJob
from wavediff.core.methods import METHODS
from wavediff.core.methods.second import RowsJob
from wavediff.core.methods.window_job import WindowJob
from wavediff.core.run.dispatch import Runnable, gpu_obstacle
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.system import cpu_levels, program, qt_libraries
from wavediff.core.system.machine import available_memory, cores
from wavediff.core.system.version import VERSION

_PACKAGES = (
    "numpy", "numba", "llvmlite", "PySide6-Essentials", "pyqtgraph", "psutil", "platformdirs", "isal",
    "zstandard", "shtab", "pygments", "biopython", "regex",
)  # fmt: skip
# In addition to comparisons and batches; files are always read by the CPU.
_OTHER_JOBS: tuple[type[Job], ...] = (
    SearchJob, BwtTextJob, BwtJob, InverseBwtJob, IndexJob, FindJob, LocateRowsJob, RowsOfPositionsJob, CompressionJob,
    RowsJob, WindowJob, ExactMatchesJob,
)  # fmt: skip
_GPU_PACKAGES = ("cupy-cuda12x", "cupy-cuda13x")


def report() -> dict[str, Any]:
    """Return all facts; ``problems`` has one sentence for each fault with its remedy."""
    packages, card = {name: _version(name) for name in _PACKAGES}, _card()
    facts = {
        "wavediff": VERSION,
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": packages,
        "gpu_packages": {name: got for name in _GPU_PACKAGES if (got := _version(name))},
        "processor": _processor(),
        "memory": {"total": int(psutil.virtual_memory().total), "available": available_memory()},
        "gpu": _gpu(card["unavailable_reason"]),
        "graphics_card": card,
        "cache": _cache(),
        "qt": _qt(),
    }
    facts["problems"] = _problems(facts)
    return facts


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> dict[str, Any]:
    described: dict[str, Any] = {"name": None, "cores": cores(), "cores_of_machine": os.cpu_count() or 1}
    described |= {"level": None, "vector_bits": None, "vector_note": "", "wider": None, "shipped": False}
    described["shipped"] = compile_cache.state().shipped is not None  # which chooses the level
    try:
        from llvmlite import binding

        described["name"] = str(binding.get_host_cpu_name())
        used, host = cpu_levels.widest(cpu_levels.features_in_use()), cpu_levels.widest(cpu_levels.host_features())
    except (ImportError, RuntimeError) as error:
        return {**described, "vector_note": str(error)}
    if used is not None:
        described["vector_note"], described["vector_bits"] = used
        described["wider"] = host[0] if host is not None and host[1] > used[1] else None
    return {**described, "level": os.environ.get("NUMBA_CPU_NAME")}


def _name(job_type: type[Job]) -> str:
    return job_type.__name__.removesuffix("Job").lower()


def _gpu(why_no_card: str | None) -> dict[str, str | None]:
    kinds: dict[str, Runnable] = {_name(method.job_type): method.job_type for method in METHODS}
    kinds |= {f"batch {method.id}": method.batch for method in METHODS if method.batch is not None}
    kinds |= {_name(job): job for job in _OTHER_JOBS}
    return {name: gpu_obstacle(kind) if kind.modules.gpu is None else why_no_card for name, kind in kinds.items()}


def _card() -> dict[str, Any]:
    try:
        cards = graphics_cards()
        reason, card = cards.obstacle(), cards.describe()
        if reason is not None or card is None:
            return {"unavailable_reason": reason}
        return {"unavailable_reason": None, **asdict(card), "memory_free": cards.free_memory()}
    except Exception as error:  # a broken driver must not suppress the rest of the report
        return {"unavailable_reason": f"{type(error).__name__}: {error}"}


def _card_line(card: dict[str, Any]) -> str:
    if card["unavailable_reason"] is not None:
        return f"not used: {card['unavailable_reason']}"
    free, all_of_it = (card[name] / 2**30 for name in ("memory_free", "memory"))
    major, minor = card["capability"]
    versions = f"CuPy {card['cupy']} for CUDA {card['runtime']}, driver for CUDA {card['driver']}"
    n = len(card["devices"])
    name = f"{n} x {card['name']}, on the first" if n > 1 else f"{card['name']},"
    unlike = f"; not used beside it: {', '.join(card['unlike'])}" if card["unlike"] else ""
    return f"{name} {free:.1f} of {all_of_it:.1f} GiB free, compute capability {major}.{minor}; {versions}{unlike}"


def _cache() -> dict[str, Any]:
    state = compile_cache.state()
    folder = state.folder
    files = list(folder.glob("*" + compile_cache.KERNEL_SUFFIX)) if folder else []
    return {
        "folder": str(folder) if folder else None,
        "persistent": folder is not None,
        "note": state.note,
        "kernels": len(files),
        "bytes": sum(path.stat().st_size for path in files),
        "shipped": str(state.shipped) if state.shipped else None,
    }


def _qt() -> dict[str, Any]:
    plugins: list[str] = []
    spec = find_spec("PySide6")  # finds the folder, imports nothing
    for folder in (spec.submodule_search_locations or []) if spec else []:
        names = Path(folder).glob("**/plugins/platforms/*q*")
        plugins += sorted({path.stem.removeprefix("lib").removeprefix("q") for path in names})
    return {
        "plugins": plugins,
        "display": qt_libraries.why_no_display() or "a window can be opened",
        "libraries_missing": qt_libraries.missing(),
    }


def _problems(facts: dict[str, Any]) -> list[str]:
    qt, cache, packages = facts["qt"], facts["cache"], facts["packages"]
    problems = [f"the package {name} is missing: {program.install_hint()}" for name, got in packages.items() if not got]
    if packages["PySide6-Essentials"] == "6.12.0" and sys.version_info < (3, 12):
        problems.append("PySide6-Essentials 6.12.0 crashes with Python before 3.12: use another version")
    if qt["libraries_missing"]:
        line = qt_libraries.install_line(qt["libraries_missing"])
        problems.append(f"system libraries for the window are missing: {line}")
    if len(facts["gpu_packages"]) > 1:
        problems.append(
            f"only one of {' and '.join(facts['gpu_packages'])} may be installed: they overwrite each other"
        )
    if not cache["persistent"]:
        problems.append(f"compiled kernels are not stored: {cache['note']}")
    return problems


def _vectors(processor: dict[str, Any]) -> str:
    if not processor["vector_bits"]:
        return "unknown"
    level = processor["level"] or "this processor"
    text = f"{processor['vector_bits']} bits ({processor['vector_note']}), kernels compiled for {level}"
    if processor["wider"] is None:
        return text
    remedy = f"; set NUMBA_CPU_NAME={processor['name']} to use it" if processor["shipped"] else ""
    return f"{text}; the processor also has {processor['wider']}{remedy}"


def lines(facts: dict[str, Any]) -> list[str]:
    """Return ``report()`` as text lines."""
    processor, memory, cache, qt = facts["processor"], facts["memory"], facts["cache"], facts["qt"]
    n_cores = f"{processor['cores']} of {processor['cores_of_machine']} cores"
    gpu = [kind for kind, reason in facts["gpu"].items() if reason is None]
    rows = [
        ("wavediff", facts["wavediff"]),
        ("Python", f"{facts['python']}, {facts['system']}"),
        ("packages", ", ".join(f"{name} {got or 'missing'}" for name, got in facts["packages"].items())),
        ("processor", f"{processor['name'] or 'unknown'}, {n_cores}"),
        ("vectors", _vectors(processor)),
        ("memory", f"{memory['available'] / 1e9:.1f} of {memory['total'] / 1e9:.1f} GB can be used now"),
        ("GPU", _card_line(facts["graphics_card"])),
        ("GPU methods", ", ".join(gpu) or "none"),
        ("GPU packages", ", ".join(f"{name} {got}" for name, got in facts["gpu_packages"].items()) or "none"),
        ("cache", f"{cache['folder'] or 'none'} ({_cache_line(cache)})"),
        ("window", f"{qt['display']}; Qt platforms: {', '.join(qt['plugins']) or 'none'}"),
    ]
    wide = max(len(name) for name, _ in rows)
    table = [f"{name:<{wide}}  {printable(str(text))}" for name, text in rows]
    return table + ([f"problem: {problem}" for problem in facts["problems"]] or ["no problems found"])


def _cache_line(cache: dict[str, Any]) -> str:
    if not cache["persistent"]:
        return str(cache["note"])
    shipped = f"; more came with the program, in {cache['shipped']}" if cache["shipped"] else ""
    return f"works; {cache['kernels']:,} kernels, {cache['bytes'] / 1e6:.1f} MB{shipped}"
