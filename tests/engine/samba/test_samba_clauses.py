"""Clauses of Samba that the cases in `spec/referee` cannot show."""

import pytest
from attrs import evolve

from engine.errors import IllegalMove
from engine.games import GAMES
from engine.moves import Play, TakePile
from engine.notation.position_reader import parse_position
from engine.notation.referee import rulings
from engine.position_facts import PileState
from engine.samba.melds import CLOSED
from engine.samba.state import SambaState

GAME = GAMES["samba"]


def test_s2_a_match_goes_to_ten_thousand_points() -> None:
    assert GAME.options().match_target == 10_000
    assert GAME.options.from_pairs([("target", 5000)]).match_target == 5000


@pytest.mark.parametrize(
    ("lines", "state", "clause"),
    [
        ("pile Ks Jo\nmeld 1 7h 7d 7c", PileState.BLOCKED, "S23"),
        ("pile Ks 3s\nmeld 1 7h 7d 7c", PileState.BLOCKED, "S23"),
        ("pile 2c Ks\nmeld 1 7h 7d 7c", PileState.FROZEN, "S24"),
        ("pile 9c Ks", PileState.UNOPENED, "S24"),
        ("pile 9c Ks\nmeld 1 7h 7d 7c", PileState.FREE, "S30"),
    ],
)
def test_s23_s24_the_pile_is_blocked_frozen_or_free(
    lines: str, state: PileState, clause: str
) -> None:
    """`clause` is the one that refuses laying the top card on the first meld."""
    position = parse_position(f"samba 4\nturn 1 draw\nhand 1 4c 5c 7s\n{lines}\n")
    assert position.pile_status(position.side).state is state
    with pytest.raises(IllegalMove) as refused:
        position.check(TakePile((Play((position.pile[-1],), 0),)))
    assert refused.value.clause == clause


def test_s22_the_top_cannot_join_a_meld_that_is_not_there() -> None:
    position = parse_position("samba 4\nturn 1 draw\nhand 1 4c 5c\npile 9c Ks\nmeld 1 7h 7d 7c\n")
    with pytest.raises(IllegalMove, match="only to melds of one"):
        position.check(TakePile((Play((position.pile[-1],), 1),)))
    # An empty pile is not blocked, although nothing can be taken.
    empty = parse_position("samba 4\nturn 1 draw\nhand 1 4c 5c\nmeld 1 7h 7d 7c\n")
    assert empty.pile_status(empty.side).state is PileState.FREE


def test_black_threes_may_be_melded_only_when_going_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test changes Samba so that black threes can be melded, as in related games."""
    limits = evolve(CLOSED, melds_black_threes=True, black_threes="S35")
    monkeypatch.setattr(SambaState, "limits", limits)
    done = "meld 1 7h 7d 7c 7s 7h 7d 7c\nmeld 1 4h 5h 6h 7h 8h 9h Th\n"
    text = f"samba 4\nturn 1 play\nhand 1 3s 3c 3s Kc{{more}}\n{done}try meld 3s 3c 3s\n"
    found = [next(iter(rulings(text.format(more=more)))) for more in ("", " Qd")]
    assert [(ruling.legal, ruling.clause) for ruling in found] == [(True, ""), (False, "S35")]
