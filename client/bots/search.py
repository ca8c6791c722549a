"""Search for one move through worlds that agree with all that the seat can see.

Each candidate is tried in the same worlds, so that the luck of the deal cancels out, and the judge
plays for all seats from there until the turn comes back, or, where going out is the question, to
the end of the round (G. Tesauro, G. Galperin, "On-line policy improvement using Monte-Carlo
search", 1997; for hidden cards M. Ginsberg, "GIB: imperfect information in a computationally
challenging game", 2001). The yardstick is the move that looking one move ahead finds. What the
judge thinks of a candidate counts as a first measurement beside those of the search, and the mean
of both decides: so another move is made only for a gain that outweighs doubt.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import erfc, exp, hypot, pi, sqrt

from attrs import define, field, frozen

from client.bots import look_ahead
from client.bots.blunders import agrees_hastily, sensible
from client.bots.evaluation import Judge
from client.bots.look_ahead import drawing, throw_worth
from client.bots.match_end import worth_ahead
from client.bots.play_out import endings, round_worth
from client.bots.worlds import copied, world
from engine.dealer import PlainDealer
from engine.moves import Ask, Discard, LayMelds, Move
from engine.position import Position
from engine.slots import Seat, Side
from engine.turn import Step

MOST_CANDIDATES = 7

LAYINGS = 0.3
"""Of what a laying is valued less than the yardstick: mostly both can be laid, one after the other.
"""

JUDGED = 70.0
"""Points by which the judge's own comparison of two moves is off: a standard deviation. Measured at
nine hundred comparisons in Canastra and Kanastic, each in fifty worlds.
"""

JUDGED_DISCARDS = 20.0
"""Likewise for two discards, of which the judge sees nearly all."""

UNJUDGED = 300.0
"""Points by which one way to end a round differs from another: the judge has no opinion there."""

SPREAD = 120.0
"""Points by which the gains in two worlds differ before anything is known: likewise."""

ASSUMED = 4
"""So many worlds' worth of evidence is put behind `SPREAD`."""

ENOUGH = 0.5
"""Points: a move is left out when knowing all about it would gain no more than this on average."""

_MOST_MOVES = 150  # of one playing out


@frozen
class Candidate:
    """A move, what the judge thinks that it gains over the yardstick, in points, and by how much
    that may be off: a standard deviation.
    """

    move: Move
    prior: float
    doubt: float = JUDGED


@define
class Tally:
    """What a move has gained over the yardstick: in how many worlds, the sum, and that of squares.
    Tallies of several searches add up.
    """

    worlds: int = 0
    gain: float = 0.0
    squares: float = 0.0

    def note(self, gain: float) -> None:
        self.worlds += 1
        self.gain += gain
        self.squares += gain * gain

    def add(self, other: "Tally") -> None:
        self.worlds += other.worlds
        self.gain += other.gain
        self.squares += other.squares

    def believed(self, candidate: Candidate) -> tuple[float, float]:
        """The gain to be expected, and its standard deviation: the judge's guess and the mean of
        the worlds, each with the weight of its precision (two normal distributions).
        """
        trust = 1 / candidate.doubt**2
        if not self.worlds:
            return candidate.prior, candidate.doubt
        mean = self.gain / self.worlds
        deviation = max(0.0, self.squares - self.worlds * mean * mean)
        spread = (deviation + ASSUMED * SPREAD**2) / (self.worlds - 1 + ASSUMED)
        measured = self.worlds / spread
        expected = (trust * candidate.prior + measured * mean) / (trust + measured)
        return expected, 1 / sqrt(trust + measured)


def regret(lead: float, doubt: float) -> float:
    """What one loses on average by a choice that is ahead of another by `lead`, give or take
    `doubt`: the mean of what the other is better by (P. Frazier and others, "A knowledge-gradient
    policy for sequential information collection", 2008).
    """
    if not doubt:
        return 0.0
    deviations = lead / doubt
    density = exp(-deviations * deviations / 2) / sqrt(2 * pi)  # of the normal distribution
    beyond = erfc(deviations / sqrt(2)) / 2
    return doubt * density - lead * beyond


def candidates(view: Position, judge: Judge, yardstick: Move) -> tuple[Candidate, ...]:
    """What is tried beside the yardstick, which comes first: the moves that may be much better for
    all that the judge knows, the most promising first, no blunders among them. With a partner
    only the ends of a round are searched: elsewhere the search won less than the judge alone,
    whose weights are learnt, for what is laid counts there for both hands of a side.
    """
    seat = view.to_move
    assert seat is not None
    worth = _worth(view, seat, judge)
    known = worth.get(yardstick, 0.0)
    unjudged = not any(worth.values())
    if view.partner_of(seat) is not None and not unjudged:
        return (Candidate(yardstick, 0.0),)
    others = [
        Candidate(
            move,
            (value - known) * (LAYINGS if isinstance(move, LayMelds) else 1.0),
            UNJUDGED if unjudged else _doubt(move, yardstick),
        )
        for move, value in worth.items()
        if move != yardstick
    ]
    best = max([0.0, *(candidate.prior for candidate in others)])
    hope = {candidate: regret(best - candidate.prior, candidate.doubt) for candidate in others}
    tried = sorted((c for c in others if hope[c] > ENOUGH), key=hope.__getitem__, reverse=True)
    return (Candidate(yardstick, 0.0), *tried[: MOST_CANDIDATES - 1])


def _doubt(move: Move, yardstick: Move) -> float:
    both = isinstance(move, Discard) and isinstance(yardstick, Discard)
    return JUDGED_DISCARDS if both else JUDGED


