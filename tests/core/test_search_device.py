"""Which device a search gets."""

import numpy as np
import pytest

from tests.gpu import fake_cupy
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.search import SearchJob
from wavediff.core.run import rates
from wavediff.core.run.dispatch import resolve
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern


@pytest.fixture
def card(monkeypatch):
    yield fake_cupy.install(monkeypatch)
    rates.forget()


def test_searches_are_weighed_by_text_patterns_and_errors(card):
    text = np.zeros(1 << 20, np.uint8)

    def search(n, errors=0, both_strands=False):
        given = (Pattern(b"A" * 20, ""),) * n
        codes = {"rule": LetterRule.NUCLEOTIDE, "both_strands": both_strands}
        return SearchJob(text=text, patterns=given, errors=errors, threads=1, **codes)

    choice = resolve(search(1))
    assert choice.device is Device.CPU
    assert "faster for this size (1 pattern in 1,048,576 letters)" in choice.reason
    assert resolve(search(10_000, errors=4)).device is Device.GPU
    assert search(1).n_cells == 200 << 20  # a pass over the text is the least
    assert search(100, both_strands=True).n_cells == 4000 << 20
    assert search(100, errors=2).n_cells == 6000 << 20
    assert rates.gpu_seconds(search(1)) < rates.gpu_seconds(search(1_000_000))
    assert search(1).timed_kernel == "scan"
    assert rates.cpu_seconds(search(1000)) == 2 * rates.cpu_seconds(search(450))  # looked up, whatever their letters
    before = rates.cpu_seconds(search(1000))
    rates.record_rate(search(1000), "cpu", 20_000 << 20, before / 2)
    assert rates.cpu_seconds(search(1000)) == pytest.approx(before / 2)
