"""Command that measures how well a review finds mistakes: `python -m tests.measure_review`.

The command plays rounds of all games, or of one, with the level `strong` in every seat. It plants a
blunder in 50 positions; the four kinds of blunders (`KINDS`) take turns, as far as a game has them.
A position is taken if the level itself made another move there and the blunder is possible,
whatever the review says of it. The review should find at least 45 of these blunders.

Then the review judges 50 moves of the level `patient`, and should call at most two of them
mistakes. These tables have no partners: with partners `patient` follows its evaluator, and the
review never calls a move a mistake that the evaluator likes, so the figure would show nothing.
Last, for comparison, the review judges 50 moves of `strong` at tables of any kind.

Positions and worlds come from seeds, so the same command gives the same figures.
"""

import argparse
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle

from attrs import evolve, frozen

from client.bots.chooser import Budget
from client.bots.decision_review import Decision, Verdict, verdict_on
from client.bots.levels import opponent
from client.bots.one_move_ahead import leads_out
from client.child_processes import on_all_cores
from engine.games import GAMES, game_named
from engine.match import Match
from engine.moves import Discard, LayMelds, Move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.turn import Step

NUMBER = 50

_THICK = 5
"""Least number of cards of a pile that is worth taking."""

_THIN = 3
"""Maximum number of cards of a pile for which a wild card would be wasted."""

_EARLY = 5
"""Least number of cards in each hand while the end of a round is not near."""

_AT_A_TABLE = Budget(30_000)
"""Number of moves in a search of `patient` that takes five seconds on two cores."""

_APART, _EACH = 7, 6
"""Number of moves between two positions of one round; maximum number of its positions."""


def _thrown(view: Position) -> list[Discard]:
    return [move for move in view.legal_moves(view.turn.seat) if isinstance(move, Discard)]


def pile_given_away(view: Position, better: Move) -> Move | None:
    """Return a discard with which the next seat surely takes a thick pile; None if there is none.

    `better` is the level's own move.
    """

    def gives(move: Discard) -> bool:
        offer = view.pile_offer(move.card)
        return offer is not None and offer.certain and offer.cards >= _THICK

    if not isinstance(better, Discard) or gives(better):
        return None
    return next((move for move in _thrown(view) if gives(move)), None)


def wild_card_thrown(view: Position, better: Move) -> Move | None:
    """Return the discard of a wild card, if the level discards another card.

    Throwing a wild card can be right on a pile of more than `_THIN` cards, which the wild card
    keeps from others, and near the end of a round. Such positions are left out.
    """
    if not isinstance(better, Discard) or view.is_wild(better.card.card):
        return None
    if len(view.pile) > _THIN or min(map(len, view.hands)) < _EARLY:
        return None
    return next((move for move in _thrown(view) if view.is_wild(move.card.card)), None)


def opening_withheld(view: Position, better: Move) -> Move | None:
    """Return a discard that leaves the side unopened, if the level itself opens it."""
    if not isinstance(better, LayMelds) or view.opened:
        return None
    laid = {shown.slot for play in better.plays for shown in play.cards}
    kept = [move for move in _thrown(view) if move.card.slot not in laid]
    return kept[0] if kept else None


def canasta_broken_up(view: Position, better: Move) -> Move | None:
    """Return the discard of a card with which the level completes a canasta instead.

    Moves by which the level goes out are left out.
    """
    if not isinstance(better, LayMelds) or leads_out(view, view.turn.seat, better):
        return None
    side = view.side
    before = sum(view.meld_class(meld) is not None for meld in view.laid[side].melds)
    after = view.play(better).laid[side].melds
    if sum(view.meld_class(meld) is not None for meld in after) <= before:
        return None
    laid = {shown.slot for play in better.plays for shown in play.cards}
    return next((move for move in _thrown(view) if move.card.slot in laid), None)


KINDS: Mapping[str, Callable[[Position, Move], Move | None]] = {
    "a pile given away": pile_given_away,
    "a wild card thrown": wild_card_thrown,
    "an opening withheld": opening_withheld,
    "a canasta broken up": canasta_broken_up,
}


@frozen
class Case:
    """A decision to be reviewed."""

    kind: str
    game: str
    decision: Decision


