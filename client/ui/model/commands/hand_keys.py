"""The keys for one's own cards at a table, which have no words to type."""

from collections.abc import Mapping

from client.ui.model.commands.table_commands import Press
from client.ui.model.controls import Controls
from engine.sentences import N_


def _along(by: int) -> Press:
    return lambda controls: controls.move_cursor(by)


def _shift(by: int) -> Press:
    return lambda controls: controls.shift(by)


HAND_KEYS: tuple[tuple[str, str, Mapping[str, Press]], ...] = (
    (
        *("← →", N_("go along the cards")),
        {"left": _along(-1), "right": _along(1), "home": _along(-999), "end": _along(999)},
    ),
    (
        *(N_("space"), N_("select a card, or no more")),
        dict.fromkeys(("space", "up", "down"), Controls.toggle),
    ),
    (
        *("< >", N_("move the card under the cursor")),
        {"<": _shift(-1), ">": _shift(1), "s-left": _shift(-1), "s-right": _shift(1)},
    ),
    ("!", N_("beside discard: with that card the next player can take the pile"), {}),
    ("U", N_("take back all that is laid out"), {"U": Controls.undo_all}),
    (N_("Esc"), N_("unselect, close this page"), {"escape": Controls.unselect}),
    (N_("mouse"), N_("click cards, melds, the stock, the pile, and the keys below"), {}),
    (N_("Ctrl-C"), N_("leave the table"), {}),
)
"""The lines of the page of keys: names of keys, their meaning, and the action of each key."""
