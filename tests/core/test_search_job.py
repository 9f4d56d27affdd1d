"""A search as a job: limit, events, threads, stopping, what is refused, what the child compiles."""

import numpy as np
import pytest

from tests.core.compilers import nothing_ready
from tests.core.pairs import random_letters
from tests.core.running import stopped
from tests.core.searches import EXACT, NUCLEOTIDES, patterns, random_dna, rows, run
from wavediff.core.base.errors import Cancelled, InputError, NotEnoughMemory
from wavediff.core.jit import warmup
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.events import HitsFound, Progress, StepDone, run_to_end
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob
from wavediff.core.kernels.search import chunks, scanner, search_plan
from wavediff.core.kernels.search.warmup_jobs import warmup_jobs
from wavediff.core.run.runner import run_job
from wavediff.core.system import thread_loop


def test_the_first_hits_are_kept_and_the_limit_is_told():
    text = np.full(100_000, ord("a"), np.uint8)
    for threads in (1, 3):
        result = run(text, [b"a", b"aa"], limit=5, threads=threads)
        assert rows(result.hits) == [
            (0, 1, 0, 1, 0), (0, 2, 1, 1, 0), (1, 2, 0, 1, 0), (1, 3, 1, 1, 0), (2, 3, 0, 1, 0),
        ]  # fmt: skip
        assert not result.complete
        assert result.message == "stopped at the limit of 5 hits: there are more further on in the text"
    whole = run(text, [b"a", b"aa"], limit=199_999)
    assert whole.complete
    assert whole.message == ""
    assert len(whole.hits) == 199_999


@pytest.mark.parametrize("layout", [SearchLayout.AUTO, SearchLayout.SINGLE])
def test_very_many_hits_are_sorted_in_parts(layout, monkeypatch):
    monkeypatch.setattr(scanner, "MAX_PART_HITS", 1000)
    text = np.full(20_000, ord("a"), np.uint8)
    words = [b"a" * k for k in (1, 2, 3, 64, 200)]
    result = run(text, words, layout=layout)
    assert result.counts.tolist() == [20_000 - len(one) + 1 for one in words]
    found = rows(result.hits)
    assert found == sorted(set(found))
    first = rows(run(text, words, layout=layout, limit=3000).hits)
    assert len(first) == 3000
    assert first == sorted(set(first) & set(found))
    reach = max(end for _, end, *_ in first)  # no hit is left out that ends well before the last one
    assert set(first) >= {one for one in found if one[1] < reach - 1000}


