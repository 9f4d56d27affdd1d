"""Every CUDA source compiles for every architecture we claim; needs NVRTC, not a card."""

from __future__ import annotations

from itertools import product

import pytest

from gpu import source

compiler = pytest.importorskip("cupy.cuda.compiler", reason="no CuPy, so no NVRTC")
ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
STRIPS = [
    {"METHOD": method, "WORDS": words, "COLUMNS": 8, "TABLES": tables, "KEEP": keep, "FLAG": int(words > 2), "WARPS": 4}
    for method, words, tables, keep in product((1, 2), (1, 2, 4, 8, 16), (1, 2), (0, 1))
]


def _compile(unit: str, arch: int, **macros: int) -> bytes:
    program = compiler._NVRTCProgram(source.text(unit), unit, method="cubin")
    cubin, _ = program.compile((*source.options(**macros), f"-arch=sm_{arch}"))
    return bytes(cubin)


@pytest.mark.parametrize("macros", STRIPS, ids=lambda m: "-".join(str(v) for v in m.values()))
def test_strips_compile_for_the_card_they_are_tuned_for(macros):
    assert _compile("strips.cu", 90, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("method", [1, 2])
def test_strips_compile_for_every_architecture(method, arch):
    for tables, keep in product((1, 2), (0, 1)):
        macros = {"METHOD": method, "WORDS": 4, "COLUMNS": 8, "TABLES": tables, "KEEP": keep, "FLAG": 1, "WARPS": 4}
        assert _compile("strips.cu", arch, **macros).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_pack_compiles_for_every_architecture(arch):
    assert _compile("pack.cu", arch).startswith(b"\x7fELF")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_paper1_compiles_for_every_architecture(arch):
    assert _compile("paper1.cu", arch).startswith(b"\x7fELF")
