"""Context of one computing command: arguments, output files, reporting, cancellation."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from wavediff.app.commands.files import Files, take_outputs, written_line
from wavediff.app.commands.options import encodings_of, read_as_of
from wavediff.app.commands.pictures import pictures_of
from wavediff.app.commands.progress import Reporter
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.export.registry import Format
from wavediff.core.jit import compile_cache, compile_log
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.run.runner import Report, run_job
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.system import signals

ANSWER_INTERVAL_SECONDS = 0.05  # between two looks at whether someone pressed Ctrl+C


class Command:
    """A running command.

    Attributes:
        files, pictures: outputs, which must differ from the ``inputs``.
        reporter: reports progress. cancel: set by Ctrl+C and other requests to end.
        device: the requested one. taken: names of the options valid here; None: all options of the parser.

    Raises:
        WavediffError: a path cannot be written, or pictures cannot be painted here.
    """

    def __init__(self, arguments: argparse.Namespace, formats: Iterable[Format], inputs: tuple[str, ...]) -> None:
        self.arguments, formats = arguments, (*formats,)
        take_outputs(arguments, formats)
        self.files = Files.of(arguments, formats, inputs)
        self.pictures = pictures_of(arguments, inputs)
        self.reporter = Reporter(None if arguments.quiet else sys.stderr, verbose=arguments.verbose)
        compile_log.report = self.reporter.compiling
        self.cancel = CancelToken()
        self.device = Device(getattr(arguments, "device", Device.AUTO))
        self.taken: set[str] | None = None

    @contextmanager
    def working(self) -> Iterator[None]:
        """Turn the first signal into a cancellation request; see ``wavediff.core.system.signals``.

        Reports a missing kernel cache, which makes each start slow. A requested graphics card is initialized while
        files are read and packages imported.
        """
        note = compile_cache.state().note
        if note and not self.arguments.quiet and sys.stderr is not None:
            sys.stderr.write(f"note: {printable(note)}\n")
        if self.device is Device.GPU:
            graphics_cards().wake()  # it is there sooner, and no one waits here
        with signals.handle_first(lambda _number: self.cancel.cancel()):
            try:
                yield
            finally:
                self.reporter.close()
            self.cancel.raise_if_cancelled()

    def run(self, job: Any, device: Device = Device.AUTO, report: Report | None = None) -> Any:
        """Return the result of ``job``; report its events to the reporter, or to ``report``."""
        try:
            return run_job(job, device=device, report=report or self.reporter, cancel=self.cancel)
        finally:
            self.reporter.close()

    def write(self, answer: Any) -> None:
        for told_of in filter(None, (kind.notice_of(answer) for kind in self.files.paths)):
            self.reporter.notice(told_of)
        self.files.write(answer, self.cancel)

    def takes(self, option: str) -> bool:
        return hasattr(self.arguments, option) and (self.taken is None or option in self.taken)

    @property
    def asks(self) -> bool:
        """True if questions can be asked and answered on a terminal."""
        return not self.arguments.quiet and all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr))

    def ask(self, question: str) -> str:
        """Ask ``question`` on the terminal and return the typed line; empty at the end of the input.

        Raises:
            Cancelled: Ctrl+C was pressed instead.
        """
        sys.stderr.write(question)
        sys.stderr.flush()
        typed: list[str] = []
        reader = threading.Thread(target=lambda: typed.append(sys.stdin.readline()), daemon=True)
        reader.start()
        while reader.is_alive():  # a signal does not end the wait for a line
            reader.join(ANSWER_INTERVAL_SECONDS)
            self.cancel.raise_if_cancelled()
        return "".join(typed)

    def tell(self, lines: Iterable[str]) -> None:
        """Write a summary and the names of the written files, unless ``--quiet``."""
        if not self.arguments.quiet:
            written = written_line([*self.files.paths.values(), *self.pictures.paths.values()])
            self.files.tell(chain(lines, written), paged=not self.arguments.no_pager)

    @property
    def encodings(self) -> tuple[str, str]:
        """Encodings of the two files; empty if not given.

        Raises:
            WavediffError: an encoding was given for a file that is read as bytes.
        """
        both = encodings_of(self.arguments)
        if any(name and how is ReadAs.BYTES for name, how in zip(both, self.read_as, strict=True)):
            raise WavediffError("--encoding is one of text: --format bytes reads bytes as they are")
        return both

    @property
    def read_as(self) -> tuple[ReadAs, ReadAs]:
        return read_as_of(self.arguments)
