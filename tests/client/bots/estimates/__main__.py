"""Command that writes the opponents' estimates anew: `python -m tests.client.bots.estimates`.

Read the difference before you commit it.
"""

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_of
from client.bots.one_move_ahead import choose
from client.bots.weights import Tuning
from engine.game import Game
from engine.games import GAMES
from engine.moves import Discard
from engine.notation.moves import format_move
from tests.engine.simulation import eagerly, states

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
        played = states(GAMES[game], GAMES[game].options(rounds=1), players, 2, eagerly)
        for number, (match, _, dealer) in enumerate(played):
            if match.round is None or match.round.to_move is None:
                continue
            seat, tuning = match.round.to_move, list(Tuning)[number % 3]
            view, judge = dealer.view(match.round, seat), evaluator_of(GAMES[game], tuning)
            hand = view.hand_cards(seat)
            # `may`, not `allows`: before the draw no discard is allowed, but all may come later.
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


def main() -> None:
    for game in GAMES:
        text = "\n".join(estimates(game))
        path_of(game).write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
