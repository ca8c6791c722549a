"""Sentences about the work of the players' nodes: shuffling, unlocking, opening, signing."""

from attrs import frozen

from client.i18n.language import _, _n
from protocol.entries import CloseContent, OpenContent, ShuffleContent, UnlockContent
from protocol.state import State


@frozen
class NodeActivity:
    """A sentence about the nodes' work, with its progress."""

    text: str
    done: int = 0
    """Number of players who have done their part."""
    total: int = 0
    """Number of players who have a part in the work; 0 where only one has."""


def node_activity(state: State) -> NodeActivity | None:
    """Return what the nodes are doing; None while a player thinks, and after the last entry."""
    due = state.due
    if due is None:
        return None
    name = state.charter.name_of(due.player)
    players = len(state.charter.members)
    done = players - len(state.writers)
    match due.kind:
        case ShuffleContent.kind:
            text = _("{name} shuffles and locks the deck").format(name=name)
            return NodeActivity(text, done, players)
        case UnlockContent.kind:
            count = len(state.owed_slots(due))
            cards = _n("{n} card", "{n} cards", count)
            text = _("{name} is unlocking {cards}").format(name=name, cards=cards)
            return NodeActivity(text, done, players)
        case OpenContent.kind:
            return NodeActivity(_("{name} opens the hand").format(name=name))
        case CloseContent.kind:
            return NodeActivity(_("{name} signs the score").format(name=name), done, players)
        case _:
            return None
