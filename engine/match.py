"""A match: the draw for seats, then rounds until a side has won.

A round knows only seats; a match knows *players*. Player i is the i-th identity of the table. After
the draw, `seating[seat]` is the player who sits at a seat.
"""

from collections.abc import Iterable

from attrs import evolve, frozen

from engine.decks import Deck
from engine.errors import IllegalMove
from engine.game import Game
from engine.moves import Move
from engine.options import Options
from engine.orders import Order
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.seat_draw import SeatDraw
from engine.slots import Seat, Shown
from engine.turn import Step

_FIRST = Seat(0)


@frozen
class Match:
    """The state of a match, which never changes: each step returns a new one."""

    game: Game
    options: Options
    players: int
    draw: SeatDraw
    totals: tuple[int, ...]
    """Match points by side."""
    sheets: tuple[ScoreSheet, ...] = ()
    """Score sheets of the rounds that were counted, oldest first."""
    seating: tuple[int, ...] = ()
    """The player at each seat; () while seats are drawn."""
    dealer: Seat = _FIRST
    round: Position | None = None
    """The round in progress; None while seats are drawn and after the match."""

    @classmethod
    def start(cls, game: Game, options: Options, players: int) -> "Match":
        """Return a match about to shuffle for the draw, or raise InvalidOption."""
        game.check_players(players)
        draw = SeatDraw.start(game.decks.at(options, players), players)
        return cls(game, options, players, draw, game.sides(players) * (0,))

    @property
    def deck(self) -> Deck:
        """The deck of this table."""
        return self.game.decks.at(self.options, self.players)

    @property
    def orders(self) -> tuple[Order, ...]:
        """Orders that wait to be delivered, the next one first."""
        return self.round.orders if self.round else self.draw.orders

    @property
    def mover(self) -> int | None:
        """The player who moves next; None if nobody is to move, as while cards are dealt."""
        if self.round is None or self.round.to_move is None:
            return None
        return self.seating[self.round.to_move]

    @property
    def round_number(self) -> int:
        """Number of the round, from 1 on; 0 while seats are drawn and after the match."""
        return len(self.sheets) + 1 if self.round else 0

    @property
    def round_over(self) -> bool:
        """True if the round is counted and waits for `close_round`."""
        return self.round is not None and self.round.sheet is not None

    @property
    def over(self) -> bool:
        """True if no further round is played (C96, K117, X20)."""
        # With a number of rounds the target does not matter, even if a side has reached it.
        if self.options.rounds:
            return len(self.sheets) >= self.options.rounds
        # X8: with two sides at the top, say 5100 each, another round is played.
        target = self.options.match_target
        best = max(self.totals)
        return target is not None and best >= target and self.totals.count(best) == 1

    @property
    def winner(self) -> int | None:
        """The side with most points when the match is over; None before, and for a draw (X8)."""
        best = max(self.totals)
        return self.totals.index(best) if self.over and self.totals.count(best) == 1 else None

    def seat_of(self, player: int) -> Seat:
        """Return the seat of a player; before the draw, player i draws as seat i."""
        return Seat(self.seating.index(player)) if self.seating else Seat(player)

    def player_at(self, seat: Seat) -> int:
        """Return the player who sits at a seat."""
        return self.seating[seat] if self.seating else seat

    def apply(self, move: Move) -> "Match":
        """Return the match after a move of `mover`, or raise IllegalMove."""
        if self.round is None:
            raise IllegalMove("X10", "Seats are being drawn; nobody moves yet.")
        return evolve(self, round=self.round.apply(move))

    def deliver(self, shown: Iterable[Shown] = ()) -> "Match":
        """Return the match after the first of its orders is fulfilled."""
        if self.round is not None:
            return evolve(self, round=self.round.deliver(shown))
        draw = self.draw.deliver(tuple(shown))
        if not draw.ranking:
            return evolve(self, draw=draw)
        seating, dealer = self.game.seating(draw.ranking)
        return evolve(self, draw=draw, seating=seating, dealer=dealer)._dealing()

    @property
    def opening(self) -> bool:
        """True if the round is over, and hands must be opened before it is counted."""
        return bool(self.orders) and self.round is not None and self.round.turn.step is Step.OVER

    def leaving_closed(self, players: Iterable[int]) -> "Match":
        """Return the match in which these players' hands stay closed, if they are not open yet.

        The players are absent (X24).
        """
        assert self.round is not None
        return evolve(self, round=self.round.leaving_closed(map(self.seat_of, players)))

    def close_round(self) -> "Match":
        """Return the match with the round's sheet added, and the next round about to begin."""
        if self.round is None or self.round.sheet is None:
            raise ValueError("the round is not counted yet")
        return self._entering(self.round.sheet)

    def interrupted(self, missing: Iterable[int]) -> "Match":
        """Return the match that goes on when some players, possibly none, are missing for good.

        - A round that is over keeps its result, and its sheet is added. If hands must still be
          opened, the missing players' hands stay closed (X24).
        - A round in progress is counted as its cards lie (X25). But if nobody has cards yet, or
          with the option `void_interrupted`, the round is dealt again.
        - A draw for seats begins again.
        - A match that is over does not change.
        """
        # A round whose hands are being opened has no sheet yet. Without this case it would be
        # counted as interrupted (X25), and nobody would score for going out.
        if self.opening:
            return self.leaving_closed(missing)
        if self.round_over:
            return self.close_round()
        if self.round is None or self.options.void_interrupted or not self.round.has_hands:
            return self.redealt()
        return self._entering(self.round.interrupted_sheet(map(self.seat_of, missing)))

    def redealt(self) -> "Match":
        """Return the match with the same round, or the draw, about to be shuffled again."""
        if self.round is not None:
            return self._dealing()
        if self.seating:  # the match is over, or was ended
            return self
        return evolve(self, draw=SeatDraw.start(self.deck, self.players))

    def ended(self) -> "Match":
        """Return the match ended here: the round in progress is dropped."""
        return evolve(self, round=None)

    def _entering(self, sheet: ScoreSheet) -> "Match":
        """Return the match with the sheet added, and the next round about to be shuffled."""
        totals = tuple(a + b for a, b in zip(self.totals, sheet.totals, strict=True))
        closed = evolve(
            self,
            sheets=(*self.sheets, sheet),
            totals=totals,
            dealer=Seat((self.dealer + 1) % self.players),
            round=None,
        )
        return closed if closed.over else closed._dealing()

    def _dealing(self) -> "Match":
        start = self.game.position.start(
            self.options, self.players, self.dealer, self.totals, len(self.sheets) + 1
        )
        return evolve(self, round=start)
