"""Sentences of the lobby about the rules of its table."""

import pytest
from attrs import evolve

from client.ui.linear.lobby import LobbyLines
from client.ui.model.lobby_view import lobby_view, rule_lines
from engine.games import game_named
from p2p.transport.lobby_messages import Terms
from tests.client.lobbies import lobby_at


def test_an_option_that_is_off_is_told_by_what_holds_instead() -> None:
    kanastic = game_named("kanastic")
    options = kanastic.options.from_pairs([("distinct_suits", False), ("target", 5000)])
    target, suits = sorted(rule_lines(Terms("Table", kanastic, options, 2)), reverse=True)
    assert suits.startswith("distinct_suits: off, usually on. The smallest meld")
    assert "In a meld of like cards suits do not matter." in suits
    assert "three different suits" not in suits
    assert target == "target: 5,000, usually 10,000. Match points at which the match ends."


def test_a_table_that_admits_spectators_says_so_before_anybody_signs() -> None:
    game = game_named("canastra")
    admitting = Terms("Table", game, game.options(), 2, spectators=True)
    (told,) = rule_lines(admitting)
    assert told.startswith("Spectators may watch")
    assert rule_lines(evolve(admitting, spectators=False)) == ("The usual rules.",)


@pytest.mark.parametrize(
    ("there", "couples"),
    [
        (1, "Couples: Ana with a free seat; a free seat with a free seat."),
        (3, "Couples: Ana with Carla; Bruno with a free seat."),
        (4, "Couples: Ana with Carla; Bruno with Diego."),
    ],
)
def test_who_plays_with_whom_is_said_by_the_order_of_the_players(there: int, couples: str) -> None:
    """As the charter has them: i sits opposite i + 2."""
    view = lobby_view(lobby_at(*there * (True,), seats=4, game="kanastic"))
    assert view.couples == couples
    names = [sitter.name for sitter in view.sitters]
    assert names == ["Ana", "Bruno", "Carla", "Diego"][:there]
    lines: list[str] = []
    LobbyLines(lines.append).show(lobby_at(*there * (True,), seats=4, game="kanastic"))
    assert [line for line in lines if line.endswith(couples)]


def test_where_cards_decide_or_nobody_has_a_partner_no_couple_is_named() -> None:
    drawn = lobby_view(lobby_at(True, True, seats=4, game="canasta"))
    assert drawn.couples == "Couples: who plays with whom is drawn by cards."
    for seats in (2, 3):
        assert not lobby_view(lobby_at(True, True, seats=seats, game="kanastic")).couples
