"""Moves as typed lines: the notation of `engine.notation.moves`, which people may abbreviate.

- A card may be written as its rank alone ("7"), or with "Joker" or "10" in place of a code.
- The pile's top and the number of a cut may be left out.
- Words may be in the person's own language.

This module turns such a line into the full notation, and then parses it.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from client.i18n.card_letters import notation_of, shown_cards, with_letters
from client.ui.model.command_words import line_of, particle
from client.ui.model.controls import Controls
from client.ui.model.hand import Hand
from engine.decks import Deck
from engine.moves import Discard, Move
from engine.notation.cards import copy_mark, with_suit_letters
from engine.notation.moves import parse_move
from engine.position import Position
from engine.slots import Shown
from protocol.errors import LocalError

_NAMES = {"10": "T", "JOKER": "JO", "SWORD": "SW", "SHIELD": "SH", "ARTIFACT": "AR", "POT": "PO"}


class CommandError(LocalError):
    """A line that is no command."""


def legal_lines(controls: Controls) -> tuple[str, ...]:
    """Return the lines of the notation for everything that is legal now.

    While melds are laid out, these are the lines that send them, take them back, or discard. If
    this person cannot move, these are the lines for going on without a missing player.
    """
    hand = controls.moving_hand
    if hand is None:
        ways = (way for way in controls.ways_on if way.decision is not None)
        return tuple(f"agree {way.word}" for way in ways)
    staged = hand.staging.move
    if staged is None:
        return _lines(hand.view, hand.view.legal_moves(hand.seat))
    if hand.staging.refusal is not None:
        return ("undo",)
    after = hand.view.apply(staged)
    discards = [move for move in after.legal_moves(hand.seat) if isinstance(move, Discard)]
    return ("send", "undo", *_lines(after, discards))


def _lines(view: Position, moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line_of(view, move) for move in moves))


def read_move(hand: Hand, word: str, rest: str) -> Move:
    """Return the move that a typed line means, given its first `word` and the `rest`.

    Raises CommandError if a card is not in the hand, and NotationError if the line means no move.
    """
    view = hand.view
    staged = hand.staging.move
    if staged is not None and hand.staging.refusal is None:
        view = view.apply(staged)  # after taking the pile, the player holds the pile's cards, too
    cards = list(hand.cards)
    cards += [shown for shown in view.hand(hand.seat) if shown not in cards]
    cards = [shown for shown in cards if shown.slot not in hand.staging.slots]
    taking = word in ("take", "top")
    text = " ".join([word, *_written_out(rest, cards, view, taking=taking)])
    if word == "cut" and not rest:
        text = f"cut {len(view.stock) // 2}"
    # Melds can be prepared while others move: the line is parsed as if it were this seat's turn.
    return parse_move(evolve(view, turn=evolve(view.turn, seat=hand.seat)), text)


def _written_out(rest: str, hand: list[Shown], view: Position, *, taking: bool) -> Iterator[str]:
    """Yield the words of the full notation, each card of the hand with its copy mark."""
    rest = with_letters(rest).replace("+", " + ").replace(",", " ")
    words = list(_in_notation(rest.split()))
    if taking and words and view.pile and not any(word.startswith("^") for word in words):
        yield f"^{view.pile[-1].card.code}"
    previous = ""
    for word in words:
        # Particles, numbers of melds and the pile's top stay; every other word names a card.
        if previous == "to" or word in ("to", "low", "+") or word.startswith("^") or not hand:
            yield word
        else:
            found = _named(view.deck, hand, word)
            hand.remove(found)
            yield f"{found.card.code}:{copy_mark(view.deck, found.card)}"
        previous = word


def _in_notation(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, with cards and particles replaced by those of the notation.

    A word can be both: in Portuguese "To" is the ten of diamonds, and may be the particle "to". If
    a number follows, the word is the particle.
    """
    for word, following in zip(words, (*words[1:], ""), strict=False):
        card, inner = notation_of(word), particle(word)
        yield inner if inner and (card == word or following.isdigit()) else card


def _named(deck: Deck, hand: list[Shown], word: str) -> Shown:
    """Return the first card of the hand that the word names. Raises CommandError if none is."""
    name = with_suit_letters(word).upper()
    for long, code in _NAMES.items():
        if name.startswith(long):
            name = code + name[len(long) :]
    for shown in hand:
        code, rank = shown.card.code.upper(), shown.card.rank.code.upper()
        if name in (code, rank, f"{code}:{copy_mark(deck, shown.card)}"):
            return shown
    raise CommandError("There is no {word} in your hand.", word=shown_cards(word[:20]))
