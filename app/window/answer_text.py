"""Words of the answer line: the answer, or how far it is."""

from __future__ import annotations

from dataclasses import dataclass

from app.ui.block_map.block_map import Phase
from app.ui.block_map.block_text import until_text
from app.ui.comparison import Comparison
from app.ui.number_text import (
    compiling_left,
    compiling_text,
    duration,
    grouped,
    percent,
    rough_duration,
    speed,
    stage_text,
)
from app.ui.pair import Side
from app.window.session import Session
from core.base.errors import printable
from core.base.translate import tr
from core.methods import method_of
from core.methods.wording import apart_text

PROGRAM = "Wavediff"
MAX_TITLE_NAME = 40  # characters
CLOCK_SECONDS = 2.0  # seconds from which on a stage that nobody can measure shows its time


@dataclass(frozen=True, slots=True)
class AnswerText:
    """Words of the answer line.

    Attributes:
        sentence: the large words. quiet: those behind. tip: what stands behind them.
        faded: whether the answer is one of other choices than those of now.
        share: how far a run or a file is, 0 to 1; None: nobody knows; negative: nothing is waited for.
    """

    sentence: str = ""
    quiet: str = ""
    tip: str = ""
    faded: bool = False
    share: float | None = -1.0

    @property
    def whole(self) -> str:
        """All words, as they are copied and read out."""
        return " · ".join(filter(None, (self.sentence, self.quiet)))


def title_text(session: Session) -> str:
    """Return the title of the window: two windows can be told apart by it."""
    names = [
        printable(each.name or tr("text"), MAX_TITLE_NAME) for side in Side if (each := session.pair[side]) is not None
    ]
    if len(names) == 2:
        return tr("{a} and {b} – {program}", a=names[0], b=names[1], program=PROGRAM)
    return tr("{name} – {program}", name=names[0], program=PROGRAM) if names else PROGRAM


def answer_text(session: Session, stage_seconds: float) -> AnswerText:
    """Return the words of now.

    Args:
        stage_seconds: since the stage of the run that is under way began.
    """
    if session.loader.busy:
        return _loading(session)
    if session.screening.waiting:
        return AnswerText(tr("Looking at the pair…"), tr("Esc stops"), share=None)
    if session.running:
        return _running(session, stage_seconds)
    match session.wavefront.phase:
        case Phase.STOPPED:
            return AnswerText(until_text(session.wavefront), _instead(session))
        case Phase.FAILED:
            return AnswerText(tr("The comparison failed"), _instead(session))
        case _ if session.outcome is not None:
            return _answer(session, session.outcome)
        case _:
            return _missing(session)


def _loading(session: Session) -> AnswerText:
    loader = session.loader
    stop = tr("Esc stops")
    if not loader.total:
        return AnswerText(tr("Reading…"), " · ".join(filter(None, (loader.name, stop))), share=None)
    share = loader.done / loader.total
    sentence = tr("Reading… {share}", share=percent(share))
    return AnswerText(sentence, " · ".join(filter(None, (loader.name, stop))), share=share)


def _running(session: Session, stage_seconds: float) -> AnswerText:
    model = session.wavefront
    stops = tr("Esc stops and keeps the map")
    if model.compiling is not None:
        step, total = model.compiling.done, model.compiling.total
        once = tr("First start: this is needed only once")
        quiet = " · ".join(filter(None, (compiling_left(model.compiling, stage_seconds), once)))
        return AnswerText(compiling_text(model.compiling), quiet, share=(step - 1) / total)
    if model.grid is None:
        clock = rough_duration(stage_seconds) if stage_seconds >= CLOCK_SECONDS else ""
        sentence = " ".join(filter(None, (stage_text(model.stage), clock)))
        return AnswerText(sentence, tr("Esc stops"), share=None)
    rest = model.seconds_left
    parts = [tr("about {time} left", time=rough_duration(rest))] if rest is not None else []
    sentence = tr("Comparing… {share}", share=percent(model.fraction))
    return AnswerText(sentence, " · ".join([*parts, stops]), share=model.fraction)


def _instead(session: Session) -> str:
    """Return what is left of a run that did not end: an answer of before, or none."""
    if session.outcome is None:
        unknown, again = tr(session.choices.chosen.unknown), tr("Run starts again")
        return f"{unknown} · {again}"
    return tr("Before: {answer} · Run starts again", answer=session.outcome.headline)


def _missing(session: Session) -> AnswerText:
    missing = [side for side in Side if session.pair[side] is None]
    if len(missing) == 1:
        quiet = tr("drop a file, open one (Ctrl+O) or paste text (Ctrl+V)")
        return AnswerText(tr("{side} is missing", side=str(missing[0])), quiet)
    return AnswerText(tr("Not compared yet"), tr("press Run (Ctrl+R)")) if not missing else AnswerText()


def _answer(session: Session, outcome: Comparison) -> AnswerText:
    sentence = outcome.headline
    if session.stale:
        quiet = tr("of {method}; press Run", method=tr(method_of(outcome.job).name))
        return AnswerText(sentence, quiet, _tip(session, outcome), faded=True)
    quiet = " · ".join([*outcome.remarks, duration(outcome.result.wall_seconds)])
    return AnswerText(sentence, quiet, _tip(session, outcome))


def _tip(session: Session, outcome: Comparison) -> str:
    """Return the definition of the answer, and how it was computed: machine words are for here."""
    result, device = outcome.result, session.devices.chosen
    reason = tr(result.reason)
    reason = f"{reason[:1].upper()}{reason[1:]}"
    lines = [outcome.method.explanation(result)]
    lines += [apart_text(result)] if apart_text(result) else []
    lines += [tr("Upper and lower case are equal.")] if outcome.fold_case else []
    lines += [tr("Strategy: {strategy}. {reason}.", strategy=result.strategy, reason=reason)]
    rate = result.cells / result.kernel_seconds / 1e9 if result.kernel_seconds > 0 else 0.0
    cells = tr("{computed} of {cells} cells computed", computed=grouped(result.cells), cells=grouped(result.n_cells))
    lines += [f"{cells}, {speed(rate)}." if rate else f"{cells}."]
    lines += [session.devices.chosen_text] if device is not None else []
    return "\n".join(lines)
