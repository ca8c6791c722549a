"""What is said when a screen is left."""

import sys
from contextlib import suppress

from client.i18n.language import _
from client.ui.text.broken_lines import fitted


def left_sentence() -> str:
    """How to go on at a table that was left, or interrupted."""
    return _("You have left the table, and nothing is lost. Go on with: {command}").format(
        command="sobremesa solo --continue"
    )


def print_last(sentence: str) -> None:
    """The last sentence, also where the terminal that it would be read on is gone."""
    with suppress(OSError):  # whether it was lost is asked at the end of every command
        print(fitted(sentence, sys.stdout), flush=True)
