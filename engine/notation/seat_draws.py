"""Draws for seats in the notation: the cards that the players drew, and the seats that follow."""

from collections.abc import Iterator

from engine.cards import Card
from engine.decks import Deck
from engine.errors import NotationError
from engine.notation.cards import copies, copy_mark, read_code
from engine.notation.position_writer import game_of
from engine.position import Position
from engine.seat_draw import ranked
from engine.sentences import Sentence


def seats_drawn(position: Position, words: list[str]) -> tuple[str, tuple[int, ...], Sentence]:
    """Return the clause for a draw for seats, the player at each seat, and the result in words.

    `words` are the cards that the players drew, in the order of the players. If somebody has to
    draw again (C3), there are no players in the result. Raises NotationError.
    """
    game = game_of(position)
    clause = game.answers["draw"].clause
    if len(words) != position.seats:
        raise NotationError(
            "A draw has a card for each of the {players} players.", players=position.seats
        )
    cards = dict(enumerate(_drawn_cards(position.deck, words)))
    if void := [player + 1 for player, card in cards.items() if card.suit is None]:
        again = ", ".join(map(str, void))
        return "X21", (), Sentence("these players draw again: {players}", players=again)
    seating, dealer = game.seating(ranked(cards))
    players = tuple(player + 1 for player in seating)
    said = Sentence(
        "players at seats 1 to {count}: {players}; seat {dealer} deals",
        count=len(players),
        players=" ".join(map(str, players)),
        dealer=dealer + 1,
    )
    return clause, players, said


def _drawn_cards(deck: Deck, words: list[str]) -> Iterator[Card]:
    """Return the physical cards, or raise NotationError.

    A mark says which of two equal cards is meant (X21).
    """
    read = [read_code(deck, word) for word in words]
    for code, mark in read:
        alike = copies(deck, code)
        # In a draw the two 7h of two packs rank differently, so the text must mark them. Cards
        # without a suit do not rank at all.
        twins = len(alike) > 1 and sum(other == code for other, _ in read) > 1
        if twins and mark is None and alike[0].suit is not None:
            raise NotationError(
                "Two players drew the {code}, and the lower copy wins: write {code}:1 for "
                "that copy, and {code}:2 for the other.",
                code=code,
            )
        # `7h:1 7h:1` names one card twice; without marks `Jo Jo` is refused only if the deck has
        # fewer jokers.
        found = [card for card in alike if mark in (None, copy_mark(deck, card))]
        if not found or read.count((code, mark)) > (1 if mark else len(alike)):
            raise NotationError(
                "These cards cannot all be from one deck: it has fewer {code}, or one copy is "
                "named twice.",
                code=code,
            )
        yield found[0]
