"""The keys for one's own cards at a table, which have no words to type."""

from attrs import frozen

from client.ui.model.commands.command import Press
from client.ui.model.controls import Controls
from engine.sentences import N_


@frozen
class HandKeys:
    """Keys that share one line of the page of keys: their names as `shown`, and their actions."""

    shown: str
    meaning: str
    actions: tuple[tuple[str, Press], ...] = ()


def _along(by: int) -> Press:
    return lambda controls: controls.move_cursor(by)


def _shift(by: int) -> Press:
    return lambda controls: controls.shift(by)


HAND_KEYS = (
    HandKeys(
        *("← →", N_("go along the cards")),
        (("left", _along(-1)), ("right", _along(1)), ("home", _along(-999)), ("end", _along(999))),
    ),
    HandKeys(
        *(N_("space"), N_("select a card, or no more")),
        tuple((key, Controls.toggle) for key in ("space", "up", "down")),
    ),
    HandKeys(
        *("< >", N_("move the card under the cursor")),
        (("<", _shift(-1)), (">", _shift(1)), ("s-left", _shift(-1)), ("s-right", _shift(1))),
    ),
    HandKeys("!", N_("beside discard: with that card the next player can take the pile")),
    HandKeys("U", N_("take back all that is laid out"), (("U", Controls.undo_all),)),
    HandKeys(N_("Esc"), N_("unselect, close this page"), (("escape", Controls.unselect),)),
    HandKeys(N_("mouse"), N_("click cards, melds, the stock, the pile, and the keys below")),
    HandKeys(N_("Ctrl-C"), N_("leave the table")),
)
