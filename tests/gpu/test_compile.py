"""Every CUDA source compiles for every architecture we claim; needs NVRTC, not a card.

What NVRTC accepted once is not given to it again: the digest of cuda, options and version is kept.
"""

import hashlib
from functools import cache
from importlib.metadata import distributions
from itertools import product

import pytest

from tests import kept
from wavediff.gpu.bwt import yamanaka
from wavediff.gpu.card import cuda
from wavediff.gpu.search.hit_room import CACHE_LINE_BYTES, MASKS, THREADS

compiler = pytest.importorskip("cupy.cuda.compiler", reason="no CuPy, so no NVRTC")
# `make test` compiles for the oldest and the newest, `make check` for those between them too.
BETWEEN = (80, 86, 89, 90, 100)
ARCHITECTURES = (75, *(pytest.param(each, marks=pytest.mark.thorough) for each in BETWEEN), 120)
ALL = {"COLUMNS": 8, "WARPS": 4}
STRIPS = [
    {**ALL, "SLICED": 0, "METHOD": method, "WORDS": words, "TABLES": tables, "KEEP": keep}
    for method, words, tables, keep in product((1, 2), (1, 2, 4, 8, 16), (1, 2), (0, 1))
]
SLICES = [
    {**ALL, "SLICED": 1, "METHOD": 2, "WORDS": words, "PLANES": planes, "KEEP": keep}
    for words, planes, keep in product((8, 16, 24, 32), (1, 2, 3), (0, 1))
]
# `make test` compiles the fewest and the most words of both, `make check` what lies between too.
FEWEST_AND_MOST = {0: (1, 16), 1: (8, 32)}


@pytest.fixture(scope="module")
def accepted():
    """Folder of empty files, each named by a digest of what NVRTC compiled."""
    place = kept.folder("nvrtc")
    kept.sweep(place)
    return place


def _compiles(accepted, unit, arch, **macros):
    """Compile ``unit``, unless the very same was compiled before; a refusal raises, and is never kept."""
    text, options = cuda.text(unit), (*cuda.options(**macros), f"-arch=sm_{arch}")
    digest = hashlib.sha256("\0".join((*_versions(), text, unit, *options)).encode()).hexdigest()

    def build(new):
        cubin, _ = compiler._NVRTCProgram(text, unit, method="cubin").compile(options)
        assert bytes(cubin).startswith(b"\x7fELF")
        new.touch()

    kept.kept(accepted / digest, build)


@cache
def _versions():
    """Return what else decides whether a source compiles: NVRTC, its package (which tells the build) and CuPy."""
    packages = sorted((each.name.casefold(), each.version) for each in distributions())
    found = (f"{name} {number}" for name, number in packages if "nvrtc" in name or "cupy" in name)
    return (*found, str(compiler.nvrtc.getVersion()))


@pytest.mark.parametrize(
    "macros",
    [
        pytest.param(m, marks=() if m["WORDS"] in FEWEST_AND_MOST[m["SLICED"]] else pytest.mark.thorough)
        for m in STRIPS + SLICES
    ],
    ids=lambda m: "-".join(str(v) for v in m.values()),
)
def test_strips_compile_for_the_card_they_are_tuned_for(accepted, macros):
    _compiles(accepted, "strips.cu", 90, **macros)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("method", [1, 2])
def test_strips_compile_for_every_architecture(accepted, method, arch):
    for tables, keep in product((1, 2), (0, 1)):
        macros = {**ALL, "SLICED": 0, "METHOD": method, "WORDS": 4, "TABLES": tables, "KEEP": keep}
        _compiles(accepted, "strips.cu", arch, **macros)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("method", [1, 2])
@pytest.mark.parametrize("words", [*(pytest.param(n, marks=pytest.mark.thorough) for n in (1, 16)), 4])
def test_refining_compiles_for_every_architecture(accepted, method, words, arch):
    macros = {**ALL, "SLICED": 0, "METHOD": method, "WORDS": words, "TABLES": 1, "KEEP": 1}
    _compiles(accepted, "refine.cu", arch, **macros)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("planes", [2, 3])
def test_slices_compile_for_every_architecture(accepted, planes, arch):
    macros = {**ALL, "SLICED": 1, "METHOD": 2, "WORDS": 16, "PLANES": planes, "KEEP": 1}
    _compiles(accepted, "strips.cu", arch, **macros)
    _compiles(accepted, "align.cu", arch, **macros)


@pytest.mark.parametrize("free", [{"FREE_ROWS": 1, "FREE_COLUMNS": 0}, {"FREE_ROWS": 0, "FREE_COLUMNS": 1}])
@pytest.mark.parametrize("form", [{"SLICED": 0, "TABLES": 1}, {"SLICED": 1, "PLANES": 2}])
def test_strips_with_free_borders_compile(accepted, form, free):
    _compiles(accepted, "strips.cu", 90, **ALL, **form, **free, METHOD=2, WORDS=8, KEEP=0)


FLAGS = (0, 1)
PLAIN = {
    "pack": [{}],
    "kept": [{}],
    "letters": [{}],
    "exact_matches": [{}],
    "kawanami": [{}],
    "yamanaka": [yamanaka.MACROS],
    "pairs": [{"METHOD": method, "WORDS": words} for method, words in product((1, 2, 3), (1, 4))],
    "swaps": [{"METHOD": 3, "WORDS": 1, "KEEP": keep} for keep in FLAGS],
    "kim": [{"NUMBER_BYTES": size, "SHARED": shared} for size, shared in product((2, 4), FLAGS)],
    "radix": [{"WIDE": wide, "VALUES": values} for wide, values in product(FLAGS, FLAGS)],
}


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", PLAIN)
def test_each_of_the_rest_compiles_for_every_architecture(accepted, name, arch):
    for macros in PLAIN[name]:
        _compiles(accepted, f"{name}.cu", arch, **macros)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("part", ["text", "sample", "ranks", "walk"])
def test_the_transform_compiles_for_every_architecture(accepted, part, arch):
    _compiles(accepted, f"bwt_{part}.cu", arch)


SEARCH = [
    {"WORDS": words, "STEP": step, "ROWS": rows, "EDITS": edits, "HELD": held}
    for words, step, rows, edits, held in (
        (1, 4, 1, 0, 0), (2, 4, 1, 0, 0), (4, 4, 1, 0, 0), (4, 1, 1, 0, 1), (4, 1, 4, 1, 0), (4, 1, 2, 0, 0),
        (2, 1, 9, 1, 0), (1, 1, 9, 0, 0),
    )
]  # fmt: skip


@pytest.mark.parametrize("macros", SEARCH, ids=lambda m: "-".join(str(v) for v in m.values()))
def test_search_compiles_for_the_card_it_is_tuned_for(accepted, macros):
    _search(accepted, 90, macros)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_search_compiles_for_every_architecture(accepted, arch):
    for macros in (SEARCH[2], SEARCH[3]):
        _search(accepted, arch, macros)


def _search(accepted, arch, macros):
    copies = CACHE_LINE_BYTES // min(16, 8 * macros["WORDS"])
    more = {"MASKS": MASKS, "COPIES": copies, "THREADS": THREADS}
    _compiles(accepted, "search.cu", arch, **macros, **more)
    _compiles(accepted, "hits.cu", arch)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("letter", [2, 4, 8])
def test_diagonals_compile_for_every_architecture(accepted, letter, arch):
    for method in (1, 2):
        macros = {"METHOD": method, "EACH": 2, "STEPS": 64, "WARPS": 8, "LETTER": letter}
        _compiles(accepted, "diagonals.cu", arch, **macros)
