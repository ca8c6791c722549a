"""Moves as values of the codec: `[kind, fields...]`, cards as `[slot, card number]`.

`spec/format.md`, 4, describes the bytes. Decoding checks that every number and list is within its
limits; the engine judges if the move is legal.
"""

from engine.decks import Deck
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
from engine.slots import Shown, Slot
from protocol.codec import Encodable, Fields
from protocol.errors import Malformed

SLOT_LIMIT = (1 << 32) - 1
"""The highest number of a slot (`spec/format.md`, 6)."""


def move_fields(move: Move) -> Encodable:
    """Return the move as a value: the inverse of `take_move`."""
    match move:
        case Cut(number):
            return ("cut", number)
        case ShowBonus(cards):
            return ("bonus", shown_fields(cards))
        case DrawStock():
            return ("draw",)
        case TakePile(plays):
            return ("take", _plays(plays))
        case TakeTop(plays):
            return ("top", _plays(plays))
        case LayMelds(plays):
            return ("meld", _plays(plays))
        case Discard(card):
            return ("discard", _card_fields(card))
        case Ask():
            return ("ask",)
        case Answer(yes):
            return ("answer", yes)
        case Pass():
            return ("pass",)


def take_move(fields: Fields, deck: Deck) -> Move:
    """Return the move that `fields` hold. Raises Malformed."""
    kind = fields.take_text("kind of move", 16)
    move: Move
    match kind:
        case "cut":
            move = Cut(fields.take_int("cut", 0, SLOT_LIMIT))
        case "bonus":
            move = ShowBonus(take_shown(fields, deck))
        case "draw":
            move = DrawStock()
        case "take":
            move = TakePile(_take_plays(fields, deck))
        case "top":
            move = TakeTop(_take_plays(fields, deck))
        case "meld":
            move = LayMelds(_take_plays(fields, deck))
        case "discard":
            move = Discard(_take_card(fields.take_fields("card"), deck))
        case "ask":
            move = Ask()
        case "answer":
            move = Answer(fields.take_bool("answer"))
        case "pass":
            move = Pass()
        case _:
            raise Malformed("There is no move {kind!r}.", kind=kind)
    fields.end()
    return move


def shown_fields(cards: tuple[Shown, ...]) -> Encodable:
    """Return cards with their faces as a value: the inverse of `take_shown`."""
    return [_card_fields(shown) for shown in cards]


def _card_fields(shown: Shown) -> Encodable:
    return (shown.slot, shown.card.number)


def _plays(plays: tuple[Play, ...]) -> Encodable:
    return [(shown_fields(play.cards), play.onto, play.low) for play in plays]


def take_shown(fields: Fields, deck: Deck) -> tuple[Shown, ...]:
    """Take the next field, a list of cards with their faces. Raises Malformed."""
    return tuple(_take_card(item, deck) for item in fields.take_each("cards", len(deck)))


def _take_card(fields: Fields, deck: Deck) -> Shown:
    slot = fields.take_int("slot", 0, SLOT_LIMIT)
    card = fields.take_int("card", 0, len(deck) - 1)
    fields.end()
    return Shown(Slot(slot), deck[card])


def _take_plays(fields: Fields, deck: Deck) -> tuple[Play, ...]:
    return tuple(_take_play(item, deck) for item in fields.take_each("plays", len(deck)))


def _take_play(fields: Fields, deck: Deck) -> Play:
    cards = take_shown(fields, deck)
    # None is a meld of its own, beside those that lie on the table.
    onto = fields.take_optional_int("meld", 0, len(deck))
    low = fields.take_bool("low end")
    fields.end()
    return Play(cards, onto, low)
