"""Help formatters."""

from __future__ import annotations

import argparse


class Formatter(argparse.HelpFormatter):
    """Formatter that names the value once: ``-m, --method METHOD``, as Python 3.13 does."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"


class RawFormatter(Formatter, argparse.RawDescriptionHelpFormatter):
    """``Formatter`` that preserves the line ends of description and epilog."""
