"""Command that writes the opponents' estimates anew: `python -m tests.client.bots.estimates`.

It also writes the summaries of the rounds that they play (`tests/client/bots/rounds`).

Read the changes in these files before you commit them.
"""

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from client.bots.best_moves import best_moves, considered
from client.bots.card_luck import CardsGiven, luck_of
from client.bots.chooser import Budget
from client.bots.decision_review import Decision, Verdict, verdict_on
from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_of
from client.bots.going_out_playouts import endings
from client.bots.one_move_ahead import choose
from client.bots.search import GainTally
from client.bots.weights import Tuning
from engine.game import Game
from engine.games import GAMES
from engine.moves import Discard
from engine.notation.moves import format_move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from tests.client.bots import level_rounds
from tests.engine.simulation import eagerly, views

COMMAND = "python -m tests.client.bots.estimates"

Evaluators = Callable[[Game, Tuning], Evaluator]
"""A function that returns the evaluator of a game with the weights of a tuning."""


def path_of(game: str) -> Path:
    """Return the path of the file with a game's estimates."""
    return Path(__file__).parent / f"{game}.txt"


def estimates(game: str, evaluator_of: Evaluators = evaluator_of) -> Iterator[str]:
    """Return the sums of all estimates in a round, and the moves chosen in some positions.

    The evaluators of the tunings take turns. The sums are of the standing, the cost of the hand,
    the threat, the worth of the pile, the lead, and the danger of all legal discards.
    """
    for players in sorted({GAMES[game].players[0], GAMES[game].usual_players}):
        sums: dict[Tuning, list[tuple[float, ...]]] = {tuning: [] for tuning in Tuning}
        moves: dict[Tuning, list[str]] = {tuning: [] for tuning in Tuning}
        played = views(GAMES[game], GAMES[game].options(rounds=1), players, 2, eagerly)
        for number, (view, _, _) in enumerate(played):
            seat, tuning = view.moving_seat, list(Tuning)[number % 3]
            judge = evaluator_of(GAMES[game], tuning)
            hand = view.hand_cards(seat)
            # `may`, not `allows`, which is false for every discard before the player has drawn.
            thrown = [shown for shown in view.hand(seat) if view.may(Discard(shown))]
            dangers = [judge.danger(view, seat, shown.card) for shown in thrown]
            table = judge.threat(view, seat), judge.pile(view), judge.lead(view, seat)[0]
            own = judge.standing(view, seat), judge.cost(view, hand)
            sums[tuning].append((*own, *table, math.fsum(dangers)))
            if number % 8 == 0:
                chosen = choose(view, judge, random.Random(1))
                moves[tuning].append(format_move(view, chosen))
        for tuning, figures in sums.items():
            summed = " ".join(f"{math.fsum(one):.2f}" for one in zip(*figures, strict=True))
            yield f"{players} players, {tuning.value}: {summed}"
            yield "  " + ", ".join(moves[tuning])


def searches(game: str) -> Iterator[str]:
    """Return results of searches in a round with the smallest number of players.

    The searches are in eight of the first hundred positions, and in three positions in which the
    player could go out. First comes the move that the player made there, the verdict on it, and the
    luck of the player's hand and of the next card of the stock. Then come the best moves, and the
    candidates of the search: for each the prior, the doubt, the number of worlds, the sum of the
    gains, and the expected gain.
    """
    rules, ends = GAMES[game], 0
    played = views(rules, rules.options(rounds=1), rules.players[0], 4, eagerly)
    for number, (view, made, dealer) in enumerate(played):
        if number % 11 or not 0 < number < 96:
            if ends == 3 or not endings(view, view.moving_seat, evaluator_of(rules, Tuning.LEARNT)):
                continue
            ends += 1
        found = considered(view, rules, random.Random(2), Budget(60))
        best = best_moves(view, rules, random.Random(2), Budget(60))
        verdict = verdict_on(Decision(game, view, made, "3", effort=0.03))
        yield f"{number}: {format_move(view, made)}; {verdict_words(view, verdict)}"
        yield "  luck " + ", ".join(luck_words(game, view.seen(()), dealer))
        yield f"  best, {best.worlds} worlds, {best.gain:.2f}: " + ", ".join(
            format_move(view, move) for move in best.moves[:4]
        )
        for one in found.candidates:
            tally = found.tallies.get(one.move, GainTally())
            yield (
                f"    {format_move(view, one.move)}: {one.prior:.2f} {one.doubt:.0f}, "
                f"{tally.worlds} {tally.gain:.2f}, {found.gain(one):.2f}"
            )


def verdict_words(view: Position, verdict: Verdict | None) -> str:
    if verdict is None:
        return "no verdict"
    better = format_move(view, verdict.better)
    figures = f"{verdict.cost:.2f} {verdict.error:.2f}, {verdict.worlds} worlds"
    return f"better {better}, {figures}"


def luck_words(game: str, position: Position, dealer: PlainDealer) -> Iterator[str]:
    """Return the luck of being dealt the mover's hand, and of then drawing the next card."""
    seat, public = position.moving_seat, position.seen(())
    hand, stock = (
        tuple(dealer.cards[slot].card for slot in slots)
        for slots in (position.hands[seat], position.stock)
    )
    for held, came, possible in (((), hand, (*hand, *stock)), (hand, stock[:1], stock)):
        luck = luck_of(CardsGiven(game, seat, public, held, came, possible))
        yield f"{luck.points:.2f} {luck.spread:.2f}"


def main() -> None:
    for game in GAMES:
        text = "\n".join([*estimates(game), *searches(game)])
        write(path_of(game), text)
        write(level_rounds.path_of(game), "\n".join(level_rounds.summaries(game)))


def write(path: Path, text: str) -> None:
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
