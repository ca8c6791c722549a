"""Quick reviews: without a search, and all in this process."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from client.bots.decision_review import Decision, Verdict
from client.ui.model import game_review
from engine.moves import is_alike

RECORDS = Path(__file__).parents[1] / "records"
CANASTA = RECORDS / "format-1-canasta.sobremesa"


def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the search by a quick verdict: every choice is a mistake.

    The mistake costs ten points for each card in the hand.
    """

    def here(
        work: Callable[[Any], Any], items: Sequence[Any], *, on_done: Callable[[int], None]
    ) -> list[Any]:
        results = []
        for item in items:
            results.append(work(item))
            on_done(len(results))
        return results

    monkeypatch.setattr(game_review, "on_all_cores", here)
    monkeypatch.setattr(game_review, "verdict_on", _verdict)


def _verdict(decision: Decision) -> Verdict | None:
    view, made = decision.view, decision.move
    seat = view.moving_seat
    others = [move for move in view.legal_moves(seat) if not is_alike(move, made)]
    return Verdict(others[0], 10.0 * len(view.hands[seat]), 4.0, 90) if others else None
