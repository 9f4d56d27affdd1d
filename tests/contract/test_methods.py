"""Every method in everything that is made from methods: a new one is covered without a line here.

Formats come from their registry, so that a new one is covered too. What fails says in a sentence what the method lacks.
"""

import json
from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

from tests.app.fakes import fasta
from tests.cli.helpers import call
from tests.contract.conftest import A, B, compare
from tests.contract.needs import needs
from wavediff.app.commands import cli
from wavediff.app.commands.method_options import method_options
from wavediff.core.base.numbers import use_separators
from wavediff.core.export.batch import BatchAnswer, shares_of
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.race import RaceAnswer
from wavediff.core.export.registry import BATCH, COMPARISON, RACE
from wavediff.core.jobs.choices import Device, Pairing
from wavediff.core.methods import METHODS, Method, method, method_of
from wavediff.core.methods.base import Measure, PairJob, TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.options import Choice, Flag
from wavediff.core.methods.race_job import MAX_KERNELS, make_race_job, race_kernels
from wavediff.core.methods.statistics import DEFINITIONS, measures
from wavediff.core.reading import read
from wavediff.core.run.dispatch import estimated_seconds, resolve
from wavediff.core.run.race_run import unfit
from wavediff.core.run.rates import estimate_memory
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import SequencePool

Answers = Callable[[Method, bool], Comparison]

every_method = pytest.mark.parametrize("one", METHODS, ids=str)
aligned_or_not = pytest.mark.parametrize("aligned", [True, False], ids=["aligned", "number only"])


def own_options(one):
    return [(one, option) for option in one.options]


@every_method
def test_it_says_what_it_is(one):
    for name in ("id", "name", "long_name", "tip"):
        with needs(one, f"{name}: a text for a person (Method.{name})"):
            assert getattr(one, name).strip()
            assert "\n" not in getattr(one, name)
    with needs(one, "an id of its own"):
        assert method(one.id) is one
        assert [each.id for each in METHODS].count(one.id) == 1
    with needs(one, "a class of jobs that is its own (Method.job_type)"):
        assert issubclass(one.job_type, PairJob)
        assert [each.job_type for each in METHODS].count(one.job_type) == 1


@every_method
def test_its_options_are_values_texts_and_settings(one):
    for option in one.options:
        with needs(one, f"a default that the option '{option.id}' accepts"):
            assert option.accepts(option.default)
        with needs(one, f"a label, a tip and, where it is typed, a help of the option '{option.id}'"):
            assert option.label
            assert option.tip
            assert option.help or not option.typed
        if option.typed:
            with needs(one, f"a default of the option '{option.id}' that can be typed"):
                assert option.parse(option.text(option.default))[option.id] == option.default
        if option.kept:
            with needs(one, f"a default of the option '{option.id}' that the settings can hold"):
                text = option.text(option.default)
                assert not text or option.parse(text)[option.id] == option.default
        if isinstance(option, Choice):
            for text in option.typable:
                with needs(one, f"the value '{text}' of the option '{option.id}'"):
                    assert option.accepts(option.parse(text)[option.id])
    with needs(one, "job fields for all that its options say (Method.arguments)"):
        names = {field.name for field in fields(one.job_type)}
        assert set(one.arguments(one.values({}), A, B)) <= names


@every_method
def test_its_options_are_those_of_the_command_line(one):
    for option in (option for option in one.options if option.typed):
        name, words = option.id.replace("_", "-"), ["compare", "a", "b", "--method", one.id]
        if isinstance(option, Flag):
            words += [f"--{name}" if option.default else f"--no-{name}"]
        else:
            words += [f"--{name}", option.text(option.default)]
        with needs(one, f"the option '{option.id}' on the command line"):
            arguments = cli.parser().parse_args(words)
            assert method_options(arguments, one, own_options(one))[option.id] == option.default


@every_method
def test_it_has_kernels_a_speed_and_an_estimate_of_memory(one):
    with needs(one, "modules that run its jobs, and a speed of a core (modules and rates of its job)"):
        assert one.job_type.modules.cpu
        assert one.job_type.rates.core > 0
    with needs(one, "speeds of a card, or None for a card (modules and rates of its job)"):
        assert bool(one.job_type.rates.card) == (one.job_type.modules.gpu is not None)
    job = one.job(A, B, {}, fold_case=False, threads=1)
    with needs(one, "what chooses a device"):
        assert resolve(job).device is Device.CPU
        assert estimated_seconds(job) > 0
        assert job.card_bytes >= 0
    resolve(job, Device.CPU)  # its kernel is loaded now
    with needs(one, "an estimate of memory that is a range (memory(job) beside run(job))"):
        found = estimate_memory(job)
        assert found is None or 0 <= found.least <= found.most


