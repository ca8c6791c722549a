"""Positions as text, as FEN is to chess: a few lines for where cards lie and what happened.

    canasta 4
    totals 1520 940
    turn 1 play
    pile 9c 4d
    hand 1 Ks Kh 9d ? ?
    meld 1 7h 7d 7s 2c

`spec/notation.md` names every line and its default. This module writes positions,
`engine.notation.position_reader` reads them. Reading what was written gives the same position
again, except for what nobody can see: the faces of hidden cards, and the numbers of slots.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, evolve, field

from engine.cards import Card
from engine.decks import Deck
from engine.errors import CardNotThere
from engine.game import Game
from engine.games import GAMES
from engine.moves import Discard
from engine.notation.cards import copies, copy_mark, gold_twin, read_code
from engine.notation.moves import format_move
from engine.own_lines import SOME_CARD, LineKind, OwnLine
from engine.position import Position
from engine.slots import Seat, Slot, cards_of
from engine.turn import AskedHand, Step

SEEN = "!"
"""Mark behind a card in a hand if everybody has seen that card."""

HIDDEN = "?"
"""Sign for one hidden card, or for a count that is left open."""


def game_of(position: Position) -> Game:
    """Return the game of the position."""
    return next(game for game in GAMES.values() if isinstance(position, game.position))


def lying(position: Position) -> Iterator[Card]:
    """Return the cards whose place is known."""
    yield from cards_of(position.pile)
    for laid in position.laid:
        yield from cards_of(laid.bonus)
        yield from (card for meld in laid.melds for card in cards_of(meld.cards))
    for seat in range(position.seats):
        yield from cards_of(position.hand(Seat(seat)))


def format_position(position: Position) -> str:
    """Return the position as lines of text, or raise ValueError while cards are being dealt."""
    # A round has no stock before its first shuffle is delivered, and some games wait for a cut
    # after that. Both are written as `shuffled`, because the order of the cards is unknown anyway.
    undealt = position.turn.step is Step.DEAL and not position.stock
    if undealt or position.turn.step is Step.CUT:
        lines: Iterable[str] = ("shuffled",)
    elif position.orders:
        raise ValueError("a position can be written only after all its orders are fulfilled")
    else:
        lines = _begun(position)
    return "".join(f"{line.rstrip()}\n" for line in (*_match_lines(position), *lines))


def _match_lines(position: Position) -> Iterator[str]:
    game = game_of(position)
    yield f"{game.name} {position.seats}"
    defaults = dict(game.options().pairs())
    for name, value in position.options.pairs():
        if value != defaults[name]:
            yield f"option {name} {option_text(value)}"
    if position.options.rounds > 1:
        yield f"round {position.number}"
    yield f"totals {_joined(position.totals)}"
    yield f"dealer {position.dealer + 1}"


def option_text(value: bool | int) -> str:
    """Return the value of a house rule as the notation writes it.

    >>> option_text(True), option_text(3000)
    ('yes', '3000')
    """
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _begun(position: Position) -> Iterator[str]:
    """Return the lines of a round in which cards have been dealt."""
    marks = Copies(position.deck)
    turn = position.turn
    yield f"turn {turn.seat + 1} {_joined((turn.step.name.lower(), *_happened(position)))}"
    for seat, hand in enumerate(position.hands, 1):
        yield f"hand {seat} {_hand(position, hand, marks)}"
    if position.pile:
        yield f"pile {marks.write(cards_of(position.pile))}"
    for side, laid in enumerate(position.laid, 1):
        for meld in laid.melds:
            yield f"meld {side} {marks.write(cards_of(meld.cards))}"
        if laid.bonus:
            yield f"bonus {side} {marks.write(cards_of(laid.bonus))}"
    for own in position.own_lines:
        if words := _own_words(position, own):
            yield f"{own.word} {words}"
    yield _stock(position)


def _own_words(position: Position, own: OwnLine) -> str:
    """Return the words of a line that only this game has; "" if the value is the default."""
    value = getattr(position, own.field)
    match own.kind:
        case LineKind.SEATS:
            return _joined(sorted(seat + 1 for seat in value))
        case LineKind.BY_SEAT | LineKind.BY_SIDE:
            return _joined(value) if any(value) else ""
        case LineKind.ONE:
            return str(value) if value else ""
        case LineKind.DISCARDS:
            return _discards(position, own)
        case LineKind.HANDS:
            return str(len(value))
        case LineKind.ASKED:
            return " / ".join(_asked(position, asked) for asked in value)
        case LineKind.CARD:
            # The card came from the pile (B12), so everybody knows it. When it has been laid, it is
            # no longer in `known`, and the line is left out.
            if value not in position.known:
                return ""
            move = Discard(position.known[value])
            return format_move(position, move).split()[1]


def _asked(position: Position, asked: AskedHand) -> str:
    """Return the words of one question: the seat, its cards, and its side's melds at that time.

    A card that is still hidden is written as `?`.
    """
    face_up = {shown.slot: shown.card for shown in position.face_up()}
    faces = (face_up.get(slot) or position.face(slot) for slot in asked.held)
    known = sorted(card for card in faces if card is not None)
    codes = [f"{card.code}:{copy_mark(position.deck, card)}" for card in known]
    hidden = (len(asked.held) - len(known)) * [HIDDEN]
    return _joined((asked.seat + 1, *codes, *hidden, "of", *asked.laid))


def _happened(position: Position) -> Iterator[str]:
    """Return the words for what has happened in the turn."""
    turn = position.turn
    if turn.step is Step.OVER:
        if position.closer is not None:
            yield "out"
    else:
        # Drawn cards that are melded by now make no difference to any rule.
        if drawn := sum(slot in turn.drawn for slot in position.hands[turn.seat]):
            yield f"drew {drawn}"
        if turn.took:
            yield "took"
        # A player who asks again after a No (C75) waits for the new answer; the old one is void.
        if turn.answer is not None and turn.step is not Step.ANSWER:
            yield "yes" if turn.answer else "no"
    if turn.fresh and position.laid[position.side].melds:
        yield "fresh"


def _hand(position: Position, hand: tuple[Slot, ...], marks: "Copies") -> str:
    """Return the cards of a hand as text, with those drawn in this turn at the end.

    If all cards are hidden, return only how many there are.
    """
    if all(position.face(slot) is None for slot in hand):
        return str(len(hand))
    words = []
    # False comes before True, and the sort keeps the order of equal keys.
    for slot in sorted(hand, key=position.turn.drawn.__contains__):
        card = position.face(slot)
        seen = SEEN if slot in position.known else ""
        words.append(HIDDEN if card is None else marks.write((card,)) + seen)
    return " ".join(words)


def _discards(position: Position, own: OwnLine) -> str:
    """Return the last discards as text (K76, K78).

    The result is "" if they are the cards of the pile, or if `inferred` finds them from the pile.
    """
    lying_there: dict[str, Any] = {own.field: cards_of(position.pile)}
    plain = evolve(position, **lying_there)
    # Only the last `seats - 1` discards can block. One more is written to tell the first discard of
    # a round from a later one (K23).
    last, lying, inferred = (
        [HIDDEN if card == SOME_CARD else card.code for card in cards[-position.seats :]]
        for cards in (
            getattr(position, own.field),
            getattr(plain, own.field),
            getattr(plain.inferred(), own.field),
        )
    )
    return "" if last in (lying, inferred) else " ".join(last)


def _stock(position: Position) -> str:
    """Return the line for the stock, with a ? if some cards of the deck lie in no stated place."""
    laid = [shown for laid in position.laid for shown in laid.bonus]
    laid += [shown for laid in position.laid for meld in laid.melds for shown in meld.cards]
    lying = len(position.pile) + len(laid) + sum(map(len, position.hands))
    lying += sum(map(len, position.set_aside))
    open_rest = lying + len(position.stock) != len(position.deck)
    return f"stock {len(position.stock)}{f' {HIDDEN}' if open_rest else ''}"


def _joined(things: Iterable[object]) -> str:
    return " ".join(map(str, things))


@define
class Copies:
    """A record of the cards that are placed already, to read and write codes.

    A code with a mark names its copy: Ks:2. A code without a mark means the lowest copy that is not
    placed yet, so Ks Ks are Ks:1 and Ks:2.
    """

    deck: Deck
    placed: set[Card] = field(factory=set)

    def write(self, cards: Iterable[Card]) -> str:
        """Return the cards as text, and note them as placed."""
        return " ".join(map(self._code, cards))

    def _code(self, card: Card) -> str:
        alike = copies(self.deck, card.code)
        # If Ks:1 is placed, Ks:2 is the lowest copy left, and is written without a mark.
        lowest = next(copy for copy in alike if copy not in self.placed)
        self.placed.add(card)
        return card.code if card == lowest else f"{card.code}:{alike.index(card) + 1}"

    def read(self, word: str) -> Card:
        """Return the card that the word names, and note it as placed.

        Raises NotationError if all such cards are placed already.
        """
        code, mark = read_code(self.deck, word)
        for number, card in enumerate(copies(self.deck, code), 1):
            if mark in (None, number) and card not in self.placed:
                self.placed.add(card)
                return card
        which = f"{code}:{mark}" if mark else code
        gold = gold_twin(code)
        if gold and not self.placed.issuperset(copies(self.deck, gold)):
            raise CardNotThere(
                "There is no further {which} in the deck: one spade of each rank is gold, and is "
                "written {gold}.",
                which=which,
                gold=gold,
            )
        raise CardNotThere(
            "There is no further {which} in the deck: all are placed by now.", which=which
        )
