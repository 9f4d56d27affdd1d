"""Compile kernels in a child process, so the GUI thread never waits for the compiler.

Numba compiles under the interpreter's lock, 80-460 ms at a time without event handling. Loading the same kernel from
the cache takes 10-20 ms. So after ``start``, a kernel missing from the cache is compiled by
``wavediff.core.run.compile_worker`` in its own process, and callers wait without the lock. Without ``start`` or
``compile_in_parallel`` kernels are compiled where they are needed.

The protocol is lines: names of urgent kernels to the child's standard input, JSON objects with the names of cached
kernels back. The child ends with its input, so it never outlives its parent.

With two cores there are two children, each with its own kernels (``KernelSet``): traceback kernels take as long to
compile as all others of a first comparison. The command line starts a child for traceback kernels only, if it needs
them, and compiles the others itself meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Generator, Iterable, Iterator
from enum import StrEnum

from wavediff.core.jobs.events import Progress, Step
from wavediff.core.system.machine import cores, start_child
from wavediff.core.system.program import ROOT, child_command, child_environment

COMMAND = child_command("compile-kernels")
ON_REQUEST_OPTION = "--asked"  # an argument of the child: compile what is asked for, and nothing beyond
STAGE = "compile"  # ``Progress.stage`` while a kernel is waited for
# Step of a first start in which a kernel is waited for: the letters, the cells, the traceback, shortcuts. The order is
# that of a comparison; a job needs kernels of few steps, but of none beyond the last.
STEPS = {"encode": 1, "subsequence": 1, "verify": 1, "bound": 1, "traceback": 3, "split": 3, "seeds": 4, "diagonals": 4}
OTHER_STEP, N_STEPS = 2, 4
LOWER_PRIORITY = "relax"  # sent when no one waits any more
ALL = "all"  # stands among the names for: nothing is missing
ON_REQUEST = "uint16"  # in names that children compile on request only: of letters wider than bytes
UNKNOWN = "uint32"  # in names that no child knows: of more than 65,536 characters
CHILD_TIMEOUT_SECONDS = 3.0  # seconds; a compiler keeps its process from hearing anything for half a second at most
GRACE_SECONDS = 1.0  # seconds for which a child goes on after the last wait: another choice waits for the same kernels
_POLL_SECONDS = 0.02  # seconds between two looks of whoever waits


class KernelSet(StrEnum):
    """Disjoint set of kernels compiled by one child."""

    EVERYTHING = "everything"
    TRACEBACK = "walks"
    REST = "rest"

    def holds(self, name: str) -> bool:
        """Return whether the lane includes a kernel name (``wavediff.core.jit.warmup``)."""
        return self is KernelSet.EVERYTHING or name.startswith("traceback ") == (self is KernelSet.TRACEBACK)


class BackgroundCompiler:
    """Manages at most one child; all methods are thread-safe.

    Args:
        ready: names of the cached kernels.
        command: command line of the child.
        lane: the kernels that it compiles.
    """

    def __init__(
        self, ready: Iterable[str] = (), command: tuple[str, ...] = COMMAND, lane: KernelSet = KernelSet.EVERYTHING
    ) -> None:
        self.lane = lane
        self._all = f"{ALL} {lane}"
        self._ready = set(ready)
        self._command = command
        self._child: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._closed = self._relaxed = False
        self._waits = 0

    @property
    def pid(self) -> int | None:
        """Process id of the running child, or None."""
        child = self._child
        return None if child is None else child.pid

    @property
    def ready(self) -> set[str]:
        """Names of the cached kernels known so far."""
        return self._ready.copy()

    def has(self, name: str) -> bool:
        return name in self._ready or (self._all in self._ready and ON_REQUEST not in name)

    def begin(self, name: str = "") -> None:
        """Start a child for ``name`` and everything missing, unless one runs or nothing is missing."""
        with self._lock:
            complete = self._all in self._ready
            if self._child is not None or self._closed or (complete and not name):
                return
            try:
                only = (ON_REQUEST_OPTION,) if complete else ()
                child = start_child((*self._command, *only, self.lane), child_environment(), ROOT)
            except (OSError, RuntimeError):  # no process to be had, or no thread at the end of this one
                return  # then it is compiled here: slower to watch, but no less right
            self._child, self._relaxed = child, False
        threading.Thread(target=self._listen, args=(child,), name="wavediff-compiling", daemon=True).start()

    def relax(self) -> None:
        """Lower the child's priority, for kernels needed later."""
        if self._all in self._ready:
            self.stop()
            return
        self._relaxed = True
        self._send_line(LOWER_PRIORITY)

    def expect(self, name: str) -> None:
        """Request ``name`` soon."""
        if not self.has(name):
            self.begin(name)
            self._send_line(name)

    def wait_for(self, step: Step, kernel: str, name: str) -> Generator[Progress, None, None]:
        """Yield until ``name`` is cached, or no child can help.

        Closing the iterator ends the child, unless another wait follows soon, e.g. after a changed option. A child at
        the lowest priority, which cannot be raised, is replaced because the user is waiting.
        """
        if self.has(name):
            return
        if self._relaxed:
            self.stop()
        self.expect(name)
        self._waits += 1
        try:
            while self._child is not None and not self.has(name):
                yield compiling(step, kernel)
                threading.Event().wait(_POLL_SECONDS)
        except GeneratorExit:
            soon = threading.Timer(GRACE_SECONDS, self._stop_after, (self._waits,))
            soon.daemon = True
            soon.start()
            raise

    def _stop_after(self, wait: int) -> None:
        if wait == self._waits:
            self.stop()

    def stop(self) -> None:
        """Ask the child to exit; ``begin`` starts another at once."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None and child.stdin is not None:
            with contextlib.suppress(OSError):
                child.stdin.close()
            threading.Thread(target=_end, args=(child,), name="wavediff-ending", daemon=True).start()

    def close(self) -> None:
        """Stop the child permanently."""
        self._closed = True
        self.stop()

    def _send_line(self, line: str) -> None:
        with self._lock:
            if self._child is not None and self._child.stdin is not None:
                with contextlib.suppress(OSError, ValueError):
                    self._child.stdin.write(f"{line}\n")
                    self._child.stdin.flush()

    def _listen(self, child: subprocess.Popen[str]) -> None:
        assert child.stdout is not None
        assert child.stdin is not None
        for line in child.stdout:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self._ready.update(map(str, json.loads(line)["ready"]))
        child.wait()
        with self._lock:
            if self._child is child:
                self._child = None
            for pipe in (child.stdin, child.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()


def _end(child: subprocess.Popen[str]) -> None:
    try:
        child.wait(CHILD_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


def compiling(step: Step, kernel: str) -> Progress:
    """Return the progress of waiting for ``kernel``; steps only until the first job ends, with an empty cache."""
    done, of = (STEPS.get(kernel, OTHER_STEP), N_STEPS) if not _answered and not _cached else (0, 0)
    return step.progress(f"{STAGE} {kernel}", done, of, "steps")


_answered = False  # the first job is done
_ahead: tuple[BackgroundCompiler, ...] = ()
_cached: frozenset[str] | None = None  # names that the cache held at the start; None: no one knows


def start(ready: Iterable[str]) -> None:
    """Compile by children from now on; ``ready`` as for ``BackgroundCompiler``.

    They start only without cached kernels; otherwise they would slow down the first job.
    """
    global _ahead, _cached, _answered
    _answered = False
    lanes = (KernelSet.REST, KernelSet.TRACEBACK) if cores() > 1 else (KernelSet.EVERYTHING,)
    names = _cached = frozenset(ready)
    _ahead = tuple(BackgroundCompiler(names, lane=lane) for lane in lanes)
    if not names:
        for one in _ahead:
            one.begin()


@contextlib.contextmanager
def compile_in_parallel(ready: frozenset[str]) -> Iterator[None]:
    """Context: if there is a free core, a child compiles traceback kernels while this process compiles the rest.

    The child starts on request, or at once if its lane has no cached kernels, since starting takes a second.
    """
    global _ahead, _cached
    _cached = ready
    one = BackgroundCompiler(ready, (*COMMAND, ON_REQUEST_OPTION), KernelSet.TRACEBACK)
    if cores() > 1:
        _ahead = (one,)
        if not any(map(one.lane.holds, ready)):
            one.begin()
    try:
        yield
    finally:
        _ahead, _cached = (), None
        one.close()


def first_start() -> Progress | None:
    """Return the step of the first compilation, or None if complete.

    Children compile the most urgent kernels first, so a step is passed when one of its kernels is ready.
    """
    if _answered or _cached is None or _cached or all(one.pid is None for one in _ahead):
        return None
    passed = {STEPS.get(name.partition(" ")[0], OTHER_STEP) for one in _ahead for name in one.ready}
    step = next((step for step in range(1, N_STEPS + 1) if step not in passed), None)
    return None if step is None else Progress(0, STAGE, step, N_STEPS, "steps")


def has_children() -> bool:
    """Return whether children compile, so early requests are useful."""
    return bool(_ahead)


def is_available(name: str) -> bool:
    """Return whether ``name`` is usable without waiting; if not, its compilation may start."""
    one = _compiler_of(name)
    if one is None or one.has(name):
        return True
    one.expect(name)
    return False


def is_ready(name: str) -> bool:
    """Return whether a child compiled ``name``."""
    one = _compiler_of(name)
    return one is not None and one.has(name)


def is_cached(name: str) -> bool:
    """Return whether ``name`` is known to be cached."""
    one = _compiler_of(name)
    return one.has(name) if one is not None else _cached is None or name in _cached


def wait_for(step: Step, kernel: str, name: str) -> Generator[Progress, None, None]:
    """Yield while a child compiles ``name``; nothing without children."""
    one = _compiler_of(name)
    if one is not None:
        yield from one.wait_for(step, kernel, name)


def _compiler_of(name: str) -> BackgroundCompiler | None:
    return None if UNKNOWN in name else next((one for one in _ahead if one.lane.holds(name)), None)


def end_first_start() -> None:
    """End the first start: further waits name their kernels."""
    global _answered
    _answered = True


def compile_missing() -> None:
    """Compile missing kernels in addition, when idle."""
    end_first_start()
    for one in _ahead:
        one.begin()
        one.relax()


def pause() -> None:
    """Stop the children before a measurement; they restart on demand."""
    for one in _ahead:
        one.stop()


def close() -> None:
    """Stop the children permanently; later kernels are compiled in this process."""
    for one in _ahead:
        one.close()
