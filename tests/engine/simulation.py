"""Whole matches with the plain dealer, played by simple players, with checks at every step."""

import random
from collections.abc import Callable, Iterator

from engine.cards import Card
from engine.game import Game
from engine.games import game_named
from engine.match import Match
from engine.moves import (
    Answer,
    Ask,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    ShowBonus,
    TakePile,
    TakeTop,
    plays_of,
)
from engine.options import Options
from engine.plain_dealer import PlainDealer
from engine.position import Position
from tests.engine.second_scoring import NaiveScorer

Player = Callable[[Position, random.Random], Move]

MOST_ROUNDS = 100
"""The maximum number of rounds in a match that is checked; simple players need 1 to 15."""
MOST_MOVES = 10_000
"""The maximum number of moves in a round that is checked: taking the pile can go on for ever."""

_EAGERNESS: dict[type[Move], int] = {
    ShowBonus: 6,
    TakePile: 5,
    TakeTop: 5,
    LayMelds: 4,
    DrawStock: 3,
    Answer: 3,
    Discard: 2,
    Ask: 1,
    Pass: 0,
}


def at_random(view: Position, rng: random.Random) -> Move:
    """Return a random legal move."""
    return rng.choice(view.legal_moves(view.moving_seat))


def eagerly(view: Position, rng: random.Random) -> Move:
    """Return a move that takes and lays as much as possible; discards are random."""

    def eagerness(move: Move) -> tuple[int, int, float]:
        laid = sum(len(play.cards) for play in plays_of(move))
        return _EAGERNESS.get(type(move), 0), laid, rng.random()

    return max(view.legal_moves(view.moving_seat), key=eagerness)


def reluctantly(view: Position, _: random.Random) -> Move:
    """Return a draw, or the discard of the newest card that may be discarded.

    Nothing is melded unless nothing else is legal.
    """
    if view.allows(DrawStock()):
        return DrawStock()
    discards = (Discard(card) for card in reversed(view.hand(view.moving_seat)))
    legal = (move for move in discards if view.allows(move))
    return next(legal, None) or view.legal_moves(view.moving_seat)[-1]


def mixed(view: Position, rng: random.Random) -> Move:
    """Return a move of `at_random` or of `eagerly`, chosen at random."""
    return rng.choice((at_random, eagerly))(view, rng)


class EndlessMatch(Exception):
    """A match that its players seem never to finish, for example because they meld nothing."""


def begun(seed: int = 7, players: int = 3) -> Match:
    """Return a match of Canasta whose first round is about to be cut."""
    game = game_named("canasta")
    dealer = PlainDealer(random.Random(seed).shuffle)
    return dealer.fulfil(Match.start(game, game.options(), players))


def states(
    game: Game, options: Options, players: int, seed: int, player: Player = mixed
) -> Iterator[tuple[Match, Move | None, PlainDealer]]:
    """Yield every state of a match, the move made in that state, and the dealer.

    The move is None when a round has been counted or the match is over.
    """
    rng = random.Random(f"{game.name} {players} {seed}")
    dealer = PlainDealer(rng.shuffle)
    match = Match.start(game, options, players)
    while True:
        match = dealer.fulfil(match)
        if match.over or match.round_over:
            yield match, None, dealer
            if match.over:
                return
            match = match.close_round()
            continue
        assert match.round is not None
        seat = match.round.moving_seat
        move = player(dealer.view(match.round, seat), rng)
        yield match, move, dealer
        match = match.apply(move)


def views(
    game: Game, options: Options, players: int, seed: int, player: Player = mixed
) -> Iterator[tuple[Position, Move, PlainDealer]]:
    """Yield the mover's view of each state of a match, the move made there, and the dealer."""
    for match, move, dealer in states(game, options, players, seed, player):
        if match.round is not None and move is not None:
            yield dealer.view(match.round, match.round.moving_seat), move, dealer


def play_checked(
    game: Game,
    options: Options,
    players: int,
    seed: int,
    scorer: Callable[[], NaiveScorer],
    player: Player = mixed,
) -> Match:
    """Play a match and return it; check that no card is lost and that both scorers agree.

    Raises EndlessMatch after MOST_ROUNDS rounds (or more if the options ask for more), or after
    MOST_MOVES moves within one round.
    """
    naive, moves = scorer(), 0
    most_rounds = max(MOST_ROUNDS, options.rounds)
    for match, move, dealer in states(game, options, players, seed, player):
        if match.round is None:
            continue
        moves = 0 if move is None else moves + 1
        if moves > MOST_MOVES:
            raise EndlessMatch(f"the round is not over after {MOST_MOVES} moves")
        if len(match.sheets) >= most_rounds and not match.over:
            raise EndlessMatch(f"the match is not over after {most_rounds} rounds")
        assert cards_in(match.round, dealer) == list(match.round.deck)
        if move is not None:
            naive.watch(match.round, move)
        elif match.round.sheet is not None:
            assert match.round.sheet.totals == naive.totals(match.round)
            naive = scorer()
    return match


def cards_in(position: Position, dealer: PlainDealer) -> list[Card]:
    """Return all cards of a round, wherever they lie, in the order of the fresh deck."""
    slots = [*position.stock, *(slot for hand in position.hands for slot in hand)]
    slots += [slot for hand in position.set_aside for slot in hand]
    shown = list(position.pile)
    for laid in position.laid:
        shown += laid.bonus
        for meld in laid.melds:
            shown += meld.cards
    cards = [dealer.cards[slot].card for slot in slots] + [card.card for card in shown]
    return sorted(cards, key=lambda card: card.number)
