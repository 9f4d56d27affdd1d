"""``--device`` and what ``doctor`` says of a graphics card."""

import json
import re

import pytest

from tests.cli.helpers import call, trouble
from tests.gpu import fake_twin
from tests.gpu.fake_cupy import CudaError
from tests.gpu.fake_twin import Twin
from wavediff.app.ui.devices import DeviceModel
from wavediff.core.base.errors import DeviceLost
from wavediff.core.jobs import KernelModules, card_limits
from wavediff.core.jobs.choices import Device
from wavediff.core.methods.lcs import LcsJob
from wavediff.core.run import rates
from wavediff.core.run.graphics_cards import graphics_cards

LCS = ("--method", "lcs")  # whose kernels are the fakes


@pytest.fixture
def card(monkeypatch):
    return fake_twin.install(monkeypatch)


def test_the_card_that_is_asked_for_computes(card, files, capsys):
    pair = files / "a.fa", files / "a.fa"
    code, out, err = call(capsys, "compare", "-v", *pair, *LCS, "--device", "gpu")
    assert code == 0
    assert "device: gpu (asked for)" in out
    assert "s on gpu, " in out
    assert "gpu: asked for" in err
    code, out, _ = call(capsys, "compare", "-v", *pair, *LCS, "--json", "-", "--device", "gpu", "--quiet")
    assert json.loads(out)["device"] == "gpu"


def test_auto_says_why(card, files, capsys):
    _, out, err = call(capsys, "compare", "-v", files / "a.fa", files / "b.fa", *LCS)
    assert "device: cpu (faster for this size (10 × 11): " in out
    assert "cpu: faster for this size (10 × 11)" in err


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_a_card_that_fails_is_told_and_the_answer_is_there(card, files, capsys, quiet):
    Twin.error = DeviceLost("an illegal memory access")
    code, out, err = call(
        capsys, "compare", files / "a.fa", files / "b.fa", *LCS, "--device", "gpu", "--json", "-", *quiet
    )
    assert code == 1
    assert json.loads(out)["device"] == "cpu"
    said = [line for line in err.splitlines() if line.startswith("note: The GPU")]
    assert len(said) == 1
    assert said[0].startswith("note: The GPU failed (an illegal memory access)")
    assert len(err.splitlines()) == 1 or not quiet


def test_a_card_that_cannot_be_used_is_an_error_where_it_is_asked_for(card, files, capsys):
    card.errors["count"] = CudaError(100)
    words = ("compare", files / "a.fa", files / "b.fa", *LCS, "--quiet", "--device")
    trouble(call(capsys, *words, "gpu"), "GPU not used: there is no graphics card that CUDA can use")
    assert call(capsys, *words, "auto") == (1, "", "")


def test_all_commands_and_the_window_report_one_reason_why_no_card_is_used(card, files, capsys, monkeypatch):
    card.errors["count"] = CudaError(100)
    text = "GPU not used: there is no graphics card that CUDA can use"
    assert text in " ".join(call(capsys, "doctor")[1].split())
    pair = files / "a.fa", files / "b.fa", *LCS
    trouble(call(capsys, "compare", *pair, "--device", "gpu"), text)
    trouble(call(capsys, "race", *pair, "--kernels", "cpu,gpu"), f"gpu cannot race: {text}")
    monkeypatch.setattr(rates, "GPU_JOB_SECONDS", -1.0)
    monkeypatch.setattr(rates, "start_seconds", lambda _job, awake: -1e9)
    assert f"device: cpu ({text})" in call(capsys, "compare", "-v", *pair)[1]
    devices = DeviceModel()
    devices.reason = graphics_cards().obstacle()
    assert devices.name(Device.GPU) == text
    devices.close()


LONG = {
    "lcs": ("compare", "a.fa", "b.fa", "--method", "lcs"),
    "edit": ("compare", "a.fa", "b.fa", "--method", "edit"),
    "ends": ("compare", "a.fa", "b.fa", "--method", "edit", "--ends", "b"),
    "swap": ("compare", "a.fa", "b.fa", "--method", "swap"),
    "batch": ("batch", "many.fa", "--method", "edit"),
    "bwt": ("bwt", "a.fa", "--record", "1"),
    "inverse": ("bwt", "column.txt", "--inverse", "--primary-index", "4"),
    "find": ("find", "a.fa", "ACG"),
}


@pytest.mark.parametrize("what", LONG)
def test_what_is_too_long_for_a_card_is_told_in_a_sentence_and_done(card, files, capsys, monkeypatch, what):
    (files / "column.txt").write_text("annbaa")
    monkeypatch.setattr(card_limits, "MAX_LETTERS", 5)
    words = [files / word if (files / word).is_file() else word for word in LONG[what]]
    code, out, err = call(capsys, *words, "--device", "gpu")
    assert code < 2, err
    (said,) = [line for line in err.splitlines() if line.startswith("note: The GPU")]
    compared = "compares sequences of up to 5 letters, and one has "
    limit = "transforms texts of up to 5 letters, and this one has " if what in ("bwt", "inverse", "find") else compared
    assert re.fullmatch(rf"note: The GPU {limit}[\d,]+; the CPU runs it", said)
    assert "failed" not in out + err
    code, out, err = call(capsys, *words)
    assert code < 2
    assert "The GPU" not in err, "nobody asked for the card"


def test_doctor_names_the_card(card, capsys, monkeypatch):
    monkeypatch.setattr(
        LcsJob, "modules", KernelModules(cpu="wavediff.core.kernels.pairwise.lcs.run", gpu=fake_twin.HERE)
    )
    _, out, _ = call(capsys, "doctor")
    assert (
        "Fake 9000, 6.0 of 8.0 GiB free, compute capability 9.0; CuPy 14.0.0 for CUDA 13.2, driver for CUDA 13.2" in out
    )
    assert re.search("GPU methods   .*lcs", out)
    _, out, _ = call(capsys, "doctor", "--json")
    found = json.loads(out)
    assert found["graphics_card"]["memory_free"] == 6 << 30
    assert found["gpu"]["lcs"] is None


@pytest.mark.parametrize("when", ["count", "memGetInfo"])
def test_doctor_survives_a_broken_driver(card, capsys, when):
    card.errors[when] = CudaError(999, "cudaErrorUnknown: unknown error")
    _, out, _ = call(capsys, "doctor")
    assert "GPU           not used: " in out
    assert "cudaErrorUnknown: unknown error" in out
