"""``batch``: distances of many pairs: of two files, or all against all records of one file or several."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_files, report_notices
from wavediff.app.commands.method_options import BATCH_OPTIONS, method_options
from wavediff.app.commands.options import cluster_of
from wavediff.app.commands.pictures import write_pictures
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.base.numbers import count, duration, identity, speed
from wavediff.core.export import batch
from wavediff.core.export.matrix import require_matrix
from wavediff.core.export.registry import BATCH, MATRIX
from wavediff.core.jobs.choices import Pairing, TreeMethod
from wavediff.core.methods import method as method_by_id
from wavediff.core.methods.batch import BatchJob, BatchResult
from wavediff.core.methods.statistics import gcups
from wavediff.core.reading.gathered import compared_files
from wavediff.core.reading.load import comparable_pools, with_common_characters
from wavediff.core.screening.jobs import Parts, PartsJob
from wavediff.core.screening.notices import alphabets_notices
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.system.machine import cores

if TYPE_CHECKING:
    from wavediff.core.reading import Load

SHOWN_PAIRS = 10
MAX_NAME_LETTERS = 40


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if the sequences of every pair are equal under the case rule, else 1."""
    names = [one for one in (arguments.a, arguments.b, *arguments.more) if one is not None]
    own = len(names) != 2
    pairs = Pairing(arguments.pairs or (Pairing.ALL_TO_ALL if own else Pairing.ONE_TO_ONE))
    if own and pairs is Pairing.ONE_TO_ONE:
        raise WavediffError("--pairs one-to-one needs two files; one or several go with --pairs all-to-all")
    for name in ("format_b", "encoding_b"):
        if own and getattr(arguments, name) is not None:
            raise WavediffError(f"--{name.replace('_', '-')} goes with a second file only, which is the last one")
    cluster = cluster_of(arguments)
    method = method_by_id(arguments.method)
    options = method_options(arguments, method, BATCH_OPTIONS)
    command = Command(arguments, (*BATCH, *MATRIX), tuple(names))
    tree = arguments.tree and TreeMethod(arguments.tree)
    for id_ in (*(kind.id for kind in MATRIX if kind in command.files.paths), *(["tree"] if tree else ())):
        require_matrix(id_, pairs, own=own)
    if command.pictures.paths and pairs is Pairing.ONE_TO_ONE:
        first = next(iter(command.pictures.paths))
        raise WavediffError(f"--{first.id} is the heat map of --pairs all-to-all: one-to-one has none")
    with command.working():
        read = read_files(command, *names)
        noticed = [one.with_record_notices() for one in read]
        loads = compared_files(noticed)
        a, b = with_common_characters(loads[0], loads[-1], UracilRule(arguments.letters))
        for load, before in chain(zip(noticed, read, strict=True), zip((a, b), loads, strict=False)):
            report_notices(command, load, before)
        notices = alphabets_notices(a.letters, b.letters, (a.whole_alphabet(), b.whole_alphabet()))
        command.reporter.notices(notices, method.id)
        if pairs is Pairing.ONE_TO_ONE and a.n_records != b.n_records:
            raise InputError(
                b.source, f"{count_noun(b.n_records, 'record')}, and {printable(a.source)} has {a.n_records:,}",
                "'--pairs one-to-one' needs as many in both; '--pairs all-to-all' compares all with all",
            )  # fmt: skip
        fold_case = CaseRule(arguments.case).folds(all(load.whole_alphabet().folds_case for load in loads))
        pool_a, pool_b = comparable_pools(a, None if own else b, fold_case)
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
        parts: Parts = command.run(
            PartsJob(batch=job, seeds=all(load.whole_alphabet().is_nucleotide for load in loads))
        )
        letters = UracilRule(arguments.letters)
        answer = batch.BatchAnswer(
            a, b, result, fold_case, job.threads, None, parts, notices, letters, tree, (*read,), job.options
        )
        command.write(answer)
        as_read = replace(answer, a=loads[0], b=loads[-1])
        write_pictures(command.pictures, arguments, partial(_picture, as_read))
    extremes = _extremes(answer)
    command.tell(_summary(job, answer, extremes, command))
    return 0 if not extremes or extremes[0][0] == 1 else 1


