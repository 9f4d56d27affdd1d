"""Every crossing of what ``compare`` can be asked is an answer or a refusal in one line, and like ones agree.

Method x device (with and without a card) x traceback x ends x loci x ties x strand x topology x split x proof. The card
is the host's emulation, which computes with the kernels of the card.
"""

import json
import re
import shutil
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from tests import kept
from tests.app.fakes import fasta
from tests.depth import DEEP, deeper, some
from tests.gpu.host_card import HostCard
from wavediff.app.commands import cli, compare
from wavediff.core.base.errors import WavediffError
from wavediff.core.export.registry import COMPARISON, RECORD, TIMINGS
from wavediff.core.jit import background_compile
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.free_ends import Ends
from wavediff.core.sequences.orientation import Strand, reverse_complement
from wavediff.core.system.machine import GraphicsCard
from wavediff.gpu.card import current_card

DEVICES = (("cpu", False), ("gpu", False), ("auto", False), ("gpu", True), ("auto", True))
CARD = GraphicsCard("the host", 1 << 30, (9, 0), 1, 1e9, "0", "13.0", "13.0", (0,))
KINDS = (*COMPARISON, TIMINGS, *RECORD)
N = 240
STRIDE = 97  # in `make test`; shares no factor with any number of choices, so that every two of them meet


_NOT_FREE = [f"--ends goes with --method edit, not with {{method}} (--ends {ends})" for ends in ("a", "b", "both")]
_NO_HALVES = (
    "--traceback hirschberg: --method {method} has checkpoints and none; it goes with --method lcs, not with {method}"
)
_NOT_LISTED = "--loci goes with --method edit, not with {method} (--loci N%)"
NO_DRIVER = "GPU not used: there is no NVIDIA driver"
REFUSALS = {  # without "wavediff: " and with N for each number
    "lcs": [NO_DRIVER, *_NOT_FREE, _NOT_LISTED],
    "edit": [
        NO_DRIVER,
        _NO_HALVES,
        *(
            f"--loci N% lists places of B in A: it goes with --ends a, not with --ends {ends}"
            for ends in ("none", "b", "both")
        ),
        "A list of places needs a linear A; in a circle only the best place is found",
    ],
    "swap": [NO_DRIVER, _NO_HALVES, *_NOT_FREE, _NOT_LISTED],
    "affine": [
        "GPU not used: no GPU kernel for this method in this version",
        "--ties goes with --method edit or swap or lcs, not with affine (--ties left-most)",
        _NO_HALVES,
        *_NOT_FREE,
        _NOT_LISTED,
    ],
    **{
        name: [
            "GPU not used: no GPU kernel for this method in this version",
            f"--ties goes with --method edit or swap or lcs, not with {name} (--ties left-most)",
            _NO_HALVES,
            *_NOT_FREE,
            _NOT_LISTED,
        ]
        for name in ("lines", "words")
    },
}


@dataclass(frozen=True)
class Crossing:
    """One choice of each; ``card``: whether there is one."""

    device: str
    card: bool
    traceback: str
    ends: str
    loci: str
    ties: str
    strand: str
    topology: str
    split: str
    prove: str

    @property
    def words(self):
        """Options of the command line; what is empty is not typed."""
        named = {
            name: getattr(self, name) for name in ("device", "traceback", "ends", "loci", "ties", "topology", "split")
        }
        typed = (*named.items(), ("orient", self.strand))
        return [word for name, text in typed if text for word in (f"--{name}", text)] + self.prove.split()

    @property
    def asked(self):
        return self.ends, self.loci, self.strand, self.topology


