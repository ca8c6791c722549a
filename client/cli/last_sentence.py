"""The last sentence, printed when a screen is left."""

import sys
from contextlib import suppress

from client.i18n.language import _
from client.ui.text.broken_lines import fitted


def left_sentence() -> str:
    """Return how to continue at a table that was left, or interrupted."""
    return _("You have left the table, and nothing is lost. Go on with: {command}").format(
        command="sobremesa solo --continue"
    )


def print_last(sentence: str) -> None:
    """Print the last sentence, even if the terminal for it is gone."""
    with suppress(OSError):  # every command checks at its end if output was lost
        print(fitted(sentence, sys.stdout), flush=True)
