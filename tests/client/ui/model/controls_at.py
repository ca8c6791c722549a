"""Controls of a person at a table, for tests that give them snapshots and look at the results."""

from typing import Any

from client.session.display.snapshot import Snapshot
from client.ui.model.controls import Controls
from client.ui.model.hand import Hand
from engine.moves import Move


def controls_at(snapshot: Snapshot, **more: Any) -> Controls:
    """Return controls that show the snapshot; `more` are arguments of `Controls`."""
    return sending(snapshot, **more)[0]


def sending(snapshot: Snapshot, **more: Any) -> tuple[Controls, list[Move]]:
    """Return controls that show the snapshot, and the list of the moves that they send."""
    sent: list[Move] = []
    controls = Controls(lambda *moves: sent.extend(moves), **more)
    controls.show(snapshot)
    return controls, sent


def notice_of(controls: Controls) -> str:
    """Return the text of the notice; "" if there is none."""
    return controls.notice.text if controls.notice else ""


def hand_of(controls: Controls) -> Hand:
    """Return the person's hand, which must be there."""
    assert controls.hand is not None
    return controls.hand
