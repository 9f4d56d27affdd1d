"""Texts of the answer line: answer, progress, or a placeholder."""

from __future__ import annotations

import os
from dataclasses import dataclass

from wavediff.app.compare.pair.sequence_loader import CHOICE
from wavediff.app.compare.stepper import NOT_ALIGNED
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.block_map.block_text import until_text
from wavediff.app.ui.kernel_names import kernel_name
from wavediff.app.ui.number_text import compiling_left, compiling_text, percent, rough_duration, stage_text
from wavediff.app.ui.pair import Comparison, Side, named
from wavediff.app.window.session import Session
from wavediff.core.base.errors import capitalized, printable
from wavediff.core.base.numbers import count, duration, number
from wavediff.core.jobs.rearranged import BlockKind
from wavediff.core.jobs.time_left import PLANNED
from wavediff.core.methods import method_of
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.wording import apart_text

PENDING = "Not aligned yet. The alignment appears here when the path is known."
REFUSED = "A and B cannot be compared with these options."


def waiting_text(session: Session) -> str:
    """Return the placeholder for an alignment, or the heading of unaligned letters."""
    if session.running or session.screening.waiting:
        return NOT_ALIGNED if _without_path(session) else PENDING
    if session.loader.busy:
        return _reading(session)
    if session.as_asked and session.wavefront.phase is Phase.STOPPED:
        return "Stopped before the alignment: press Run (Ctrl+R) to start again"
    if session.as_asked and session.wavefront.phase is Phase.FAILED:
        return "No alignment: the comparison failed"
    if session.pair.complete is not None:
        return REFUSED if session.refused else "Not compared yet: press Run (Ctrl+R)"
    missing = [side.value for side in Side if session.pair[side] is None]
    if len(missing) == 2:
        return "Drop two files here, or open them with Ctrl+O"
    return f"{missing[0]} is missing: drop a file here, open one with Ctrl+O, or paste text with Ctrl+V"


def blocks_text(session: Session) -> str:
    """Return the placeholder for blocks or contigs."""
    of, what = (session.contigs, "contigs") if session.placing else (session.blocks, "blocks")
    if of.running:
        return f"The {what} appear here as soon as they are aligned."
    return f"No {what} yet: press Run (Ctrl+R)" if of.answer is None else ""


def list_text(session: Session) -> str:
    """Return the placeholder for the list of differences; empty: the default."""
    if session.apart:
        return blocks_text(session)
    if session.refused:
        return REFUSED
    waits = session.running or session.screening.waiting
    without = session.outcome is not None and session.outcome.result.alignment is None
    if waits and not _without_path(session):
        both = "sequences" if session.choices.chosen.of_letters else "texts"
        return f"The differences appear here as soon as the path is known.\nMeanwhile, search and read both {both}."
    if session.outcome is not None and not session.outcome.job.n_letters:
        return "No differences: A and B have no letters."
    if waits or without:
        return "No difference list: only the distance is computed. Choose a traceback under Options and press Run."
    return ""


def _without_path(session: Session) -> bool:
    run = session.last_run if session.running else None
    return (session.choices.values.get("traceback") if run is None else run.job.path) is TracebackMethod.NONE


def stale_text(session: Session) -> str:
    """Return the note on an outdated answer (other options, another pair, a run without an answer), or empty."""
    if session.outcome is None or (session.apart and not session.loader.busy):
        return ""
    if session.loader.busy:
        return "Result of the previous pair – another one is loading"
    if session.refused:
        return REFUSED
    name = method_of(session.outcome.job).name
    update = "" if session.running or session.screening.waiting else " – press Run to update"
    return f"Previous result ({name}){update}" if session.earlier else ""


def beside_text(session: Session) -> str:
    """Return the note of panels while blocks or contigs are shown, or an empty string."""
    if not session.apart:
        return ""
    return "Not compared globally" if session.outcome is None else "The global comparison"


