"""Devices for kernels: the answer of a graphics card's driver, and which device the last job got and why."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from wavediff.core.base.numbers import count
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import DeviceChosen, Event, NoticeRaised
from wavediff.core.run.worker import JobWorker
from wavediff.core.system.machine import GraphicsCard, cores

NOT_ASKED = "not checked yet"


class DeviceModel(QObject):
    """Owns the thread that asks the driver: it may take seconds, which neither a file nor a job should wait for.

    Signals:
        changed: what the GPU is, or why it cannot be used, or which device a job got.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reason: str | None = NOT_ASKED
        self.card: GraphicsCard | None = None
        self.chosen: DeviceChosen | None = None
        self._asked: type | None = None
        self._job_id = 0
        self._asker = JobWorker("device", self)
        self._asker.probed.connect(self._probed)

    @property
    def asked(self) -> bool:
        """Return whether the driver was asked already, whatever it says."""
        return self._asked is not None

    def ask(self, job_type: type) -> None:
        """Find out whether the GPU can run such jobs; ``changed`` tells."""
        self._asked = job_type
        self._asker.probe(job_type)

    def start(self, job_id: int) -> None:
        """Listen to this job; nothing is known of its device yet."""
        self._job_id, self.chosen = job_id, None
        self.changed.emit()

    @Slot(object)
    def apply(self, event: Event) -> None:
        if event.job_id != self._job_id:
            return
        if isinstance(event, DeviceChosen):
            self.chosen = event
            self.changed.emit()
        elif isinstance(event, NoticeRaised) and self._asked is not None:
            self.ask(self._asked)  # a card that failed is not used again

    @Slot(object, object, object)
    def _probed(self, job_type: type, reason: str | None, card: GraphicsCard | None) -> None:
        if job_type is self._asked:
            self.reason, self.card = reason, card
            self.changed.emit()

    def name(self, device: Device) -> str:
        if device is Device.AUTO:
            return "Auto"
        if device is Device.CPU:
            n = cores()
            return f"CPU ({count(n, 'core', 'cores')})"
        if self.reason is not None:
            return f"GPU — {self.reason}"
        return f"GPU — {self.card}" if self.card is not None else "GPU"

    def facts(self) -> str:
        """Return what stands behind the choices, a line each."""
        lines = ["Where the kernels run; Auto takes what is likely to be done first."]
        if self.reason is not None:
            lines.append(f"GPU not used: {self.reason}")
        elif self.card is not None:
            major, minor = self.card.capability
            lines.append(f"GPU ready: {self.card!s}, compute capability {f'{major}.{minor}'}")
        return "\n".join(lines)

    def tip(self) -> str:
        """Return the facts, and where the last run was and why."""
        return self.facts() if self.chosen is None else "\n".join((self.facts(), f"Last run {self.chosen_text}"))

    @property
    def chosen_text(self) -> str:
        """Device of the last job, and the reason; empty where it had no choice."""
        chosen = self.chosen
        return "" if chosen is None else f"on the {chosen.device.upper()}: {chosen.reason}"

    def close(self) -> bool:
        """End the thread; False when the driver still does not answer."""
        return self._asker.close()
