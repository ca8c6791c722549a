"""What happened, in words: moves as parts of sentences, turns as lines."""

from collections.abc import Iterable, Iterator

from attrs import define, field

from client.i18n.language import _, _n
from client.ui.text.console import card_text
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
from protocol.entries import MoveContent
from protocol.state import State


def move_text(before: Position, after: Position, move: Move, *, symbols: bool) -> str:
    """A move as the rest of a sentence whose subject is who made it; "" for one of no interest."""

    def cards(shown: Iterable[Shown]) -> str:
        return " ".join(card_text(s.card, symbols=symbols) for s in shown)

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
class TurnLines:
    """Gathers the moves of a turn into one line, from the changes of a table."""

    symbols: bool
    _player: int | None = field(default=None, init=False)
    _parts: list[str] = field(factory=list, init=False)

    def feed(self, before: State, after: State) -> Iterator[str]:
        """The lines that are complete after this change."""
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
