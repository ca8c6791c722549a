"""Hands of players who asked "May I go out?", read from the line `questions` (C97a)."""

from engine.errors import NotationError
from engine.notation.cards import copy_mark, read_code
from engine.notation.numbers import read_number
from engine.notation.position_writer import HIDDEN
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat, Slot
from engine.turn import AskedHand


def read_asked(position: Position, words: list[str]) -> AskedHand:
    """Return one question, read from its words, or raise NotationError.

    The words are a seat, the cards that it held (wherever they lie now), `of`, and the number of
    cards in each meld of its side at that time. `?` is a card that is still hidden in the hand.
    """
    if "of" not in words:
        raise NotationError(
            "A question has a seat, cards, the word “of”, and counts of melds: 1 7h Ks ? of 3 7."
        )
    end = words.index("of")
    number = read_number(words[:1], 1, position.seats, Sentence("the seat that has asked"))
    seat = Seat(number - 1)
    held: list[Slot] = []
    hidden = [slot for slot in position.hands[seat] if position.face(slot) is None]
    for word in words[1:end]:
        if word != HIDDEN:
            held.append(_slot(position, word, held))
        # Hidden cards are alike, so each `?` stands for the first one that is left.
        elif hidden:
            held.append(hidden.pop(0))
        else:
            raise NotationError(
                "Seat {seat} has fewer hidden cards than that: state more in its hand, or "
                "name the cards that it held.",
                seat=number,
            )
    counts = tuple(
        read_number([word], 0, len(position.deck), Sentence("the cards of a meld"))
        for word in words[end + 1 :]
    )
    return AskedHand(seat, tuple(held), counts)


def _slot(position: Position, word: str, named: list[Slot]) -> Slot:
    """Return the slot of the card that the word names."""
    code, mark = read_code(position.deck, word)
    hands = [shown for hand in range(position.seats) for shown in position.hand(Seat(hand))]
    # Sorted by card number, so that of two equal cards without a mark the lower copy is meant,
    # wherever it lies.
    for shown in sorted((*position.face_up(), *hands), key=lambda each: each.card):
        fits = mark in (None, copy_mark(position.deck, shown.card))
        if shown.card.code == code and fits and shown.slot not in named:
            return shown.slot
    raise NotationError(
        "The seat held a {card} when it asked, but no line says where that card lies now.",
        card=code,
    )
