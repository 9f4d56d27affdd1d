"""Find, join and compile the CUDA sources that ship in gpu/cuda."""

from __future__ import annotations

from importlib.resources import files

CUDA = files("wavediff.gpu") / "cuda"
SHARED = ("words.cuh",)
STRIPS = ("place_times.cuh", "matrix.cuh", "columns.cuh", "staggered.cuh", "sliced.cuh")
PAIRS = ("pair_columns.cuh",)
# Of some units only, after the shared ones.
HEADERS = {"strips.cu": STRIPS, "align.cu": STRIPS, "refine.cu": STRIPS, "pairs.cu": PAIRS, "swaps.cu": PAIRS}
HEADERS |= {f"bwt_{part}.cu": ("bwt.cuh",) for part in ("text", "sample", "ranks", "walk")}
HEADERS |= dict.fromkeys(("radix.cu", "yamanaka.cu"), ("bwt.cuh",))
HEADERS["search.cu"] = ("automaton.cuh",)
HEADERS["kawanami.cu"] = ("place_times.cuh",)


def text(name: str) -> str:
    """Return one translation unit: the shared headers, then ``name``, with #line marks.

    CuPy's compile cache is keyed by the source text and the options, not by the files an #include pulls in, so
    headers are joined here instead of included.
    """
    units = (*SHARED, *HEADERS.get(name, ()), name)
    return "\n".join(f'#line 1 "{unit}"\n{(CUDA / unit).read_text(encoding="utf-8")}' for unit in units)


def options(**macros: int) -> tuple[str, ...]:
    """Return the compiler's options for these macros, sorted: the same set always gives the same cache key."""
    return ("-std=c++17", *(f"-D{name}={value}" for name, value in sorted(macros.items())))