PROGRAM = "Wavediff"
MAX_TITLE_NAME = 40  # characters
CLOCK_SECONDS = 2.0  # seconds from which on a stage that no one can measure shows its time


@dataclass(frozen=True, slots=True)
class AnswerText:
    """Texts of the answer line.

    Attributes:
        sentence: in large letters. quiet: in small letters after it. tip: tooltip of both.
        faded: the answer has other options than the current ones.
        share: progress, 0 to 1; None: unknown; negative: idle.
    """

    sentence: str = ""
    quiet: str = ""
    tip: str = ""
    faded: bool = False
    share: float | None = -1.0

    @property
    def whole(self) -> str:
        return " · ".join(filter(None, (self.sentence, self.quiet)))


def title_text(session: Session) -> str:
    """Return the window title, distinct for each pair."""
    there = [each for side in Side if (each := session.pair[side]) is not None]
    names = [printable(name or "text", MAX_TITLE_NAME) for name in named(there)]
    if session.placing:
        names[1] = printable(os.path.basename(there[1].source), MAX_TITLE_NAME)
    if len(names) == 2:
        return f"{names[0]} and {names[1]} – {PROGRAM}"
    return f"{names[0]} – {PROGRAM}" if names else PROGRAM


def answer_text(session: Session, stage_seconds: float, effects: str = "") -> AnswerText:
    """Return the texts of the answer line for the session's current state.

    Args:
        stage_seconds: since the start of the current stage. effects: text on the effects of the differences.
    """
    if session.loader.recognizes:
        return AnswerText("Recognizing files…", "Esc stops", share=None)
    if session.loader.busy:
        return _loading(session)
    if session.placing:
        return _contigs(session)
    if session.rearranged:
        return _blocks(session)
    if session.screening.waiting:
        return AnswerText("Checking the pair…", "Esc stops", share=None)
    if session.running:
        return _running(session, stage_seconds)
    match session.wavefront.phase if session.as_asked else Phase.IDLE:
        case Phase.STOPPED:
            return AnswerText(until_text(session.wavefront), _instead(session))
        case Phase.FAILED:
            return AnswerText("The comparison failed", _instead(session))
        case _ if session.outcome is not None:
            return _answer(session, session.outcome, effects)
        case _:
            return _missing(session)


def _blocks(session: Session) -> AnswerText:
    blocks, answer = session.blocks, session.blocks.answer
    if blocks.running:
        share = blocks.share or None
        return AnswerText(blocks.status + (f" {percent(share)}" if share else ""), "Esc stops", share=share)
    if answer is None:
        return AnswerText(blocks.status or "No blocks yet", "press Run (Ctrl+R)")
    sentence, alone = answer.result.text, (answer.result.of(kind) for kind in (BlockKind.ONLY_A, BlockKind.ONLY_B))
    parts = [
        f"{count(sum(block.size[axis] for block in some), 'letter', 'letters')} only in {side}"
        for axis, (side, some) in enumerate(zip(Side, alone, strict=True))
        if some
    ]
    quiet = " · ".join([*parts, duration(blocks.seconds)])
    tip = f"Blocks are chains of {answer.result.seeds}. Each is aligned exactly by {EDIT.name}."
    return AnswerText(capitalized(sentence), quiet, tip)


def _contigs(session: Session) -> AnswerText:
    contigs, answer = session.contigs, session.contigs.answer
    if contigs.running:
        return AnswerText("Placing contigs…", f"{contigs.status} · Esc stops", share=contigs.share or None)
    if answer is None:
        return AnswerText(contigs.status or "Contigs are not placed yet", "press Run (Ctrl+R)")
    result = answer.result
    sentence, _, rest = result.text.partition("; ")
    longest = max((end - start for start, end in result.gaps), default=0)
    edits = sum(one.differences for one in result.placed)
    parts = [rest, f"longest gap {number(longest)}", count(edits, "difference", "differences")] if result.order else []
    return AnswerText(capitalized(sentence), " · ".join([*parts, duration(contigs.seconds)]))


