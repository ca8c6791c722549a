"""What a table waits for and what has come to pass, in words."""

from collections.abc import Iterator

from attrs import frozen

from client.i18n.language import _, _n
from client.ui.text.absence import proposal_text
from p2p.table.node import Change
from protocol.entries import AbsentContent, CloseContent, OpenContent, ShuffleContent, UnlockContent
from protocol.state import State


@frozen
class Doing:
    """What goes on at the table, and how far it is: `done` of `total` have done their part."""

    text: str
    done: int = 0
    total: int = 0


def doing(state: State) -> Doing | None:
    """What the players' machines are doing; None while somebody thinks, and at the end."""
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


def news(change: Change) -> Iterator[str]:
    """Lines about what a change has brought to an end."""
    before, after = change.before, change.after
    names = [member.name for member in after.charter.members]
    if after.match.seating and not before.match.seating:
        seats = ", ".join(names[player] for player in after.match.seating)
        yield _("The draw seats them so, clockwise: {names}.").format(names=seats)
    if deck_shuffled(before, after):
        shufflers = ", ".join(names[player] for player in after.cards.last.keys)
        yield _("Shuffled by {names}; every proof holds.").format(names=shufflers)
    if after.last is not None and isinstance(after.last.content, AbsentContent):
        told = proposal_text(after.last.content, [m.name for m in before.charter.members])
        yield _("All the others have agreed: {what}.").format(what=told)
        if before.match.round is not None and not before.match.round_over:
            yield _("The round that was not counted is void.")
    if len(after.match.sheets) > len(before.match.sheets):
        yield _("Round {number} is counted and signed by all.").format(
            number=len(after.match.sheets)
        )


def deck_shuffled(before: State, after: State) -> bool:
    """Whether the last shuffle of a deal is done."""
    was, is_ = before.due, after.due
    shuffling = was is not None and was.kind == ShuffleContent.kind
    return shuffling and (is_ is None or is_.kind != ShuffleContent.kind)
