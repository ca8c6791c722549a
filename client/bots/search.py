"""The search of the level `patient`: try moves in many worlds, and choose the surest one.

The search knows only what its seat can see, so it deals the hidden cards at random. Each such deal
is a *world* (`client.bots.worlds`). In a world, one candidate is played, and then the evaluator
plays for all seats until the turn comes back, or to the end of the round if going out is the
question. Then the lead of the side is estimated. The method is a rollout (G. Tesauro, G. Galperin,
"On-line policy improvement using Monte-Carlo search", 1997; for hidden cards M. Ginsberg, "GIB:
imperfect information in a computationally challenging game", 2001).

Luck would drown the differences, because a good deal is worth more than a good move. So every
candidate is compared with one move, the *yardstick*, in the same world: only the difference counts.
The yardstick is the move that `one_move_ahead` chooses.

The parts, in the order in which they are used:

- `candidates` picks at most seven moves. The evaluator says what each gains over the yardstick (the
  prior) and how far that estimate may be off (the doubt). From these two follows the `regret`: the
  points that are lost on average by never trying a move. Moves with a regret above `ENOUGH` are
  tried.
- `Search.run` plays all of them in one world after the other. A `GainTally` holds the number of
  worlds, the sum of the gains, and the sum of their squares. After each world, candidates that have
  become hopeless are left out, and the search ends early if only one is left.
- `GainTally.believed` joins the prior and the measurement, each weighted by its precision. Say the
  evaluator expects -20 points and may be off by 70. Ten worlds with a mean of +30 that spread by
  120 have a doubt of about 38. The result is about +19: the worlds count more, but do not decide
  alone. So a few lucky worlds are not enough for a move that the evaluator rates much lower.
- `surest` picks the candidate with the greatest expected gain.

With a time limit, several processes search with different seeds (`client.bots.search_processes`),
and their tallies are added up.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import erfc, exp, hypot, pi, sqrt

from attrs import define, field, frozen

from client.bots import one_move_ahead
from client.bots.blunders import agrees_hastily, sensible
from client.bots.evaluator import Evaluator
from client.bots.going_out_playouts import endings, round_worth
from client.bots.match_end import worth_ahead
from client.bots.one_move_ahead import drawing, throw_worth
from client.bots.worlds import copied, world
from engine.moves import Ask, Discard, LayMelds, Move, is_alike
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Side
from engine.turn import Step

MOST_CANDIDATES = 7

LAYINGS = 0.3
"""Factor for the evaluator's gain of a laying over the yardstick.

The factor is below 1 because a laying that is left out now is not lost: mostly both moves can be
made, one after the other.
"""

EVALUATED = 70.0
"""Standard deviation of the evaluator's comparison of two moves, in points.

Measured in nine hundred comparisons in Canastra and Kanastic, each in fifty worlds.
"""

EVALUATED_DISCARDS = 20.0
"""Standard deviation of the comparison of two discards, measured in the same way.

