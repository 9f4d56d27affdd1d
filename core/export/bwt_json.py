"""Transforms and what was found in them as JSON."""

from __future__ import annotations

import hashlib
import math
from typing import Any

from wavediff.core.export.bwt import BwtAnswer, FindAnswer, InverseAnswer
from wavediff.core.export.json import about, text, versions
from wavediff.core.jobs.compression import CompressionResult


def bwt(answer: BwtAnswer) -> list[bytes]:
    """Return everything a script may want of a transform; ``n_runs`` are those of the n stored letters."""
    result = answer.result
    value = {
        "method": "bwt",
        "length": result.length,
        "primary_index": result.primary,
        "n_runs": result.n_runs,
        "mean_run_length": result.mean_run_length,
        "definition": "rotations of T$ sorted, $ smaller than every byte and not stored",
        "last_column_sha256": hashlib.sha256(result.last.data).hexdigest(),
        "compression": _compression(answer.compression),
        "separator": answer.separator,
        "fold_case": answer.saved.fold_case,
        "strategy": result.strategy,
        "reason": result.reason,
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "check_seconds": result.check_seconds,
        "wall_seconds": result.wall_seconds,
        "compile_seconds": sum(timing.compile_seconds for timing in answer.timings),
        "sequences": [about(sequence) for sequence in answer.sequences],
        "versions": versions(),
    }
    return [text(value)]


def _compression(result: CompressionResult | None) -> dict[str, Any] | None:
    """Return the bytes of each way of writing the text (entropies rounded up), and the counts behind them."""
    if result is None:
        return None
    return {
        "bytes": {step.id: math.ceil(step.bits / 8) for step in result.steps},
        "bits_per_letter": {step.id: step.bits / max(1, result.length) for step in result.steps},
        "rank_counts": result.ranks.tolist(),
        "n_symbols": result.n_symbols,
    }


def inverse_bwt(answer: InverseAnswer) -> list[bytes]:
    """Return what there is to say of an inverse."""
    result = answer.result
    value = {
        "method": "bwt-inverse",
        "source": answer.source,
        "length": int(result.text.size),
        "primary_index": answer.primary,
        "sha256": hashlib.sha256(result.text.data).hexdigest(),
        "device": result.device,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "versions": versions(),
    }
    return [text(value)]


def found(answer: FindAnswer) -> list[bytes]:
    """Return counts, rows and positions of each pattern, 0-based; bytes above 127 as Python escapes them."""
    index, result = answer.index, answer.result
    entries = []
    for number, pattern in enumerate(answer.patterns):
        entry: dict[str, Any] = {
            "pattern": pattern.decode("utf-8", "surrogateescape"),
            "count": int(result.counts[number]),
            "row_interval": [int(result.lows[number]), int(result.highs[number])],
        }
        if answer.located:
            entry["positions"] = result.positions_of(number).tolist()
        entries.append(entry)
    value = {
        "method": "find",
        "name": index.name,
        "length": answer.length,
        "fold_case": index.fold_case,
        "patterns": entries,
        "index_seconds": index.wall_seconds,
        "find_seconds": result.wall_seconds,
        "versions": versions(),
    }
    return [text(value)]
