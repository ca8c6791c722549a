"""What the players' nodes are doing, in words."""

from attrs import frozen

from client.i18n.language import _, _n
from protocol.entries import CloseContent, OpenContent, ShuffleContent, UnlockContent
from protocol.state import State


@frozen
class Doing:
    """A sentence, and how many of `total` players have done their part; 0 where it is one."""

    text: str
    done: int = 0
    total: int = 0


def doing(state: State) -> Doing | None:
    """What the nodes are doing; None while a player thinks, and at the end."""
    due = state.due
    if due is None:
        return None
    name = state.charter.name_of(due.player)
    players = len(state.charter.members)
    done = players - len(state.writers)
    match due.kind:
        case ShuffleContent.kind:
            return Doing(_("{name} shuffles and locks the deck").format(name=name), done, players)
        case UnlockContent.kind:
            count = len(state.owed_slots(due))
            cards = _n("{n} card", "{n} cards", count)
            text = _("{name} is unlocking {cards}").format(name=name, cards=cards)
            return Doing(text, done, players)
        case OpenContent.kind:
            return Doing(_("{name} opens the hand").format(name=name))
        case CloseContent.kind:
            return Doing(_("{name} signs the score").format(name=name), done, players)
        case _:
            return None
