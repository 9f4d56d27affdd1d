"""Kernels are called without Numba by the types that it compiled them for, and with it where that cannot be."""

import subprocess
import sys
from typing import Any, NamedTuple
from unittest.mock import Mock

import numba
import numpy as np
import pytest

from tests.core.test_quiet_numba import ARRAYS
from wavediff.core.jit import compile_cache, kernel_cache, object_code
from wavediff.core.system.program import CHECKOUT_PACKAGE


class Pair(NamedTuple):
    """Two values under names."""

    first: Any
    second: Any


class Other(NamedTuple):
    """The same under another name."""

    first: Any
    second: Any


WORDS = np.arange(6, dtype=np.uint64)
VALUES: dict[str, Any] = {
    **ARRAYS,
    **{f"scalar {one}": np.ones(1, one)[0] for one in ("?", "i1", "u1", "i4", "u4", "i8", "u8", "f4", "f8")},
    "int": 3, "negative": -(1 << 63), "largest": (1 << 63) - 1, "float": 0.5, "bool": True,
    "None": None, "text": "ACGT", "complex": 1j, "empty": (), "tuple": (1, 2.0), "nested": ((1, 2), WORDS, (None,)),
    "named": Pair(1, WORDS), "other": Other(1, WORDS), "named in a tuple": (Pair(WORDS, WORDS), 1),
    "text in it": (1, "A"), "unaligned": np.zeros(17, np.uint8)[1:].view(np.uint64),
}  # fmt: skip


def text(value):
    return object_code.kind_text(object_code.kind(value))


@pytest.mark.parametrize("writeable", [True, False])
@pytest.mark.parametrize("name", VALUES)
def test_an_argument_is_looked_for_by_the_name_of_its_type(name, writeable, monkeypatch):
    value = VALUES[name]
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = writeable
    read = Mock(return_value=None)
    monkeypatch.setattr(compile_cache, "read", read)
    object_code.load(text, (object_code.kind(value),))
    kernel_cache.KernelCache(text).load_overload((numba.typeof(value),), None)
    named = [call.args for call in read.call_args_list]
    assert named[0] == named[-1]
    assert len(named) == 1 + (text(value) is not None)


def test_an_integer_that_is_no_int64_is_left_to_numba():
    assert text(1 << 63) is text(-(1 << 63) - 1) is None


def test_values_of_one_text_have_one_type():
    types: dict[str, set[Any]] = {}
    for value in VALUES.values():
        if (found := text(value)) is not None:
            types.setdefault(found, set()).add(numba.typeof(value))
    assert len(types) > 25
    assert {len(one) for one in types.values()} == {1}


KERNELS = """
from typing import NamedTuple
import numpy as np
from wavediff.core.jit.decorators import jit

class Pair(NamedTuple):
    first: int
    second: int

@jit
def arrays(n):
    return np.full(n, 7, np.uint8), np.zeros((2, n), np.int64)

@jit
def named(pair):
    return Pair(pair.second, pair.first)

@jit
def raising(x):
    if x:
        raise ValueError("raised in compiled code")
    return x

@jit
def scalars(flag, number, word, nothing):
    return not flag, number / 2, word + np.uint64(1), nothing

@jit
def later(x):
    return -x

@jit
def calls(x):
    return later(x) + 1
"""
CALLS = """
import sys
sys.path[:0] = sys.argv[1:3]
from wavediff.core.jit import compile_cache
compile_cache.prepare()
exec(sys.argv[3])
import kernels, numpy as np
def tried(x):
    try:
        return kernels.raising(x)
    except ValueError as error:
        return str(error)
one, two = kernels.arrays(3)
print(one.tolist(), one.dtype, two.tolist(), two.flags.writeable, type(one).__name__)
print(kernels.named(kernels.Pair(1, 2)), kernels.scalars(True, 5, np.uint64(2**63), None), tried(0), tried(1), tried(0))
print(kernels.calls(4))
print("numba" in sys.modules, file=sys.stderr)
print(kernels.later(2), kernels.calls(x=5), kernels.later(2.5), kernels.later(np.float32(1)))
"""


def run(folder, before=""):
    done = subprocess.run(
        [sys.executable, "-B", "-c", CALLS, str(CHECKOUT_PACKAGE), str(folder), before],
        env={"WAVEDIFF_CACHE_DIR": str(folder / "cache"), "PATH": ""},
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return done.stdout.splitlines(), done.stderr.splitlines()[-1:]


EXPECTED = [
    "[7, 7, 7] uint8 [[0, 0, 0], [0, 0, 0]] True ndarray",
    "Pair(first=2, second=1) (False, 2.5, 9223372036854775809, None) 0 raised in compiled code 0",
    "-3",
    "-2 -4 -2.5 -1.0",
]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels.py").write_text(KERNELS)
    assert run(folder) == (EXPECTED, ["True"])
    return folder


def test_a_cached_kernel_does_all_without_numba(compiled):
    """It returns arrays, named tuples and None, and raises, as it does where Numba compiled it."""
    assert run(compiled) == (EXPECTED, ["False"])


@pytest.mark.parametrize(
    "missing", ["object_code._EXTENSIONS = ('numba._helperlib', 'numba._gone')", "object_code._linker = lambda: None"]
)
def test_where_numba_is_another_inside_it_loads_the_kernels(compiled, missing):
    assert run(compiled, f"from wavediff.core.jit import object_code; {missing}") == (EXPECTED, ["True"])