@every_method
@aligned_or_not
def test_its_answer_can_be_shown(one, aligned, answer):
    found = answer(one, aligned)
    result = found.result
    with needs(one, "an alignment where one is asked for, and none where not"):
        assert (result.alignment is not None) is aligned
    for name in ("strategy", "reason", "n_cells", "cells", "device", "kernel_seconds", "wall_seconds"):
        with needs(one, f"'{name}' in its result, which every result has"):
            getattr(result, name)
    with needs(one, "a number that is the answer (Method.value)"):
        value = one.value(result)
        assert isinstance(value, int)
    with needs(one, "a sentence of one line that has the number (Method.answer)"):
        sentence = one.answer(result, len(A), len(B))
        assert f"{value:,}" in sentence
        assert "\n" not in sentence
        assert one.headline(result, len(A), len(B)) == sentence
    with needs(one, "words beside the answer, and what it means (Method.remarks and Method.explanation)"):
        assert all(one.remarks(result))
        assert one.explanation(result).endswith(".")
    figures = {each.key: each for each in measures(one, result, len(A), len(B))}
    with needs(one, "lines of the summary, the first with the number (Method.summary)"):
        lines = one.summary(result, len(A), len(B), figures)
        assert f"{value:,}" in lines[0]
        assert not any("\n" in line for line in lines)
    with needs(one, "account of skipped work and bands as tuples (Method.skips, Method.bands)"):
        assert one.skips(result) is None or isinstance(one.skips(result), tuple)
        assert isinstance(one.bands(result), tuple)


@every_method
@aligned_or_not
def test_its_files_are_the_same_in_every_locale(one, aligned):
    options = {} if aligned else {"traceback": TracebackMethod.NONE}
    kernels = [id_ for id_, each in race_kernels(one).items() if unfit(one, each, path=aligned) is None]
    legs = tuple(id_ for id_ in kernels if race_kernels(one)[id_].device == "cpu")[:2]
    use_separators(".", ",")
    try:
        found = Comparison(A, B, one, True, 1, compare(one, A, B, **options))
        files = exported(found)
        raced = run_job(make_race_job(one, legs, A, B, fold_case=True, path=aligned, threads=1)) if legs else None
        foreign = files if raced is None else files | raced_in(raced)
    finally:
        use_separators()
    with needs(one, "files and tables for programs with English numbers"):
        assert foreign == (exported(found) if raced is None else exported(found) | raced_in(raced))


def exported(found):
    """Return what programs read: all but the text of a terminal."""
    kinds = [kind for kind in COMPARISON if kind.id != "text" and not kind.lack(found)]
    files = {kind.id: b"".join(kind.chunks(found)).decode() for kind in kinds}
    lines = measures(found.method, found.result, len(A), len(B))
    return {**files, "measures": "\n".join(f"{line.name}\t{line.definition}" for line in lines)}


def raced_in(result):
    raced = RaceAnswer(A, B, True, result, 1, False)
    return {f"race {kind.id}": b"".join(kind.chunks(raced)).decode() for kind in RACE}


@every_method
def test_equal_sequences_are_the_same_and_others_are_not(one, answer):
    with needs(one, "knowledge of when both sequences are the same (Method.same)"):
        assert not one.same(answer(one, True).result, len(A), len(B))
        assert one.same(compare(one, A, A), len(A), len(A))


@every_method
@aligned_or_not
def test_its_statistics_have_the_answer_first_and_each_key_once(one, aligned, answer):
    found = answer(one, aligned)
    with needs(one, "statistics of its own (Method.measures)"):
        own = one.measures(found.result)
        assert own
        assert own[0].value is None or own[0].value == one.value(found.result)
    lines = measures(one, found.result, len(A), len(B))
    with needs(one, "keys that no other line of its statistics has"):
        assert len({line.key for line in lines}) == len(lines)
    with needs(one, "a name, a definition and a number or None in every line of its statistics"):
        assert all(isinstance(line, Measure) and line.name and line.definition for line in lines)
        assert all(line.value is None or isinstance(line.value, int | float) for line in lines)
    with needs(one, "every definition of the identity, known or not"):
        assert set(DEFINITIONS) <= {line.key for line in lines}


@every_method
@aligned_or_not
@pytest.mark.parametrize("kind", COMPARISON, ids=lambda kind: kind.id)
def test_it_can_be_written_in_every_format(one, aligned, kind, answer):
    if (kind.needs_alignment and not aligned) or not kind.is_of(one.id):
        return
    with needs(one, f"what the format {kind.title} writes"):
        content = b"".join(kind.chunks(answer(one, aligned)))
        assert content.endswith(b"\n")
        assert len(content) >= kind.least_bytes(answer(one, aligned))


@every_method
@aligned_or_not
def test_its_json_has_the_fields_of_every_method_and_its_own(one, aligned, answer):
    kind = next(each for each in COMPARISON if each.id == "json")
    read = json.loads(b"".join(kind.chunks(answer(one, aligned))))
    with needs(one, "JSON fields of its own that hide none of those of every method (Method.fields)"):
        own = one.fields(answer(one, aligned).result)
        assert one.value(answer(one, aligned).result) in own.values()
        assert read["method"] == one.id
        assert set(own) <= set(read)
        assert not set(own) & {"method", "same", "length_a", "identity", "statistics", "device", "a", "b"}


