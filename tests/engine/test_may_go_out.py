"""The answer to "may this side go out?", before and after moves, without an option and with it."""

from engine.games import GAMES
from tests.engine.simulation import states


def test_going_out_depends_on_the_options() -> None:
    """If the answer were wrong, bots would misjudge the threat that a side goes out."""
    for game, option in (("canasta", "two_canastas"), ("canastra", "require_canastra")):
        rules = GAMES[game]
        told = set()
        for on in (False, True):
            options = rules.options.from_pairs([("rounds", 1), (option, on)])
            for seed in range(3):
                for match, move, _ in states(rules, options, 2, seed):
                    position = match.round
                    if move is None or position is None:
                        continue
                    after = position.apply(move)
                    if after.closer is not None:
                        assert position.may_go_out(position.side) or after.may_go_out(position.side)
                    told.add((on, after.may_go_out(position.side)))
        assert told == {(False, False), (False, True), (True, False), (True, True)}
