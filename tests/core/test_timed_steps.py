"""The time of a first run is that of its steps: kernels are compiled, or loaded, in warm-ups only."""

from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules
from time import perf_counter, sleep

import numpy as np
import pytest

from tests.core.compilers import nothing_ready
from wavediff.core import jobs, methods, screening
from wavediff.core.export.bwt import bwt_file
from wavediff.core.jit import compile_log
from wavediff.core.jit.decorators import Kernel
from wavediff.core.jit.object_code import kind, kind_text
from wavediff.core.jobs import Job, bwt, read
from wavediff.core.jobs.choices import BwtMethod, Device, Pairing, SearchLayout
from wavediff.core.jobs.compression import CompressionJob
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.jobs.events import Compiled, StepDone
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.jobs.search import SearchJob
from wavediff.core.jobs.search_files import SearchFilesJob
from wavediff.core.methods import AFFINE, EDIT, LCS, SWAP, second
from wavediff.core.methods.affine import AffineJob, AffineKernel
from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.batch import BatchJob
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.methods.lines import LineJob
from wavediff.core.methods.race_job import RaceJob, make_race_job, race_kernels
from wavediff.core.methods.swap import SwapEditJob
from wavediff.core.methods.window_job import WindowJob
from wavediff.core.methods.words import WordJob
from wavediff.core.run.runner import run_job
from wavediff.core.screening.dot_index import DotIndexJob
from wavediff.core.screening.jobs import ChanceJob, OrientJob, PairScreenJob, PartsJob
from wavediff.core.screening.shared_kmers import ScreenJob
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.sequences.sequence import Alphabet, Sequence, SequencePool

LETTERS = np.frombuffer(b"ACGT", np.uint8)
WARM_UP_SECONDS = 0.02  # longer than the time between the steps of a job


def dna(n, seed=1):
    return np.random.default_rng(seed).choice(LETTERS, n)


def edited(letters, every):
    """Return ``letters`` with a letter of each ``every`` exchanged, left out or doubled in turn."""
    times = np.ones(letters.size, np.int64)
    times[2 * every :: 3 * every], times[3 * every :: 3 * every] = 0, 2
    other = letters.copy()
    other[every :: 3 * every] = ord("A")
    return np.repeat(other, times)


def sequence(letters):
    counts = np.bincount(letters, minlength=256)
    return Sequence(letters=letters, name="some", alphabet=Alphabet.DNA, counts=counts)


def pairs():
    """Short, near, far, long, wide and unlike pairs."""
    a = dna(200_000)
    yield a[:200], edited(a[:200], 50)
    yield a[:200], dna(220, 2)
    yield a[:5000], edited(a[:5000], 100)
    yield a[:5000], edited(a[:5000], 7)
    yield a[:5000], dna(5200, 2)
    yield a[:20_000], edited(a[:20_000], 1000)
    yield a, edited(a, 100)
    yield a[:60_000], edited(a[:60_000], 7)
    yield a[:5000].astype(np.uint16), edited(a[:5000], 7).astype(np.uint16)
    yield a[:5000], np.delete(a[:5000], slice(9, 4000, 9))


def edit_jobs(_):
    for a, b in pairs():
        yield EditJob(a=a, b=b)
        yield EditJob(a=a, b=b, path=TracebackMethod.NONE)
        yield EditJob(a=a, b=b, ends=Ends.BOTH)
    for band in (BandMode.SUDO, BandMode.NONE):
        yield EditJob(a=a, b=b, band=band)
    yield EditJob(a=a, b=edited(a, 100), band=BandMode.FIXED, threshold=60)
    yield EditJob(a=a, b=edited(a, 10), ties=Ties.LEFT_MOST)
    yield EditJob(a=a, b=a[100:180], ends=Ends.A, within=8, both_strands=True)
    yield EditJob(a=a, b=np.roll(a, 90)[:200], ends=Ends.A, circle=True)


def lcs_jobs(_):
    for a, b in pairs():
        yield LcsJob(a=a, b=b)
        yield LcsJob(a=a, b=b, path=TracebackMethod.NONE)
    for strategy in Strategy:
        yield LcsJob(a=a, b=b, strategy=strategy)
    yield LcsJob(a=a, b=b, path=TracebackMethod.HIRSCHBERG)


def affine_jobs(_):
    for a, b in (pair for pair in pairs() if pair[0].itemsize == 1):  # scores are for up to 128 letters
        yield AffineJob(a=a[:5000], b=b[:5000])
        yield AffineJob(a=a[:5000], b=b[:5000], path=TracebackMethod.NONE)
    yield AffineJob(a=a, b=b, path=TracebackMethod.NONE, kernel=AffineKernel.GOTOH)


def swap_jobs(_):
    for a, b in pairs():
        yield SwapEditJob(a=a[:5000], b=b[:5000])
        yield SwapEditJob(a=a[:5000], b=b[:5000], path=TracebackMethod.NONE)
    yield SwapEditJob(a=a, b=b, swaps=False)