@every_method
def test_compare_runs_and_prints_it(one, tmp_path, capsys):
    paths = [fasta(tmp_path / f"{each.name}.fa", (each.name, each.letters.tobytes().decode())) for each in (A, B)]
    code, out, err = call(capsys, "compare", "-v", *paths, "--method", one.id, "--device", "cpu", "--threads", 1)
    with needs(one, "a run of 'compare' that ends well"):
        assert code == 1, err
        assert "different" in out
    code, out, _ = call(
        capsys, "compare", "-v", paths[0], paths[0], "--method", one.id, "--device", "cpu", "--threads", 1
    )
    with needs(one, "a run of 'compare' that finds equal files the same"):
        assert (code, "the same" in out) == (0, True)


@every_method
@pytest.mark.parametrize("path", [True, False], ids=["with path", "number only"])
def test_its_kernels_can_race(one, path):
    known = race_kernels(one)
    with needs(one, "kernels that race under names of their own, the usual ones among them (Method.race_kernels)"):
        assert len(known) == len(one.race_kernels)
        assert set(one.usual) <= set(known)
        assert not known or any(each.device != "gpu" for each in known.values())
    fit = [id_ for id_, each in known.items() if unfit(one, each, path=path) is None]
    for id_ in fit:
        with needs(one, f"a job for the kernel '{id_}' of a race"):
            job = make_race_job(one, (id_,), A, B, fold_case=True, path=path).legs[0].job
            assert method_of(job) is one
            assert (job.path is TracebackMethod.NONE) is not path
    ids = tuple(id_ for id_ in fit if known[id_].device == "cpu")[:MAX_KERNELS]
    if ids:
        with needs(one, "kernels on the CPU that run a race and agree"):
            result = run_job(make_race_job(one, ids, A, B, fold_case=True, path=path, threads=1))
            assert [leg.failure for leg in result.legs] == [""] * len(ids)
            assert result.agree
            assert one.long_name in result.verdict()


@every_method
@pytest.mark.parametrize("pairs", Pairing)
def test_its_batches_say_what_single_comparisons_say(one, pairs, tmp_path):
    if one.batch is None:
        return
    records = [("one", "ACGTACGTAC"), ("two", "ACGTTCGTACGG"), ("three", "TTGACCA")]
    load = read(fasta(tmp_path / "many.fa", *records))
    pool = SequencePool(load.letters, load.starts)
    with needs(one, "a batch that its kernel on the CPU can run (Method.batch)"):
        job = BatchJob(a=pool, b=pool, pairs=pairs, method=one, fold_case=True, threads=1)
        assert job.modules.cpu
        result = run_job(job, device=Device.CPU)
    single = [[one.value(compare(one, load.sequence(i), load.sequence(j))) for j in range(3)] for i in range(3)]
    with needs(one, "values of its batches that are those of single comparisons"):
        expected = np.diag(single) if pairs is Pairing.ONE_TO_ONE else np.array(single)
        assert result.values.tolist() == expected.tolist()
    with needs(one, "values in its batches of a file with itself that are those of single comparisons"):
        own = run_job(BatchJob(a=pool, b=None, method=one, fold_case=True, threads=1), device=Device.CPU)
        assert own.values.tolist() == single
    with needs(one, "shares of its batches in 0..1, or NaN (BatchResult.shares, Method.batch_identity)"):
        i, j = (places.ravel() for places in np.indices((3, 3)))
        shares = shares_of(own, i, j, load.lengths[i], load.lengths[j])
        assert shares.shape == (9,)
        assert (np.isnan(shares) | ((shares >= 0) & (shares <= 1))).all()
        assert (shares[i == j] == 1).all()
    for kind in BATCH:
        with needs(one, f"what the format {kind.title} of batches writes"):
            assert b"".join(kind.chunks(BatchAnswer(load, load, result, True, 1))).endswith(b"\n")


@every_method
def test_batch_runs_it_from_the_command_line(one, tmp_path, capsys):
    many = fasta(tmp_path / "many.fa", ("one", "ACGTACGTAC"), ("two", "ACGTTCGTACGG"))
    if one.batch is None:
        return
    code, out, err = call(capsys, "batch", many, "--method", one.id, "--device", "cpu", "--threads", 1)
    with needs(one, "a run of 'batch' that ends well"):
        assert code == 1, err
        assert one.batch.heading.lower() in out.lower()


def test_what_a_method_lacks_is_said_in_a_sentence():
    said = r"^The method 'edit' lacks a tail \(ValueError: none\)\.$"
    with pytest.raises(pytest.fail.Exception, match=said), needs(METHODS[0], "a tail"):
        raise ValueError("none")
