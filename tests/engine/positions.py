"""Positions built from card codes, so that a test of a clause has only the relevant cards.

    table = table_of("canasta", hands=["5h 5d 2s 2h Kc"], melds=[["7h 7d 7s"]])
    assert table.refusal(table.lay("5h 2s 2h")) == "C26"
    after = table.apply(table.lay("5h 5d 2s"))

Codes are those printed on the cards ("Ks", "Td", "Kg", "Jo"), separated by spaces. Of equal cards,
the one with the lowest number that has no place yet is used. Nothing checks that the cards of a
built position make up the whole deck.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Self

from attrs import evolve, frozen

from engine.cards import Card, Rank
from engine.decks import Deck
from engine.errors import IllegalMove
from engine.games import game_named
from engine.melds import Laid, Meld
from engine.moves import (
    Cut,
    Discard,
    LayMelds,
    Move,
    Pass,
    Play,
    TakePile,
)
from engine.orders import OpenHand
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Shown, Slot
from engine.turn import Step, Turn

TOP = "^"  # in the codes of a play: the top of the discard pile

_NEVER_FILLERS = (Rank.THREE, Rank.POT)
_LAST_DEALT = (Rank.TWO, Rank.THREE, Rank.JOKER)


@frozen
class Table:
    """A position in which all hands are visible, with a dealer who knows the stock."""

    position: Position
    cards: Mapping[Slot, Shown]

    # -- naming cards and moves

    def hand(self, codes: str, seat: int | None = None) -> tuple[Shown, ...]:
        """Return cards by their codes from the hand of `seat`, or of the seat whose turn it is."""
        owner = self.position.turn.seat if seat is None else Seat(seat)
        left = list(self.position.hand(owner))
        found = []
        for code in codes.split():
            if code == TOP:
                found.append(self.position.pile[-1])
                continue
            shown = next(shown for shown in left if shown.card.code == code)
            left.remove(shown)
            found.append(shown)
        return tuple(found)

    def play(self, codes: str, onto: int | None = None, *, low: bool = False) -> Play:
        """Return a play of cards in the hand; the code TOP stands for the pile's top."""
        return Play(self.hand(codes), onto, low)

    def lay(self, *plays: str | Play) -> LayMelds:
        return LayMelds(self._plays(plays))

    def take(self, *plays: str | Play) -> TakePile:
        return TakePile(self._plays(plays))

    def discard(self, code: str) -> Discard:
        return Discard(*self.hand(code))

    def _plays(self, plays: Sequence[str | Play]) -> tuple[Play, ...]:
        # A code that occurs in two plays stands for two cards: no slot is used twice.
        used: set[Slot] = set()
        made: list[Play] = []
        for codes in plays:
            rest = evolve(self, position=_without(self.position, used))
            made.append(rest.play(codes) if isinstance(codes, str) else codes)
            used |= {shown.slot for shown in made[-1].cards}
        return tuple(made)

    # -- moves

    def apply(self, *moves: Move) -> Self:
        """Return the table after the moves, with all their orders carried out."""
        table = self
        for move in moves:
            table = table._after(move)
        return table

    def _after(self, move: Move) -> Self:
        dealer = PlainDealer(lambda _: None, dict(self.cards))
        position = dealer.fulfil(self.position.apply(move))
        return evolve(self, position=_open(position, dealer.cards), cards=dealer.cards)

    def refusal(self, move: Move) -> str | None:
        """Return the clause by which the rules refuse the move; None if they allow it."""
        try:
            self.position.apply(move)
        except IllegalMove as refused:
            return refused.clause
        return None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the seat to move."""
        seat = self.position.to_move
        return () if seat is None else self.position.legal_moves(seat)


def table_of(
    game: str,
    *,
    seats: int = 4,
    hands: Sequence[str] = (),
    stock: str = "+20",
    pile: str = "",
    melds: Sequence[Sequence[str]] = (),
    bonus: Sequence[str] = (),
    totals: Sequence[int] = (),
    dealer: int | None = None,
    seat: int = 0,
    step: Step = Step.PLAY,
    turn: Mapping[str, Any] | None = None,
    options: Mapping[str, bool | int] | None = None,
    meld_of: Callable[[tuple[Shown, ...]], Meld] | None = None,
    **fields: Any,
) -> Table:
    """Return a table in the middle of a round.

    `hands` are by seat; `melds`, `bonus` and `totals` by side. Those not given are empty or 0.
    `stock` names the next cards; "+20" in it stands for twenty cards that are left over, none of
    them a three or a pot. `dealer` is by default the seat before seat 0. `turn` has further fields
    of the turn, and `fields` further fields of the game's position. `meld_of` makes the melds, if
    they may have cards of several ranks.
    """
    rules = game_named(game)
    pool = _Pool(rules.deck)
    sides = rules.sides(seats)
    held = [pool.take(codes) for codes in _padded(hands, seats, "")]
    piled = pool.take(pile)
    laid = tuple(
        Laid(tuple((meld_of or like_meld)(pool.take(codes)) for codes in groups), pool.take(extra))
        for groups, extra in zip(_padded(melds, sides, ()), _padded(bonus, sides, ""), strict=True)
    )
    stocked = pool.take(stock)
    start = rules.position.start(
        rules.options.from_pairs((options or {}).items()),
        seats,
        Seat((seats - 1) if dealer is None else dealer),
        tuple(_padded(totals, sides, 0)),
    )
    fresh = not laid[seat % sides].melds
    position = evolve(
        start,
        orders=(),
        hands=tuple(tuple(shown.slot for shown in hand) for hand in held),
        pile=piled,
        laid=laid,
        stock=tuple(shown.slot for shown in stocked),
        turn=Turn(Seat(seat), step, **{"fresh": fresh, **(turn or {})}),
        **fields,
    )
    cards = {shown.slot: shown for shown in pool.taken}
    return Table(_open(position, cards), cards)


canasta_table = partial(table_of, "canasta")


def dealt(
    game: str, players: int, first: str = "", *, turned: str = "", cut: int = 0, dealer: int = -1
) -> Table:
    """Return a table at which a round has just been dealt; the dealer is by default the last seat.

    `first` are the codes of the cards that are dealt first, `turned` those of the cards that are
    turned up to begin the pile. The rest of the deck is in order, with twos, threes and jokers at
    its end. All this holds after the cut.
    """
    rules = game_named(game)
    left = sorted(rules.deck, key=lambda card: card.rank in _LAST_DEALT)

    def named(codes: str) -> list[Card]:
        found = []
        for code in codes.split():
            found.append(next(card for card in left if card.code == code))
            left.remove(found[-1])
        return found

    top, start = named(first), named(turned)
    # `place` is the number of cards between `first` and `turned`: those dealt without being named.
    place = dealt(game, players).position.pile[0].slot - len(top) if turned else 0
    stacked = [*top, *left[:place], *start, *left[place:]]

    def stack(cards: list[Card]) -> None:
        cards[:] = stacked[len(stacked) - cut :] + stacked[: len(stacked) - cut]

    totals = rules.sides(players) * (0,)
    plain = PlainDealer(stack)
    position = plain.fulfil(
        rules.position.start(rules.options(), players, Seat(dealer % players), totals)
    )
    if position.turn.step is Step.CUT:
        position = plain.fulfil(position.apply(Cut(cut)))
    return Table(_open(position, plain.cards), plain.cards)


def like_meld(cards: tuple[Shown, ...]) -> Meld:
    """Return a meld of like cards, with the rank of the first card."""
    return Meld(cards, cards[0].card.rank)


def codes_of(cards: Sequence[Shown]) -> str:
    return " ".join(shown.card.code for shown in cards)


class _Pool:
    """The cards of a deck that are not placed yet. Every card taken gets the next slot."""

    def __init__(self, deck: Deck) -> None:
        self.left = list(deck)
        self.taken: list[Shown] = []

    def take(self, codes: str) -> tuple[Shown, ...]:
        return tuple(shown for code in codes.split() for shown in self._take(code))

    def _take(self, code: str) -> list[Shown]:
        if code.startswith("+"):
            plain = [card for card in self.left if card.rank not in _NEVER_FILLERS]
            cards = plain[: int(code)]
        else:
            cards = [card for card in self.left if card.code == code][:1]
            assert cards, f"no {code} is left in the deck"
        placed = []
        for card in cards:
            self.left.remove(card)
            placed.append(Shown(Slot(len(self.taken)), card))
            self.taken.append(placed[-1])
        return placed


def _padded(given: Sequence[Any], length: int, filler: Any) -> list[Any]:
    assert len(given) <= length
    return [*given, *(length - len(given)) * [filler]]


def _open(position: Position, cards: Mapping[Slot, Shown]) -> Position:
    return position.seen(cards[slot] for hand in position.hands for slot in hand)


def _without(position: Position, slots: set[Slot]) -> Position:
    hands = tuple(tuple(slot for slot in hand if slot not in slots) for hand in position.hands)
    return evolve(position, hands=hands)


def without_a_stock() -> Table:
    """Return a table of Canasta for three, at which the dealer is to draw from an empty stock.

    If the dealer passes, all hands must be opened.
    """
    hands = ["Ks", "4c 5c", "6c"]
    return canasta_table(
        seats=3, hands=hands, stock="", pile="8s", step=Step.DRAW, seat=1, dealer=1
    )


def ending() -> Position:
    """Return a round of three in which all hands are about to be opened."""
    return without_a_stock().position.apply(Pass())


def counted(position: Position) -> Position:
    """Return the round after all hands have been opened."""
    while position.orders:
        order = position.orders[0]
        assert isinstance(order, OpenHand)
        position = position.deliver(position.hand(order.seat))
    return position