def decisions(name: str, players: int, level: str, seed: str) -> Iterator[tuple[Position, Move]]:
    """Return every view of one round with the move that the level makes in it."""
    game = game_named(name)
    rng = random.Random(seed)
    dealer = PlainDealer(rng.shuffle)
    choose = opponent(level, name, rng)
    match = dealer.fulfil(Match.start(game, game.options(), players))
    while not match.round_over:
        assert match.round is not None
        seat = match.round.moving_seat
        view = dealer.view(match.round, seat)
        move = choose(view)
        yield view, move
        match = dealer.fulfil(match.apply(move))


def tables(name: str, seed: int, *, partners: bool = True) -> Iterator[tuple[int, str]]:
    """Return a number of players and a seed for each table.

    Without `partners`, nobody at these tables has a partner.
    """
    game = game_named(name)
    numbers = [n for n in game.players if partners or game.sides(n) == n]
    return ((n, f"{seed} {name} {table}") for table, n in zip(range(60), cycle(numbers)))


def planted(number: int, seed: int, games: Iterable[str] = GAMES) -> list[Case]:
    """Return `number` positions with a planted blunder; kinds and games take turns."""
    return _in_turn(number, [_of_kind(kind, name, seed) for kind in KINDS for name in games])


def _of_kind(kind: str, name: str, seed: int) -> Iterator[Case]:
    """Return positions with a blunder of one kind, at most one of each round."""
    for players, table in tables(name, seed):
        for view, move in decisions(name, players, "strong", table):
            if view.turn.step is not Step.PLAY:
                continue
            blunder = KINDS[kind](view, move)
            if blunder is not None:
                yield Case(kind, name, Decision(name, view, blunder, table))
                break


def played_well(
    number: int, level: str, seed: int, games: Iterable[str] = GAMES, *, partners: bool = True
) -> list[Case]:
    """Return `number` decisions in which the level had a choice; games take turns."""
    return _in_turn(number, [_choices(name, level, seed, partners) for name in games])


def thought_over(case: Case) -> Case:
    """Return the case with the move that `patient` makes at a table."""
    decision = case.decision
    choose = opponent("patient", case.game, random.Random(decision.seed), _AT_A_TABLE)
    return evolve(case, decision=evolve(decision, move=choose(decision.view)))


def _in_turn(number: int, sources: Iterable[Iterator[Case]]) -> list[Case]:
    """Return the first `number` cases, one from each source in turn, or as many as there are."""
    found: list[Case] = []
    waiting = deque(sources)
    while waiting and len(found) < number:
        source = waiting.popleft()
        if (case := next(source, None)) is not None:
            found.append(case)
            waiting.append(source)
    return found


def _choices(name: str, level: str, seed: int, partners: bool) -> Iterator[Case]:
    """Return decisions in which the level had a choice, at most `_EACH` of one round."""
    for players, table in tables(name, seed, partners=partners):
        past = taken = 0
        for view, move in decisions(name, players, level, table):
            seat = view.moving_seat
            past += 1
            choice = view.turn.step is not Step.CUT and len(view.legal_moves(seat)) > 1
            if choice and past >= _APART and taken < _EACH:
                past, taken = 0, taken + 1
                yield Case(f"a move of {level}", name, Decision(name, view, move, table))


def judged(case: Case) -> tuple[Verdict | None, float]:
    """Return the verdict on a case, and the seconds of the processor that it took."""
    start = time.thread_time()
    verdict = verdict_on(case.decision)
    return verdict, time.thread_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=NUMBER)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=tuple(GAMES), help="only this game")
    args = parser.parse_args()
    games = [args.game] if args.game else list(GAMES)
    patient = played_well(args.number, "patient", args.seed, games, partners=False)
    for cases in (
        planted(args.number, args.seed, games),
        on_all_cores(thought_over, patient),
        played_well(args.number, "strong", args.seed, games),
    ):
        results = on_all_cores(judged, cases)
        named: Counter[str] = Counter()
        of = Counter(case.kind for case in cases)
        for case, (verdict, _seconds) in zip(cases, results, strict=True):
            mistake = verdict is not None and verdict.is_mistake
            named[case.kind] += mistake
        seconds = sum(seconds for _verdict, seconds in results) / len(results)
        for kind, count in of.items():
            print(f"{kind}: {named[kind]} of {count} called a mistake")
        print(f"all: {named.total()} of {len(cases)}, {seconds:.2f} s of the processor each")


if __name__ == "__main__":
    main()
