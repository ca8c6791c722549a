"""What the lobby tells of the rules of its table."""

from client.ui.model.lobby_view import rule_lines
from engine.games import game_named
from p2p.transport.lobby_messages import Terms


def test_an_option_that_is_off_is_told_by_what_holds_instead() -> None:
    kanastic = game_named("kanastic")
    options = kanastic.options.from_pairs([("distinct_suits", False), ("target", 5000)])
    target, suits = sorted(rule_lines(Terms("Table", kanastic, options, 2)), reverse=True)
    assert suits.startswith("distinct_suits: off, usually on. The smallest meld")
    assert "In a meld of like cards suits do not matter." in suits
    assert "three different suits" not in suits
    assert target == "target: 5,000, usually 10,000. Match points at which the match ends."
