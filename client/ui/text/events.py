"""Texts on what happens at a table: a move is a part of a sentence, and news are whole lines.

Other sentences tell what the players' nodes are doing: shuffling, unlocking, opening, signing.
"""

from collections.abc import Iterable, Iterator

from attrs import frozen

from client.i18n.card_letters import card_face
from client.i18n.language import _, _n, capital, with_and
from client.session.display.snapshot import LogLine
from client.ui.text.absence import gone_text
from engine import moves
from engine.hands_set_aside import taken_up
from engine.moves import Move
from engine.orders import Deal
from engine.position import Position
from engine.slots import Shown
from protocol.entries import CloseContent, MoveContent, OpenContent, ShuffleContent, UnlockContent
from protocol.state import State
from protocol.table.tasks import Change


def move_text(before: Position, after: Position, move: Move, *, symbols: bool) -> str:
    """Return a move as the rest of a sentence about its player; "" for ShowBonus without cards."""

    def cards(shown: Iterable[Shown]) -> str:
        return " ".join(card_face(s.card, symbols=symbols) for s in shown)

    def plays(plays: tuple[moves.Play, ...]) -> str:
        melds = before.laid[before.side].melds
        return ", ".join(
            _("melds {cards}").format(cards=cards(play.cards))
            if play.onto is None
            else _("adds {cards} to {meld}…").format(
                cards=cards(play.cards), meld=cards(melds[play.onto].cards[:1])
            )
            for play in plays
        )

    match move:
        case moves.Cut(number):
            return _("cuts the deck at {number}").format(number=number)
        case moves.ShowBonus(shown):
            return _bonus_text(cards(shown), _drawn(after)) if shown else ""
        case moves.DrawStock():
            return _draw_text(_drawn(after), before.draws)
        case moves.TakePile(laid):
            taken = _taking_text(len(before.takes), len(before.pile))
            return f"{taken}, {plays(laid)}" if laid else taken
        case moves.TakeTop(laid):
            return _("takes the top card, {melds}").format(melds=plays(laid))
        case moves.LayMelds(laid):
            return plays(laid)
        case moves.Discard(shown):
            return _("discards {card}").format(card=cards([shown]))
        case moves.Ask():
            return _("asks “May I go out?”")
        case moves.Answer(yes):
            return _("is answered “Yes”") if yes else _("is answered “No”")
        case moves.Pass():
            return _("goes no further")


def _taking_text(taken: int, lying: int) -> str:
    """Return the text for taking the pile, or a part of it."""
    if taken == lying:
        return _("takes the pile of {count}").format(count=lying)
    return _n("takes {n} card of the pile", "takes {n} cards of the pile", taken)


def _drawn(after: Position) -> int:
    """Return how many cards a move has ordered from the stock."""
    return sum(len(order.gives) for order in after.orders if isinstance(order, Deal))


def _draw_text(drawn: int, usual: int) -> str:
    """Return the text of a draw: cards beyond the usual number replace bonus cards (C63)."""
    if drawn <= usual:
        return _("draws") if drawn == 1 else _n("draws {n} card", "draws {n} cards", drawn)
    return _n(
        "draws {all}, {n} for a bonus card",
        "draws {all}, {n} for bonus cards",
        drawn - usual,
        all=drawn,
    )


def _bonus_text(cards: str, drawn: int) -> str:
    """Return the text for laying bonus cards, with the number of cards drawn for them at once."""
    if not drawn:
        return _("lays {cards}").format(cards=cards)
    return _n(
        "lays {cards} and draws {n} for it",
        "lays {cards} and draws {n} for them",
        drawn,
        cards=cards,
    )


def log_lines(change: Change, *, symbols: bool) -> Iterator[LogLine]:
    """Yield the lines of the log about a change at a table, one for each thing that happened."""
    before, after = change.before, change.after
    if change.taken_back:
        yield LogLine(_taken_back(change.taken_back))
    if change.continues:
        yield LogLine(capital(continuation_text(before, after)) + ".")
    yield from _move_lines(before, after, symbols=symbols)
    for sentence in _news(before, after):
        yield LogLine(sentence)
    # A continuation deals the round again, unless the hands were already being opened.
    dealt_anew = change.continues and after.match.round and not before.match.opening
    if after.match.round_number > before.match.round_number or dealt_anew:
        number = after.match.round_number
        yield LogLine(_("round {number}").format(number=number), heading=True)


def _move_lines(before: State, after: State, *, symbols: bool) -> Iterator[LogLine]:
    content = after.last.content if after.last else None
    old, new = before.match.round, after.match.round
    if not isinstance(content, MoveContent):
        return
    assert old is not None
    assert new is not None
    name = before.charter.name_of(before.match.player_at(old.turn.seat))
    if text := move_text(old, new, content.move, symbols=symbols):
        yield LogLine(text, name)
    if taking := taken_up(old, new):
        yield LogLine(_(taking), name)
    if new.closer == old.turn.seat:
        yield LogLine(_("goes out"), name)


def _taken_back(steps: int) -> str:
    return _n(
        "{n} step is taken back: the others had gone on from an earlier step.",
        "{n} steps are taken back: the others had gone on from an earlier step.",
        steps,
    )


def continuation_text(before: State, after: State) -> str:
    """Return who is gone, and what happens to their seats and to the round.

    The text begins with a small letter and has no full stop.
    """
    continues = after.charter.continues
    assert continues is not None, "it is a continuation"
    names = [member.name for member in before.charter.members]
    gone = [names[player] for player in continues.left]
    new = () if continues.ends else [after.charter.name_of(player) for player in continues.left]
    parts = [gone_text(gone, new), _round_text(before, after)]
    return "; ".join(filter(None, parts))


def _round_text(before: State, after: State) -> str:
    """Return what happens to the round; "" if none is being played."""
    if before.match.opening:
        return _("the round stands, and the hand of the missing player stays closed (X24)")
    if before.match.round_over:
        return _("the round stands")
    if before.match.round is None:
        return ""
    if len(after.match.sheets) > len(before.match.sheets):
        return _("the round is counted as the cards lie (X25)")
    return _("the round is dealt again")


def _news(before: State, after: State) -> Iterator[str]:
    """Yield lines about what has been completed: the seat draw, a shuffle, a round."""
    names = [member.name for member in after.charter.members]
    if after.match.seating and not before.match.seating:
        seats = with_and(names[player] for player in after.match.seating)
        yield _("The draw has decided the seats, clockwise: {names}.").format(names=seats)
    if _deck_shuffled(after):
        shufflers = with_and(names[player] for player in after.cards.last.keys)
        yield _("Shuffled by {names}; every proof holds.").format(names=shufflers)
    same_table = after.table_id == before.table_id
    if same_table and len(after.match.sheets) > len(before.match.sheets):
        yield _("Round {number} is counted and signed by all.").format(
            number=len(after.match.sheets)
        )


def _deck_shuffled(after: State) -> bool:
    """Return True if the newest entry is the last shuffle of a deal."""
    shuffled = after.last is not None and isinstance(after.last.content, ShuffleContent)
    return shuffled and (after.due is None or after.due.kind != ShuffleContent.kind)


# -- the work of the nodes


@frozen
class NodeActivity:
    """A sentence about the nodes' work, with its progress."""

    text: str
    done: int = 0
    """Number of players who have done their part."""
    total: int = 0
    """Number of players who have a part in the work; 0 if only one has."""


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