def batch_jobs(_):
    some = SequencePool.of([dna(n, n) for n in (0, 40, 48, 60)])
    for method in (EDIT, LCS, SWAP, AFFINE):
        for chosen in Pairing:
            yield BatchJob(a=some, b=some, pairs=chosen, method=method)
        yield BatchJob(a=some, b=None, method=method)


def race_jobs(_):
    a, b = sequence(dna(3000)), sequence(dna(3100, 2))
    for method in (EDIT, LCS, SWAP, AFFINE):
        ids = [one.id for one in race_kernels(method).values() if one.device != Device.GPU]
        for path in (False, True):
            yield make_race_job(method, tuple(ids[:2]), a, b, fold_case=False, path=path, rounds=1)


def text_jobs(made):
    a = np.frombuffer(b"".join(b"line %d of a text\n" % (k % 90) for k in range(300)), np.uint8)
    yield made(a=a, b=np.delete(a, slice(30, 90)))
    yield made(a=a, b=edited(a, 70))


def bwt_jobs(_):
    for n in (300, 20_000):
        yield bwt.BwtJob(text=dna(n), method=BwtMethod.PACKED)
        yield bwt.BwtJob(text=dna(n), method=BwtMethod.SAIS, suffixes=True)
        yield bwt.BwtJob(text=dna(n), method=BwtMethod.TERNARY)
        yield bwt.BwtJob(text=np.tile(dna(n // 9), 9))
        yield bwt.BwtJob(text=np.random.default_rng(n).integers(0, 200, n, dtype=np.uint8))


def indexes():
    for n in (300, 20_000):
        yield run_job(bwt.IndexJob(text=dna(n)), device=Device.CPU)
        yield run_job(bwt.IndexJob(text=np.random.default_rng(n).integers(0, 200, n, dtype=np.uint8)))


def index_jobs(_):
    yield from (bwt.IndexJob(text=dna(n)) for n in (300, 20_000))
    yield from (bwt.IndexJob(saved=index.saved()) for index in indexes())


def search_jobs(_):
    text = dna(30_000)
    few = tuple(Pattern(text[k : k + n].tobytes(), "") for k, n in ((7, 2), (90, 8), (70, 26)))
    many = tuple(Pattern(text[k : k + 20].tobytes(), "") for k in range(0, 20_000, 100))
    for patterns in (few[:1], few[1:2], few, many):
        yield SearchJob(text=text, patterns=patterns)
        for layout in (SearchLayout.SINGLE, SearchLayout.QUAD):
            yield SearchJob(text=text, patterns=patterns, layout=layout)
    for edits in (False, True):
        yield SearchJob(text=text, patterns=few[1:], errors=1, edits=edits)
    yield SearchJob(text=text, patterns=few, starts=np.array([0, 500, text.size]), fold_case=True)
    yield SearchJob(text=text.astype(np.uint16), patterns=few, characters="")


def fasta(folder):
    path = folder / "some.fa"
    path.write_bytes(b">one\n" + dna(3000).tobytes() + b"\n>two\n" + dna(300).tobytes() + b"\n")
    return path


def contigs():
    a = dna(9000)
    return a, SequencePool.of([a[:4000], a[4100:][::-1], edited(a[5000:], 90)])


def saved_file(folder):
    path = folder / "some.bwt"
    path.write_bytes(b"".join(bwt_file(run_job(bwt.IndexJob(text=dna(900))).saved())))
    return path


def rearranged():
    a = dna(9000)
    return a, np.concatenate([a[6000:], edited(a[:6000], 90), a[2000:3000]])


EACH = {  # examples of each kind of job, from an empty folder
    EditJob: edit_jobs,
    LcsJob: lcs_jobs,
    AffineJob: affine_jobs,
    SwapEditJob: swap_jobs,
    BatchJob: batch_jobs,
    RaceJob: race_jobs,
    LineJob: lambda _: text_jobs(LineJob),
    WordJob: lambda _: text_jobs(WordJob),
    WindowJob: lambda _: [
        WindowJob(pair=made(a=dna(900), b=dna(800, 2)), row=row, col=row)
        for made in (EditJob, LcsJob, SwapEditJob)
        for row in (0, 500)
    ],
    second.RowsJob: lambda _: [
        second.RowsJob(a=dna(900), b=edited(dna(900), 90), fold_case=False, indel=indel, edits=edits)
        for indel in (False, True)
        for edits in (20, 900)
    ],
    second.ProofJob: lambda _: [
        second.ProofJob(pair=pair, result=run_job(pair, device=Device.CPU))
        for made in (EditJob, LcsJob, SwapEditJob, AffineJob)
        for pair in (made(a=dna(900), b=edited(dna(900), 90)), made(a=dna(900), b=dna(800, 2)))
    ],
    bwt.BwtTextJob: lambda _: [bwt.BwtTextJob(a=sequence(dna(99)), b=sequence(dna(90)), fold_case=True)],
    bwt.BwtJob: bwt_jobs,
    bwt.InverseBwtJob: lambda _: [
        bwt.InverseBwtJob(last=done.last, primary=done.primary)
        for n in (300, 50_000)
        for done in [run_job(bwt.BwtJob(text=dna(n)), device=Device.CPU)]
    ],
    bwt.IndexJob: index_jobs,
    bwt.FindJob: lambda _: [
        bwt.FindJob(index=index, patterns=(b"ACG", b"A", b""), locate=locate, trace=trace)
        for index in indexes()
        for locate, trace in ((False, False), (True, False), (True, True))
    ],
    bwt.LocateRowsJob: lambda _: [bwt.LocateRowsJob(index=one, rows=np.arange(9)) for one in indexes()],
    bwt.RowsOfPositionsJob: lambda _: [bwt.RowsOfPositionsJob(index=one, positions=np.arange(9)) for one in indexes()],
    bwt.LoadBwtJob: lambda folder: [bwt.LoadBwtJob(path=saved_file(folder))],
    CompressionJob: lambda _: [CompressionJob(text=dna(900), last=dna(900))],
    SearchJob: search_jobs,
    RearrangedJob: lambda _: [RearrangedJob(a=rearranged()[0], b=rearranged()[1])],
    ContigsJob: lambda _: [
        ContigsJob(a=contigs()[0], contigs=contigs()[1], names=("1", "2", "3"), circular=circular)
        for circular in (False, True)
    ],
    ExactMatchesJob: lambda _: [ExactMatchesJob(a=rearranged()[0], b=rearranged()[k], k=12) for k in (0, 1)],
    DotIndexJob: lambda _: [
        DotIndexJob(matches=run_job(ExactMatchesJob(a=rearranged()[0], b=rearranged()[1], k=12), device=Device.CPU))
    ],
    ScreenJob: lambda _: [ScreenJob(a=rearranged()[0], b=rearranged()[1])],
    PairScreenJob: lambda _: [
        PairScreenJob(a=rearranged()[0], b=rearranged()[1], seeds=seeds, circle=seeds) for seeds in (False, True)
    ],
    ChanceJob: lambda _: [
        ChanceJob(pair=made(a=dna(900), b=dna(800, 2))) for made in (EditJob, LcsJob, SwapEditJob, AffineJob)
    ],
    PartsJob: lambda _: [
        PartsJob(batch=BatchJob(a=SequencePool.of([dna(9000), dna(9000)[2000:4000]]), b=None), seeds=seeds)
        for seeds in (False, True)
    ],
    OrientJob: lambda _: [OrientJob(a=dna(9000), b=np.roll(dna(9000), 900), circular=True)],
    read.ReadJob: lambda folder: [read.ReadJob(path=fasta(folder))],
    read.ParseJob: lambda folder: [read.ParseJob(text=fasta(folder).read_bytes())],
    read.ReadPatternsJob: lambda folder: [read.ReadPatternsJob(path=fasta(folder))],
}


def kinds():
    """Return every kind of job that this computer runs by itself."""
    packages = jobs, methods, screening
    names = [one.name for package in packages for one in iter_modules(package.__path__, f"{package.__name__}.")]
    made = [one for name in names for one in vars(import_module(name)).values() if isinstance(one, type)]
    found = [one for one in made if issubclass(one, Job) and hasattr(one, "modules") and one is not SearchFilesJob]
    return dict.fromkeys(found)


@pytest.mark.parametrize("kind_of_job", kinds(), ids=lambda one: one.__name__)
def test_no_step_compiles_a_kernel(monkeypatch, tmp_path, kind_of_job):
    """Every kernel and kind of argument has a warm-up, which no step counts; a kind of job without examples fails."""
    made, warm_ups, ready, late = Kernel.__call__, [], set(), set()
    examples = [*EACH[kind_of_job](tmp_path)]

    @contextmanager
    def warm_up(kernel):
        warm_ups.append(kernel)
        sleep(WARM_UP_SECONDS)
        yield
        warm_ups.pop()

    def noted(self, *arguments, **named):
        called = (self.__name__, *(kind_text(kind(one)) for one in arguments))
        if warm_ups:
            ready.add(called)
        elif called not in ready:
            late.add(called)
        return made(self, *arguments, **named)

    monkeypatch.setattr(Kernel, "__call__", noted)
    monkeypatch.setattr(compile_log, "compiles", warm_up)
    for job in examples:
        nothing_ready(monkeypatch)
        ready.clear()
        late.clear()
        events, begun = [], perf_counter()
        run_job(job, device=Device.CPU, report=events.append)
        elapsed = perf_counter() - begun
        assert not late
        compiled, steps = (sum(one.seconds for one in events if type(one) is each) for each in (Compiled, StepDone))
        assert steps <= elapsed - compiled
