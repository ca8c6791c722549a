"""Moves that `legal_moves` offers without calling `check` (`sure_moves`): all are legal."""

from itertools import islice

import pytest

from engine.game import Game
from engine.moves import lays_at_most
from tests.engine.positions import table_of
from tests.engine.simulation import states
from tests.made_up_game import ALL_GAMES

STATES = 400
HARSH = {
    "canasta": {"two_canastas": True},
    "kanastic": {"distinct_suits": True, "leave_pile": True, "short_suits": True},
    "canastra": {"require_canastra": True},
}


def test_lays_at_most_counts_the_cards_that_a_move_lays() -> None:
    table = table_of("canasta", hands=["Ks Kh Kd 4c"])
    meld = table.lay("Ks Kh Kd")
    assert [lays_at_most(meld, most) for most in (2, 3, 4)] == [False, True, True]
    assert not lays_at_most(table.discard("4c"), 3)


@pytest.mark.parametrize("options", [{}, HARSH], ids=["usual", "harsh"])
@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_legal_moves_agree_with_check_on_every_candidate(
    game: Game, options: dict[str, dict[str, bool]]
) -> None:
    """Harsh options are tried at the smallest table, the usual options at the largest."""
    chosen, seats = game.options(**options.get(game.name, {})), game.players[0 if options else -1]
    positions = unjudged = 0
    for match, chosen_move, dealer in islice(states(game, chosen, seats, 5), STATES):
        if match.round is None or chosen_move is None or match.round.to_move is None:
            continue
        positions += 1
        view = dealer.view(match.round, match.round.to_move)
        tried = tuple(view.candidates())
        sure, most = view.sure_moves
        unjudged += sum(type(move) in sure or lays_at_most(move, most) for move in tried)
        assert view.legal_moves(match.round.to_move) == tuple(filter(view.allows, tried))
        blind = match.round  # knows only those cards of the hand that came from the pile
        assert all(map(blind.allows, blind.legal_moves(match.round.to_move)))
    # On average more than one move of each position was offered without being checked.
    assert unjudged > positions or not game.position.finds_legal