def _worth(view: Position, seat: Seat, judge: Judge) -> dict[Move, float]:
    """The judge's value of each move that is no blunder; the zero is another in each step."""
    moves = sensible(view, view.legal_moves(seat))
    if len(moves) < 2:
        return {}
    match view.turn.step:
        case Step.DRAW:
            value = drawing(view, seat, judge)
            return {move: value(move) for move in moves}
        case Step.PLAY:
            outward = endings(view, seat, judge)
            return dict.fromkeys(outward, 0.0) or _in_turn(view, seat, judge, moves)
        case Step.ANSWER:
            return {move: 0.0 for move in moves if not agrees_hastily(view, move)}
        case _:
            return {}


def _in_turn(view: Position, seat: Seat, judge: Judge, moves: Iterable[Move]) -> dict[Move, float]:
    """Layings by what they add, discards by what they cost beside the best of them."""
    before = judge.standing(view, seat)
    throwing = throw_worth(view, seat, judge)
    thrown = {move: throwing(move) for move in moves if isinstance(move, Discard)}
    best = max(thrown.values(), default=0.0)
    worth: dict[Move, float] = {move: value - best for move, value in thrown.items()}
    for move in moves:
        if isinstance(move, LayMelds):
            worth[move] = judge.standing(view.play(move), seat) - before
    return worth


@define
class Search:
    """One search for the seat to move in `view`; the first candidate is the yardstick."""

    view: Position
    judge: Judge
    rng: random.Random
    candidates: tuple[Candidate, ...]
    tallies: dict[Move, Tally] = field(init=False)
    played: int = field(init=False, default=0)
    """How many moves were made in the mind."""
    _seat: Seat = field(init=False)
    to_the_end: bool = field(init=False)
    """Whether every world is played to the end of the round."""

    def __attrs_post_init__(self) -> None:
        seat = self.view.to_move
        assert seat is not None
        self._seat = seat
        self.tallies = {candidate.move: Tally() for candidate in self.candidates[1:]}
        moves = [candidate.move for candidate in self.candidates]
        self.to_the_end = self.view.turn.step is Step.ANSWER or any(
            isinstance(move, Ask) or look_ahead.leads_out(self.view, seat, move) for move in moves
        )

    def run(self, goes_on: Callable[[int], bool]) -> None:
        """Try the candidates in one world after the other, while `goes_on` says so of the number of
        moves played, and while another world could change the choice.
        """
        yardstick, *left = self.candidates
        while left and goes_on(self.played):
            dealer = world(self.view, self._seat, self.rng)
            standard = self._tried(yardstick.move, copied(dealer))
            for candidate in left:
                self.tallies[candidate.move].note(
                    self._tried(candidate.move, copied(dealer)) - standard
                )
            left = self._in_play(left)

    def _in_play(self, left: Iterable[Candidate]) -> list[Candidate]:
        """The candidates about which it pays to know more: those that may be better than the best
        so far, and that one itself; () where the choice is clear.
        """
        yardstick = self.candidates[0]
        beliefs = {yardstick: (0.0, 0.0)}
        beliefs |= {c: self.tallies[c.move].believed(c) for c in left}
        best = max(beliefs, key=lambda c: beliefs[c][0])
        mean, doubt = beliefs.pop(best)
        rivals = [
            candidate
            for candidate, (other, own) in beliefs.items()
            if regret(mean - other, hypot(own, doubt)) > ENOUGH
        ]
        return [c for c in (best, *rivals) if c is not yardstick] if rivals else []

    def _tried(self, move: Move, dealer: PlainDealer) -> float:
        """What the round is worth to the seat's side some time after the move, in a world: when its
        turn comes again, or at the end.
        """
        position = self._after(self.view, move, dealer)
        choose = partial(look_ahead.choose, judge=self.judge, rng=self.rng)
        away = False
        for _ in range(_MOST_MOVES):
            mover = position.to_move
            if mover is None:
                return round_worth(position, self._seat)
            away = away or position.turn.seat != self._seat
            back = away and mover == self._seat and position.turn.step is Step.DRAW
            if back and not self.to_the_end:
                break
            position = self._after(position, choose(dealer.view(position, mover)), dealer)
        return self._ahead(position, dealer)

    def _after(self, position: Position, move: Move, dealer: PlainDealer) -> Position:
        self.played += 1
        return dealer.fulfil(position.play(move))

    def _ahead(self, position: Position, dealer: PlainDealer) -> float:
        """By how much the seat's side is ahead of the best other one, all hands being seen: a side
        has what lies on its table, and what each of its hands adds to that.
        """
        if position.to_move is None:
            return round_worth(position, self._seat)
        worth = []
        for number in range(position.sides):
            members = position.members(Side(number))
            table = self.judge.standing_with(position, members[0], ())
            hands = [self._standing(position, member, dealer) - table for member in members]
            worth.append(table + sum(hands))
        mine = position.side_of(self._seat)
        ahead = worth[mine] - max(w for side, w in enumerate(worth) if side != mine)
        return worth_ahead(position, ahead, None)

    def _standing(self, position: Position, seat: Seat, dealer: PlainDealer) -> float:
        hand = [dealer.cards[slot].card for slot in position.hands[seat]]
        return self.judge.standing_with(position, seat, hand)


def surest(candidates: Iterable[Candidate], tallies: Mapping[Move, Tally]) -> Move:
    """The candidate with the greatest gain to be expected; the yardstick, which comes first, where
    no other has been tried.
    """
    yardstick, *others = candidates
    tried = [c for c in others if c.move in tallies and tallies[c.move].worlds]
    gains = {c.move: tallies[c.move].believed(c)[0] for c in tried}
    best = max(gains, key=gains.__getitem__, default=yardstick.move)
    return best if gains.get(best, 0.0) > 0 else yardstick.move