def _reading(session: Session) -> str:
    return f"{CHOICE.capitalize()}…" if session.loader.stage == CHOICE else "Reading…"


def _loading(session: Session) -> AnswerText:
    loader = session.loader
    stop = "Esc stops"
    if not loader.total:
        return AnswerText(_reading(session), " · ".join(filter(None, (loader.name, stop))), share=None)
    share = loader.done / loader.total
    sentence = f"Reading… {percent(share)}"
    return AnswerText(sentence, " · ".join(filter(None, (loader.name, stop))), share=share)


def _running(session: Session, stage_seconds: float) -> AnswerText:
    model = session.wavefront
    stops = "Esc stops and keeps the map"
    if model.compiling is not None:
        step, total = model.compiling.done, model.compiling.total
        if not total:
            return AnswerText(compiling_text(model.compiling), "Esc stops", share=None)
        once = "First start: this is needed only once"
        quiet = " · ".join(filter(None, (compiling_left(model.compiling, stage_seconds), once)))
        return AnswerText(compiling_text(model.compiling), quiet, share=(step - 1) / total)
    other = f" {session.other_run} with the previous options" if session.other_run else ""
    after_cells = model.fraction == 1 and model.stage != "blocks"
    if model.grid is None or after_cells:
        clock = f"{rough_duration(stage_seconds)} so far" if stage_seconds >= CLOCK_SECONDS else ""
        stage = f"Comparing{other}: {kernel_name(model.stage)}…" if after_cells else stage_text(model.stage)
        return AnswerText(" ".join(filter(None, (stage, clock))), stops if after_cells else "Esc stops", share=None)
    rest = model.seconds_left
    left = f" · about {rough_duration(rest)} left" if rest is not None else ""  # seen next to a notice, too
    second = f" {model.stage}" if model.stage in PLANNED and model.stage != "blocks" else ""
    return AnswerText(f"Comparing{other or second}… {percent(model.fraction)}{left}", stops, share=model.fraction)


def _instead(session: Session) -> str:
    before = session.choices.chosen.unknown if session.outcome is None else f"Before: {session.outcome.headline}"
    return f"{before} · press Run to recompute"


def _missing(session: Session) -> AnswerText:
    missing = [side for side in Side if session.pair[side] is None]
    if len(missing) == 1:
        quiet = "drop a file, open one (Ctrl+O) or paste text (Ctrl+V)"
        return AnswerText(f"{missing[0]!s} is missing", quiet)
    again = REFUSED if session.refused else "press Run (Ctrl+R)"
    return AnswerText("Not compared yet", again) if not missing else AnswerText()


def _answer(session: Session, outcome: Comparison, effects: str) -> AnswerText:
    sentence = outcome.headline
    if session.stale:
        quiet = f"of {method_of(outcome.job).name}; {'not with these options' if session.refused else 'press Run'}"
        return AnswerText(sentence, quiet, _tip(session, outcome), faded=True)
    quiet = " · ".join(filter(None, (effects, *outcome.remarks, duration(outcome.result.wall_seconds))))
    return AnswerText(sentence, quiet, _tip(session, outcome))


def _tip(session: Session, outcome: Comparison) -> str:
    """Return the definition of the answer, and technical details of its computation."""
    result, device = outcome.result, session.devices.chosen
    lines = [outcome.method.explanation(result)]
    apart = apart_text(result, outcome.a, outcome.b)
    lines += [capitalized(apart)] if apart else []
    lines += ["Upper and lower case are equal."] if outcome.fold_case else []
    lines += [f"Strategy: {result.strategy}. {capitalized(result.reason)}."]
    lines += [f"Checked: {result.checked}."]
    lines += [session.devices.chosen_text] if device is not None else []
    return "\n".join(lines)
