"""Clauses of Samba that the cases in `spec/referee` cannot show."""

import pytest
from attrs import evolve

from engine.games import GAMES
from engine.notation.referee import rulings
from engine.samba.melds import CLOSED
from engine.samba.state import SambaState

GAME = GAMES["samba"]


def test_s2_a_match_goes_to_ten_thousand_points() -> None:
    assert GAME.options().match_target == 10_000
    assert GAME.options.from_pairs([("target", 5000)]).match_target == 5000


def test_black_threes_may_be_melded_only_when_going_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test changes Samba so that black threes can be melded, as in related games."""
    limits = evolve(CLOSED, melds_black_threes=True, black_threes="S35")
    monkeypatch.setattr(SambaState, "limits", limits)
    done = "meld 1 7h 7d 7c 7s 7h 7d 7c\nmeld 1 4h 5h 6h 7h 8h 9h Th\n"
    text = f"samba 4\nturn 1 play\nhand 1 3s 3c 3s Kc{{more}}\n{done}try meld 3s 3c 3s\n"
    found = [next(iter(rulings(text.format(more=more)))) for more in ("", " Qd")]
    assert [(ruling.legal, ruling.clause) for ruling in found] == [(True, ""), (False, "S35")]