This is smaller, because the evaluator takes account of nearly all that discards differ in.
"""

UNEVALUATED = 300.0
"""Standard deviation between two ways to end a round, on which the evaluator has no opinion."""

SPREAD = 120.0
"""Standard deviation of the gain between worlds, in points, before anything is known."""

ASSUMED = 4
"""The assumed `SPREAD` counts as much as this number of measured worlds."""

ENOUGH = 0.5
"""Points: a move is not tried if perfect knowledge of it gains no more than this on average."""

_MOST_MOVES = 150  # maximum number of moves in one world


@frozen
class TriedMove:
    """A move to try."""

    move: Move
    prior: float
    """Gain over the yardstick that the evaluator expects, in points."""
    doubt: float = EVALUATED
    """Standard deviation of that estimate."""


@define
class GainTally:
    """Measured gains of a move over the yardstick. Tallies of several searches can be added."""

    worlds: int = 0
    """Number of worlds."""
    gain: float = 0.0
    """Sum of the gains."""
    squares: float = 0.0
    """Sum of the squares of the gains."""

    def note(self, gain: float) -> None:
        self.worlds += 1
        self.gain += gain
        self.squares += gain * gain

    def add(self, other: "GainTally") -> None:
        self.worlds += other.worlds
        self.gain += other.gain
        self.squares += other.squares

    def believed(self, candidate: TriedMove) -> tuple[float, float]:
        """Return the expected gain and its standard deviation.

        The evaluator's estimate and the mean of the worlds are weighted by their precisions, as two
        normal distributions.
        """
        trust = 1 / candidate.doubt**2
        if not self.worlds:
            return candidate.prior, candidate.doubt
        # After a few worlds their own spread says little: two equal gains would look certain. So
        # the assumed spread counts as `ASSUMED` worlds beside the measured ones.
        mean = self.gain / self.worlds
        deviation = max(0.0, self.squares - self.worlds * mean * mean)
        spread = (deviation + ASSUMED * SPREAD**2) / (self.worlds - 1 + ASSUMED)
        # The mean of n worlds has the variance spread / n; its precision is the inverse.
        measured = self.worlds / spread
        expected = (trust * candidate.prior + measured * mean) / (trust + measured)
        return expected, 1 / sqrt(trust + measured)


def regret(lead: float, doubt: float) -> float:
    """Return the average loss from choosing a move that leads by `lead`, give or take `doubt`.

    The loss is the amount by which the other move is really better, or 0 (P. Frazier and others, "A
    knowledge-gradient policy for sequential information collection", 2008). A sure lead has no
    regret; a lead of 0 with a doubt of 100 has a regret of 40.
    """
    if not doubt:
        return 0.0
    deviations = lead / doubt
    density = exp(-deviations * deviations / 2) / sqrt(2 * pi)  # of the normal distribution
    beyond = erfc(deviations / sqrt(2)) / 2
    return doubt * density - lead * beyond


def candidates(view: Position, evaluator: Evaluator, yardstick: Move) -> tuple[TriedMove, ...]:
    """Return the yardstick, and after it the moves to try, the most promising first.

    A move is tried if it may be much better, as far as the evaluator can tell; blunders are left
    out. In games with partners, only ways to end the round are searched. For other moves the
    evaluator alone, with its learnt weights, won more than the search, which values laid cards for
    both hands of a side.
    """
    seat = view.moving_seat
    worth = evaluated(view, evaluator)
    unevaluated = not any(worth.values())
    if view.partner_of(seat) is not None and not unevaluated:
        return (TriedMove(yardstick, 0.0),)
    others = others_than(yardstick, worth, worth.get(yardstick, 0.0), unevaluated=unevaluated)
    best = max([0.0, *(candidate.prior for candidate in others)])
    hope = {candidate: regret(best - candidate.prior, candidate.doubt) for candidate in others}
    tried = sorted((c for c in others if hope[c] > ENOUGH), key=hope.__getitem__, reverse=True)
    return (TriedMove(yardstick, 0.0), *tried[: MOST_CANDIDATES - 1])


def others_than(
    yardstick: Move, worth: Mapping[Move, float], known: float, *, unevaluated: bool
) -> list[TriedMove]:
    """Return all moves but the yardstick, with their expected gains by the values `worth`.

    `known` is the value of the yardstick. `unevaluated` is True if the evaluator has no opinion on
    any of the moves.
    """
    found = []
    for move, value in worth.items():
        if is_alike(move, yardstick):
            continue
        factor = LAYINGS if isinstance(move, LayMelds) else 1.0
        discards = isinstance(move, Discard) and isinstance(yardstick, Discard)
        doubt = UNEVALUATED if unevaluated else EVALUATED_DISCARDS if discards else EVALUATED
        found.append(TriedMove(move, (value - known) * factor, doubt))
    return found


def evaluated(view: Position, evaluator: Evaluator) -> dict[Move, float]:
    """Return the evaluator's value of each move that is no blunder.

    Values can be compared only within one step of a turn.
    """
    seat = view.moving_seat
    moves = sensible(view, view.legal_moves(seat))
    if len(moves) < 2:
        return {}
    match view.turn.step:
        case Step.DRAW:
            value = drawing(view, seat, evaluator)
            return {move: value(move) for move in moves}
        case Step.PLAY:
            outward = endings(view, seat, evaluator)
            # If the seat could go out, only the ways to end the round are compared. All have the
            # value 0, which tells `candidates` that the evaluator has no opinion on them.
            return dict.fromkeys(outward, 0.0) or _in_turn(view, seat, evaluator, moves)
        case Step.ANSWER:
            return {move: 0.0 for move in moves if not agrees_hastily(view, move)}
        case _:
            return {}


def _in_turn(
    view: Position, seat: Seat, evaluator: Evaluator, moves: Iterable[Move]
) -> dict[Move, float]:
    """Return each laying with the value that it adds, and each discard compared with the best."""
    before = evaluator.standing(view, seat)
    throwing = throw_worth(view, seat, evaluator)
    thrown = {move: throwing(move) for move in moves if isinstance(move, Discard)}
    best = max(thrown.values(), default=0.0)
    worth: dict[Move, float] = {move: value - best for move, value in thrown.items()}
    for move in moves:
        if isinstance(move, LayMelds):
            worth[move] = evaluator.standing(view.play(move), seat) - before
    return worth


@define
class Search:
    """One search for the seat to move in `view`; the first candidate is the yardstick."""

    view: Position
    evaluator: Evaluator
    rng: random.Random
    candidates: tuple[TriedMove, ...]
    tallies: dict[Move, GainTally] = field(init=False)
    played: int = field(init=False, default=0)
    """Number of moves made in the search so far."""
    _seat: Seat = field(init=False)
    to_the_end: bool = field(init=False)
    """True if every world is played to the end of the round."""

    def __attrs_post_init__(self) -> None:
        seat = self.view.moving_seat
        self._seat = seat
        self.tallies = {candidate.move: GainTally() for candidate in self.candidates[1:]}
        moves = [candidate.move for candidate in self.candidates]
        self.to_the_end = self.view.turn.step is Step.ANSWER or any(
            isinstance(move, Ask) or one_move_ahead.leads_out(self.view, seat, move)
            for move in moves
        )

    def run(self, goes_on: Callable[[int], bool]) -> None:
        """Try the candidates in one world after the other.

        The search goes on while `goes_on` returns True for the number of moves played, and while
        another world could change the choice.
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

    def _in_play(self, left: Iterable[TriedMove]) -> list[TriedMove]:
        """Return the candidates that are worth more worlds; none if the choice is clear.

        Worth more worlds are the best candidate so far, and others that may still prove better.
        """
        # The yardstick's gain over itself is 0 for certain; it is a rival like all others.
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
        """Play the move in one world and go on; return the value of the round for the seat's side.

        The value is that at the seat's next turn or, if `to_the_end`, at the end of the round.
        """
        position = self._after(self.view, move, dealer)
        choose = partial(one_move_ahead.choose, evaluator=self.evaluator, rng=self.rng)
        for _ in range(_MOST_MOVES):
            mover = position.to_move
            if mover is None:
                return round_worth(position, self._seat)
            # The seat's own turn may go on first. But a seat draws only once in a turn: if it is to
            # draw, its next turn has come.
            back = mover == self._seat and position.turn.step is Step.DRAW
            if back and not self.to_the_end:
                break
            position = self._after(position, choose(dealer.view(position, mover)), dealer)
        return self._ahead(position, dealer)

    def _after(self, position: Position, move: Move, dealer: PlainDealer) -> Position:
        self.played += 1
        return dealer.fulfil(position.play(move))

    def _ahead(self, position: Position, dealer: PlainDealer) -> float:
        """Return how far the seat's side is ahead of the best other side, with all hands open.

        The value of a side counts its cards on the table and in all of its hands.
        """
        if position.to_move is None:
            return round_worth(position, self._seat)
        worth = []
        for number in range(position.sides):
            members = position.members(Side(number))
            table = self.evaluator.standing_with(position, members[0], ())
            # The value for each member includes the table, which counts once for the side.
            hands = [self._standing(position, member, dealer) - table for member in members]
            worth.append(table + sum(hands))
        mine = position.side_of(self._seat)
        ahead = worth[mine] - max(w for side, w in enumerate(worth) if side != mine)
        return worth_ahead(position, ahead, None)

    def _standing(self, position: Position, seat: Seat, dealer: PlainDealer) -> float:
        hand = [dealer.cards[slot].card for slot in position.hands[seat]]
        return self.evaluator.standing_with(position, seat, hand)


def surest(candidates: Iterable[TriedMove], tallies: Mapping[Move, GainTally]) -> Move:
    """Return the candidate with the greatest expected gain.

    The first candidate, the yardstick, is returned unless another one has been tried and is
    expected to gain.
    """
    yardstick, *others = candidates
    tried = [c for c in others if c.move in tallies and tallies[c.move].worlds]
    gains = {c.move: tallies[c.move].believed(c)[0] for c in tried}
    best = max(gains, key=gains.__getitem__, default=yardstick.move)
    return best if gains.get(best, 0.0) > 0 else yardstick.move