@pytest.mark.parametrize("threads", [1, 2])
def test_hits_stream_in_the_order_of_the_text(threads, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_LETTERS", 1 << 16)
    monkeypatch.setattr(thread_loop, "REPORT_SECONDS", 0.0)  # each piece is told of, however fast the machine is
    monkeypatch.setattr(thread_loop, "SLICE_SECONDS", 0.0)  # and is one chunk
    text = random_dna(1, 6_000_000)
    events = []
    words = [b"ACGTACGT", *(text[k : k + 60].tobytes() for k in range(300))]
    job = SearchJob(text=text, patterns=patterns(*words), layout=SearchLayout.QUAD, threads=threads)
    result = run_job(job, report=events.append)
    parts = [event.hits for event in events if isinstance(event, HitsFound)]
    assert len(parts) > 1
    assert all(len(one) for one in parts)
    told = Hits.joined(parts)
    assert (told.end == np.sort(told.end)).all() or (np.diff(told.start) >= -60).all()
    assert sorted(rows(told)) == rows(result.hits)
    progress = [event for event in events if isinstance(event, Progress)]
    assert (progress[-1].done, progress[-1].total) == (text.size, text.size)
    scanned = [event for event in events if isinstance(event, StepDone) and event.kernel == "scan"]
    assert abs(sum(event.cells for event in scanned) - result.cells) < len(scanned) + 1
    assert result.cells == text.size * sum(map(len, words))


def test_threads_do_not_change_the_answer():
    text = random_letters(np.random.default_rng(2), 200_000, 2)
    words = [bytes(text[k : k + 11]) for k in range(40)]
    one, three = (run(text, words, threads=n) for n in (1, 3))
    assert rows(one.hits) == rows(three.hits)
    assert not one.hits.start.flags.writeable


def test_many_patterns_go_past_in_several_groups():
    text = random_dna(4, 60_000)
    words = [text[k : k + 20 + k % 9].tobytes() for k in range(0, 40_000, 97)]
    for layout in EXACT:
        found = run(text, words, layout=layout, both_strands=True, **NUCLEOTIDES)
        assert found.n_searched == 2 * len(words)
        assert set(rows(found.hits)) >= {(97 * k, 97 * k + len(one), k, 1, 0) for k, one in enumerate(words)}


def test_stop_is_heard_between_two_pieces():
    text = random_letters(np.random.default_rng(6), 8_000_000, 4)
    job = SearchJob(text=text, patterns=patterns(*(bytes(text[k : k + 30]) for k in range(400))), threads=2)
    assert sum(isinstance(event, StepDone) for event in stopped(job)) == 1


def test_stop_is_heard_while_patterns_are_laid_out():
    token = CancelToken()
    heard = []

    def stop(event):
        heard.append(event)
        if len(heard) == 3:
            token.cancel()

    text = random_dna(8, 60_000)
    job = SearchJob(text=text, patterns=patterns(*(text[k : k + 20].tobytes() for k in range(5000))), **NUCLEOTIDES)
    with pytest.raises(Cancelled):
        run_job(job, report=stop, cancel=token)
    laid_out = [event for event in heard if isinstance(event, Progress) and event.stage == "lay out"]
    assert len(laid_out) >= 2
    assert not any(isinstance(event, StepDone) for event in heard)


def test_the_letters_of_a_step_and_why():
    dna = random_dna(7, 10_000)
    assert _step(dna, b"ACGNT", **NUCLEOTIDES) == (4, "nucleotides: four letters a step")
    assert _step(dna, b"ACGT")[0] == 4
    assert _step(dna, b"ACGTx") == (1, "patterns are not DNA or RNA, so no IUPAC codes")
    assert _step(dna, b"acgt")[0] == 1  # case counts: nothing here could match
    assert _step(np.full(1000, ord("N"), np.uint8), b"ACGT", **NUCLEOTIDES)[0] == 1


def _step(text, pattern, **rules):
    job = SearchJob(text=text, patterns=patterns(pattern), **rules)
    return search_plan.step_letters(job, run_to_end(search_plan.prepared(job)))


def test_refusals(monkeypatch):
    with pytest.raises(InputError, match="no pattern to search for"):
        run(b"ACGT", [])
    with pytest.raises(InputError, match=r"<test>, line 2: pattern 'p1' is empty"):
        run(b"ACGT", [b"A", b""])
    with pytest.raises(ValueError, match="0 to 8 errors can be allowed, got 9"):
        SearchJob(text=np.zeros(1, np.uint8), patterns=(), errors=9)
    with pytest.raises(ValueError, match="at least 1 hit"):
        SearchJob(text=np.zeros(1, np.uint8), patterns=(), limit=0)
    monkeypatch.setattr(search_plan, "UNCHECKED_BYTES", 0)
    monkeypatch.setattr(search_plan, "available_memory", lambda: 1000)
    with pytest.raises(NotEnoughMemory, match="tables of 1 patterns need"):
        run(b"ACGT", [b"A"], layout=SearchLayout.SINGLE)


def test_the_child_makes_ready_what_it_promises(monkeypatch):
    nothing_ready(monkeypatch)
    found = warmup_jobs()
    names = [name for one in found for name in one.names]
    assert len(names) == len(set(names)) == 5 + 16 + 1
    for one in [*found[:5], found[6], *found[-2:]]:
        before = warmup.compiled_names()
        run_to_end(one.steps()) if one.steps is not None else run_job(one.job)
        assert warmup.compiled_names() - before == set(one.names)