def _picture(answer: batch.BatchAnswer, size: dict[str, Any]) -> Any:
    made = import_module("wavediff.app.batch.heat_map")
    return made.heat_picture(answer, **size).by(made.heat_recipe(answer))


def _extremes(answer: batch.BatchAnswer) -> list[tuple[float, int, int]]:
    """Return identity and records (0-based) of the least and the most similar pair; empty without pairs."""
    extremes: list[tuple[float, int, int]] = []
    for i, j in batch.pairs_of(answer.result):
        shares = batch.shares_of(answer.result, i, j, answer.a.lengths[i], answer.b.lengths[j])
        ends = (int(shares.argmin()), int(shares.argmax())) if shares.size else ()
        extremes += [(float(shares[at]), int(i[at]), int(j[at])) for at in ends]
        extremes = [min(extremes, key=itemgetter(0)), max(extremes, key=itemgetter(0))] if extremes else []
    return extremes


def _summary(
    job: BatchJob, answer: batch.BatchAnswer, extremes: list[tuple[float, int, int]], command: Command
) -> Iterator[str]:
    result, device = answer.result, command.reporter.device
    parts = [count(result.n_pairs, "pair", "pairs")]
    values = result.values
    if result.own:
        values = values[np.triu_indices(values.shape[0], 1)]
    if values.size:
        least, middle, most = (f"{one:,.12g}" for one in (values.min(), np.median(values), values.max()))
        heading = job.batch.heading if job.batch.heading.isupper() else job.batch.heading.lower()
        parts.append(f"{heading} {f'{least} to {most}, median {middle}' if values.size > 1 else least}")
        alike = dict.fromkeys(identity(share) for share, _, _ in extremes)
        parts.append(f"{job.batch.share.lower()} {' to '.join(alike)}")
    yield " · ".join(parts)
    yield from _rows(answer)
    if result.n_pairs > SHOWN_PAIRS:
        names = [f"{_name(answer.a, i)} and {_name(answer.b, j)}" for _, i, j in extremes]
        yield f"least alike: {names[0]} · most alike: {names[1]}"
    yield from [f"contained: {answer.parts.text}"] if answer.parts.text else ()
    yield f"{job.method.name.lower()} · {duration(result.wall_seconds)} · {result.device.upper()}"
    if not command.arguments.verbose:
        return
    if device is not None:
        yield f"device: {device.device} ({device.reason})"
    for option in job.batch.options:
        if option.id in job.options:
            yield f"{option.label.lower()}: {option.text(job.options[option.id])}"
    yield f"{count_noun(result.n_cells, 'cell')}, {speed(gcups(result.n_cells, result.wall_seconds))}"
    yield "case ignored" if job.fold_case else "case counts"


def _rows(answer: batch.BatchAnswer) -> Iterator[str]:
    pairs = chain.from_iterable(zip(i.tolist(), j.tolist(), strict=True) for i, j in batch.pairs_of(answer.result))
    listed = np.array([*islice(pairs, SHOWN_PAIRS)], np.int64).reshape(-1, 2)
    i, j = listed[:, 0], listed[:, 1]
    values = [f"{one:,.12g}" for one in batch.values_of(answer.result, i, j).tolist()]
    shares = batch.shares_of(answer.result, i, j, answer.a.lengths[i], answer.b.lengths[j]).tolist()
    names = [[_name(load, k) for k in places.tolist()] for load, places in ((answer.a, i), (answer.b, j))]
    wide_a, wide_b, wide = (max(map(len, column), default=0) for column in (*names, values))
    for name_a, name_b, value, share in zip(*names, values, shares, strict=True):
        yield f"  {name_a:<{wide_a}}  {name_b:<{wide_b}}  {value:>{wide}}  {identity(share)}"
    left = answer.result.n_pairs - len(values)
    if left:
        yield f"  ···  {count(left, 'more pair', 'more pairs')}; --tsv FILE writes all"


def _name(load: Load, record: int) -> str:
    return printable(load.name(record), MAX_NAME_LETTERS)
