"""Every CUDA source compiles for every architecture we claim; needs NVRTC, not a card."""

from __future__ import annotations

from itertools import product

import pytest

from gpu.bwt import paper4
from gpu.card import source
from gpu.search.tables import CACHE_LINE_BYTES, MASKS, THREADS

compiler = pytest.importorskip("cupy.cuda.compiler", reason="no CuPy, so no NVRTC")
ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
ALL = {"COLUMNS": 8, "WARPS": 4}
STRIPS = [
    {**ALL, "SLICED": 0, "METHOD": method, "WORDS": words, "TABLES": tables, "KEEP": keep}
    for method, words, tables, keep in product((1, 2), (1, 2, 4, 8, 16), (1, 2), (0, 1))
]
SLICES = [
    {**ALL, "SLICED": 1, "METHOD": 2, "WORDS": words, "PLANES": planes, "KEEP": keep}
    for words, planes, keep in product((8, 16, 24, 32), (1, 2, 3), (0, 1))
]


def _compile(unit: str, arch: int, **macros: int) -> bytes:
    program = compiler._NVRTCProgram(source.text(unit), unit, method="cubin")
    cubin, _ = program.compile((*source.options(**macros), f"-arch=sm_{arch}"))
    return bytes(cubin)


@pytest.mark.parametrize("macros", STRIPS + SLICES, ids=lambda m: "-".join(str(v) for v in m.values()))
def test_strips_compile_for_the_card_they_are_tuned_for(macros):
    assert _compile("strips.cu", 90, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("method", [1, 2])
def test_strips_compile_for_every_architecture(method, arch):
    for tables, keep in product((1, 2), (0, 1)):
        macros = {**ALL, "SLICED": 0, "METHOD": method, "WORDS": 4, "TABLES": tables, "KEEP": keep}
        assert _compile("strips.cu", arch, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("method", [1, 2])
@pytest.mark.parametrize("words", [1, 4, 16])
def test_refining_compiles_for_every_architecture(method, words, arch):
    macros = {**ALL, "SLICED": 0, "METHOD": method, "WORDS": words, "TABLES": 1, "KEEP": 1}
    assert _compile("refine.cu", arch, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("planes", [2, 3])
def test_slices_compile_for_every_architecture(planes, arch):
    macros = {**ALL, "SLICED": 1, "METHOD": 2, "WORDS": 16, "PLANES": planes, "KEEP": 1}
    assert _compile("strips.cu", arch, **macros).startswith(b"\x7fELF")
    assert _compile("align.cu", arch, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_pack_compiles_for_every_architecture(arch):
    assert _compile("pack.cu", arch).startswith(b"\x7fELF")
    assert _compile("kept.cu", arch).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_paper1_compiles_for_every_architecture(arch):
    assert _compile("paper1.cu", arch).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_batches_and_swaps_compile_for_every_architecture(arch):
    for method, words in product((1, 2, 3), (1, 4)):
        assert _compile("pairs.cu", arch, METHOD=method, WORDS=words).startswith(b"\x7fELF")
    for keep in (0, 1):
        assert _compile("swaps.cu", arch, METHOD=3, WORDS=1, KEEP=keep).startswith(b"\x7fELF")
    assert _compile("letters.cu", arch).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_paper5_compiles_for_every_architecture(arch):
    for number, shared in product((2, 4), (0, 1)):
        assert _compile("paper5.cu", arch, NUMBER_BYTES=number, SHARED=shared).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("part", ["text", "sample", "ranks", "walk", "ternary"])
def test_the_transform_compiles_for_every_architecture(part, arch):
    assert _compile(f"bwt_{part}.cu", arch).startswith(b"\x7fELF")


SEARCH = [
    {"WORDS": words, "STEP": step, "ROWS": rows, "EDITS": edits, "HELD": held, "PAPER": paper}
    for words, step, rows, edits, held, paper in (
        (1, 4, 1, 0, 0, 0), (2, 4, 1, 0, 0, 0), (4, 4, 1, 0, 0, 0), (4, 1, 1, 0, 1, 0), (4, 1, 1, 0, 0, 1),
        (4, 1, 4, 1, 0, 0), (4, 1, 2, 0, 0, 0), (2, 1, 9, 1, 0, 0), (1, 1, 9, 0, 0, 0),
    )
]  # fmt: skip


@pytest.mark.parametrize("macros", SEARCH, ids=lambda m: "-".join(str(v) for v in m.values()))
def test_search_compiles_for_the_card_it_is_tuned_for(macros):
    _search(90, macros)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_search_compiles_for_every_architecture(arch):
    for macros in (SEARCH[2], SEARCH[4]):
        _search(arch, macros)


def _search(arch, macros):
    copies = CACHE_LINE_BYTES // min(16, 8 * macros["WORDS"])
    masks = 1 if macros["PAPER"] else MASKS
    more = {"MASKS": masks, "COPIES": copies, "THREADS": THREADS}
    assert _compile("search.cu", arch, **macros, **more).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_the_sort_compiles_for_every_architecture(arch):
    for wide, values in product((0, 1), (0, 1)):
        assert _compile("radix.cu", arch, WIDE=wide, VALUES=values).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("letter", [2, 4, 8])
def test_diagonals_compile_for_every_architecture(letter, arch):
    for method in (1, 2):
        macros = {"METHOD": method, "EACH": 2, "STEPS": 64, "WARPS": 8, "LETTER": letter}
        assert _compile("diagonals.cu", arch, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_paper4_compiles_for_every_architecture(arch):
    assert _compile("paper4.cu", arch, **paper4.MACROS).startswith(b"\x7fELF")
