"""What happened at a table, in words: moves as parts of sentences, turns and news as lines."""

from collections.abc import Iterable, Iterator

from attrs import define, field

from client.i18n.card_letters import card_face
from client.i18n.language import _, _n
from client.ui.text.absence import proposal_text
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
    TakeTop,
)
from engine.orders import Deal
from engine.position import Position
from engine.slots import Shown
from engine.turn import Step
from p2p.table.changes import Change
from protocol.entries import AbsentContent, MoveContent, ShuffleContent
from protocol.state import State


def move_text(before: Position, after: Position, move: Move, *, symbols: bool) -> str:
    """A move as the rest of a sentence whose subject is who made it; "" for one of no interest."""

    def cards(shown: Iterable[Shown]) -> str:
        return " ".join(card_face(s.card, symbols=symbols) for s in shown)

    def plays(plays: tuple[Play, ...]) -> str:
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
        case Cut(number):
            return _("cuts the deck at {number}").format(number=number)
        case ShowBonus(shown):
            return _("lays {cards}").format(cards=cards(shown)) if shown else ""
        case DrawStock():
            drawn = sum(len(order.gives) for order in after.orders if isinstance(order, Deal))
            return _("draws") if drawn == 1 else _("draws {count}").format(count=drawn)
        case TakePile(laid):
            taken = _("takes the pile of {count}").format(count=len(before.pile))
            return f"{taken}, {plays(laid)}" if laid else taken
        case TakeTop(laid):
            return _("takes the top card, {melds}").format(melds=plays(laid))
        case LayMelds(laid):
            return plays(laid)
        case Discard(shown):
            return _("discards {card}").format(card=cards([shown]))
        case Ask():
            return _("asks “May I go out?”")
        case Answer(yes):
            return _("is answered “Yes”") if yes else _("is answered “No”")
        case Pass():
            return _("goes no further")


@define
class Narrator:
    """Turns the changes of a table into lines: a turn in one line, and what is over and done."""

    symbols: bool
    _player: int | None = field(default=None, init=False)
    _parts: list[str] = field(factory=list, init=False)

    def feed(self, change: Change) -> Iterator[str]:
        """The lines that are complete after this change."""
        yield from self._turn(change.before, change.after)
        yield from _news(change.before, change.after)

    def _turn(self, before: State, after: State) -> Iterator[str]:
        content = after.last.content if after.last else None
        old, new = before.match.round, after.match.round
        if not isinstance(content, MoveContent) or old is None or new is None:
            return
        player = before.match.player_at(old.turn.seat)
        if player != self._player:
            yield from self._flush(before)
            self._player = player
        if text := move_text(old, new, content.move, symbols=self.symbols):
            self._parts.append(text)
        if new.turn.step is Step.OVER and new.closer == old.turn.seat:
            self._parts.append(_("goes out"))
        if new.turn.step is Step.OVER or new.turn.seat != old.turn.seat:
            yield from self._flush(after, len(new.hands[old.turn.seat]))

    def _flush(self, state: State, left: int | None = None) -> Iterator[str]:
        if self._parts and self._player is not None:
            name = state.charter.name_of(self._player)
            held = "" if left is None else " — " + _n("{n} card left", "{n} cards left", left)
            yield f"{name} {', '.join(self._parts)}{held}"
        self._parts.clear()
        self._player = None


def _news(before: State, after: State) -> Iterator[str]:
    """Lines about what has been completed: the seat draw, a shuffle, an absence, a round."""
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