CROSSINGS = [
    Crossing(*device, *others)
    for device, *others in product(
        DEVICES, TracebackMethod, Ends, ("", "best", "10%"), Ties, (*Strand, "auto"), ("linear", "circular"),
        ("", "0", "20"), ("", "--prove"),
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """A and B by the free ends and the topology: a gene, across the end of a circle's file; two ends."""
    folder = tmp_path_factory.mktemp("crossings")
    circle = np.random.default_rng(7).choice(np.frombuffer(b"ACGT", np.uint8), N).tobytes()
    across = circle[-60:-20] + b"A" + circle[-20:] + circle[:50]
    inside = circle[40:80] + b"A" + circle[80:140]
    other = circle[90:] + circle[:30] + b"GG" + circle[30:90]
    texts = {
        "circle": circle, "other": other, "left": circle[:160], "right": circle[70:] + across,
        "across": across, "inside": inside, "minus_across": reverse_complement(across),
        "minus_inside": reverse_complement(inside),
    }  # fmt: skip
    files = {name: fasta(folder / f"{name}.fa", (name, text.decode())) for name, text in texts.items()}
    found = {}
    for topology, gene in (("linear", "inside"), ("circular", "across")):
        found[Ends.NONE, topology] = files["circle"], files["other"]
        found[Ends.A, topology] = files["circle"], files[f"minus_{gene}"]
        found[Ends.B, topology] = files[gene], files["circle"]
        found[Ends.BOTH, topology] = files["left"], files["right"]
    return found


@pytest.fixture(scope="module")
def with_card():
    """A function that puts a card in, or takes it out."""
    card = HostCard(kept.folder("emulation")) if shutil.which("g++") else None
    with pytest.MonkeyPatch.context() as patch:

        def install(there):
            if there and card is None:
                pytest.skip("no g++ to build the kernels for the host with")
            patch.setattr(current_card, "obstacle", lambda *_: None if there else "there is no NVIDIA driver")
            patch.setattr(current_card, "describe", lambda: CARD if there else None)
            patch.setattr(current_card, "card", lambda: card)
            patch.setattr(current_card, "others", tuple)
            patch.setattr(current_card, "free_memory", lambda: 1 << 28 if there else 0)
            for name in ("wake", "release"):
                patch.setattr(current_card, name, lambda: None)
            patch.setattr(current_card, "mark_failed", failed)

        yield install


def failed(reason):
    raise AssertionError(f"the card failed: {reason}")


def ask(arguments):
    """Return what ``wavediff.app.commands.cli.main`` returns and writes of an error, without its start for each."""
    try:
        return compare.run(arguments), ""
    except WavediffError as error:
        return cli.TROUBLE, f"wavediff: {error}\n"
    except Exception as error:
        return cli.TROUBLE, f"wavediff: defect, {type(error).__name__}: {error}\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Nothing is compiled beside a comparison, and no file need outlive a loss of power."""
    monkeypatch.setattr(background_compile, "compile_in_parallel", lambda _: nullcontext())
    monkeypatch.setattr("os.fsync", lambda _: None)


@deeper
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_every_crossing_is_an_answer_or_one_line(method, pairs, with_card, capsys, tmp_path):
    parser = cli.parser()
    answers = defaultdict(lambda: defaultdict(list))
    refused = set()
    wrong = []
    for k in some(len(CROSSINGS), METHODS.index(method), STRIDE):
        one = CROSSINGS[k]
        with_card(one.card)
        kinds = [kind for kind in KINDS if one.traceback != TracebackMethod.NONE or not kind.needs_alignment]
        kinds = [kind for kind in kinds if kind.is_of(method.id)]
        files = [word for kind in kinds for word in (f"--{kind.id}", str(tmp_path / kind.id))]
        words = ["compare", *map(str, pairs[one.ends, one.topology]), "--method", method.id, *one.words]
        words += (
            [] if method.of_letters else ["--format", "fasta"]
        )  # else they are read as texts, which have no strands
        code, said = ask(parser.parse_args([*words, *files, "--quiet"]))
        out, err = capsys.readouterr()
        err += said
        line = " ".join(words[3:])
        if out or code not in (0, 1, 2) or "defect" in err:
            wrong.append(f"{line}: {code} {out}{err}")
        elif code < 2:
            read = json.loads((tmp_path / "json").read_text())
            value = next(iter(read["statistics"].values()))  # the answer comes first
            answers[one.asked][value].append(line)
            if (read["proof"] is None) is (one.prove != ""):
                wrong.append(f"{line}: {read['proof']}")
        else:
            lines = [each for each in err.splitlines() if each]
            refused.add(re.sub(r"\d+", "N", lines[-1]).removeprefix("wavediff: "))
            if len(lines) != 1 or not lines[0].startswith("wavediff: "):
                wrong.append(f"{line}: {err}")
    unlike = [f"{asked}: {dict(values)}" for asked, values in answers.items() if len(values) > 1]
    assert not wrong, "\n".join(wrong)
    assert not unlike, "\n".join(unlike)
    assert answers
    expected = {line.format(method=method) for line in REFUSALS.get(method.id, [])}
    assert refused <= expected, f"refused in other words: {refused - expected}"
    assert refused == expected or not DEEP
