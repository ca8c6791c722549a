"""The last sentence, which is printed when a screen is left."""

import sys
from contextlib import suppress

from client.i18n.language import _
from client.ui.text.broken_lines import fitted


def left_sentence() -> str:
    """Return the sentence that tells how to continue a table that was left."""
    return _("You have left the table, and nothing is lost. Go on with: {command}").format(
        command="sobremesa solo --continue"
    )


def print_last(sentence: str) -> None:
    """Print the last sentence; do nothing if the terminal is gone."""
    with suppress(OSError):  # `client.cli.main` checks later if output was lost
        print(fitted(sentence, sys.stdout), flush=True)
