"""``batch``: many pairs of two files, or of one file against itself, at once."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_files, report_notices
from wavediff.app.commands.method_options import BATCH_OPTIONS, method_options
from wavediff.app.commands.options import cluster_of
from wavediff.app.commands.pictures import write_pictures
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.export import batch
from wavediff.core.export.registry import BATCH
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.events import DeviceChosen
from wavediff.core.methods import method as method_by_id
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.methods.statistics import gcups
from wavediff.core.reading.load import comparable_pools, with_common_characters
from wavediff.core.screening.jobs import Parts, PartsJob
from wavediff.core.screening.notices import alphabets_notice
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.system.machine import cores


def run(arguments: argparse.Namespace) -> int:
    """Return 0 when the two of every pair have the same letters under the case rule, else 1.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: whatever stands in the way, in one line.
    """
    pairs = Pairing(arguments.pairs or (Pairing.ALL_TO_ALL if arguments.b is None else Pairing.ONE_TO_ONE))
    if arguments.b is None and pairs is Pairing.ONE_TO_ONE:
        raise WavediffError("--pairs one-to-one needs two files; one file goes with --pairs all-to-all")
    for name in ("format_b", "encoding_b"):
        if arguments.b is None and getattr(arguments, name) is not None:
            raise WavediffError(f"--{name.replace('_', '-')} goes with a second file only")
    names = [arguments.a] if arguments.b is None else [arguments.a, arguments.b]
    cluster = cluster_of(arguments)
    method = method_by_id(arguments.method)
    options = method_options(arguments, method, BATCH_OPTIONS)
    command = Command(arguments, BATCH, tuple(names))
    if command.pictures.paths and pairs is Pairing.ONE_TO_ONE:
        first = next(iter(command.pictures.paths))
        raise WavediffError(f"--{first.id} is the heat map of --pairs all-to-all: one-to-one has none")
    with command.working():
        read = read_files(command, *names)
        loads = [one.with_record_notices() for one in read]
        a, b = with_common_characters(loads[0], loads[-1], UracilRule(arguments.letters))
        for load, before in zip((a, b)[: len(loads)], read, strict=True):
            report_notices(command, load, before)
        alphabets = alphabets_notice(a.whole_alphabet(), b.whole_alphabet())
        notices = () if alphabets is None else (alphabets,)
        command.reporter.notices(notices, method.id)
        if pairs is Pairing.ONE_TO_ONE and a.n_records != b.n_records:
            raise InputError(
                b.source, f"{b.n_records:,} records, and {printable(a.source)} has {a.n_records:,}",
                "'--pairs one-to-one' needs as many in both; '--pairs all-to-all' compares each with each",
            )  # fmt: skip
        fold_case = _folds_case(loads, arguments.case)
        pool_a, pool_b = comparable_pools(a, None if arguments.b is None else b, fold_case)
        job = BatchJob(
            a=pool_a,
            b=pool_b,
            pairs=pairs,
            method=method,
            fold_case=fold_case,
            alphabets=[one.whole_alphabet() for one in (a, b)],
            options=options,
            threads=arguments.threads or cores(),
            cluster=cluster,
        )
        result: BatchResult = command.run(job, command.device)
        parts: Parts = command.run(PartsJob(batch=job, seeds=_nucleotides(loads)))
        letters = UracilRule(arguments.letters)
        answer = batch.BatchAnswer(a, b, result, fold_case, job.threads, None, parts, notices, letters)
        command.write(answer)
        as_read = replace(answer, a=loads[0], b=loads[-1])
        write_pictures(command.pictures, arguments, partial(_picture, command, as_read, job))
    least, most = _identities(result, a.lengths, b.lengths)
    command.tell(_summary(job, result, parts, command.reporter.device, least, most))
    return 0 if least in (None, 1) else 1


def _picture(command: Command, answer: batch.BatchAnswer, job: BatchJob, size: dict[str, Any]) -> Any:
    made, read_as = import_module("wavediff.app.batch.heat_picture"), command.read_as[: 1 if job.b is None else 2]
    return made.heat_picture(answer, made.heat_recipe(answer, job.options, read_as), **size)


def _folds_case(loads: Iterable[Any], asked: str) -> bool:
    return CaseRule(asked).folds(all(load.whole_alphabet().folds_case for load in loads))


def _nucleotides(loads: Iterable[Any]) -> bool:
    return all(load.whole_alphabet().is_nucleotide for load in loads)


def _identities(result: BatchResult, n_a: Any, n_b: Any) -> tuple[float | None, float]:
    """Return the least and the largest identity of the pairs; None and 0 where there is no pair."""
    least, most = None, 0.0
    for i, j in batch.pairs_of(result):
        shares = batch.shares_of(result, i, j, n_a[i], n_b[j])
        if shares.size:
            least = min(1.0 if least is None else least, float(shares.min()))
            most = max(most, float(shares.max()))
    return least, most


def _summary(
    job: BatchJob, result: BatchResult, parts: Parts, device: DeviceChosen | None, least: float | None, most: float
) -> list[str]:
    how = "pair by pair" if result.pairs is Pairing.ONE_TO_ONE else "each with each"
    if result.own:
        how = "of one file, each with each other"
    lines = [f"{count_noun(result.n_pairs, 'pair')}, {how}"]
    values = result.values
    if result.own:
        values = values[np.triu_indices(values.shape[0], 1)]
    if values.size:
        middle = float(np.median(values))
        lines.append(f"{job.batch.numbers}: {values.min():,} to {values.max():,}, median {middle:,.1f}")
    if least is not None:
        lines.append(f"identity: {least:.2%} to {most:.2%}")
    lines += [f"contained: {parts.text}"] if parts.text else []
    if device is not None:
        lines.append(f"device: {device.device} ({device.reason})")
    lines += [
        f"{option.label.lower()}: {option.text(job.options[option.id])}"
        for option in job.batch.options
        if option.id in job.options
    ]
    speed = f", {gcups(result.n_cells, result.wall_seconds):,.1f} GCUPS"
    lines.append(f"time: {result.wall_seconds:.3f} s on {result.device}, {result.n_cells:,} cells{speed}")
    return [*lines, "case ignored" if job.fold_case else "case counts"]
