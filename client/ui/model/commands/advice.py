"""Advice to a player: a hint, which is found in the background and shown if it still applies."""

from functools import partial

from client.i18n.language import _
from client.session.display.round_events import RoundEvents
from client.ui.model.command_words import shown
from client.ui.model.controls import Controls
from client.ui.model.hint import Hint
from client.ui.model.staging import is_alike
from engine.position import Position


def ask_hint(controls: Controls) -> None:
    """Say what the strongest opponent would do, and why."""
    if controls.hand is None or controls.snapshot is None or not controls.may_move:
        controls.say_waiting()
        return
    controls.say(_("One moment…"))
    find = partial(_found, controls.hand.view, controls.snapshot.events)
    controls.think(find, partial(_tell_hint, controls, controls.head))


def _found(view: Position, events: RoundEvents) -> Hint:
    # All opponents come along: 0.8 MB of everybody who plays, and few ask for a hint.
    from client.ui.model.suggested_move import hint  # noqa: PLC0415

    return hint(view, events)


def _tell_hint(controls: Controls, head: bytes, found: Hint) -> None:
    """Show the hint, unless the table has moved on from `head`, where it was asked for."""
    if head != controls.head:
        return
    controls.hinted = found.move
    staged = controls.hand.staging.move if controls.hand else None
    line = "send" if staged and is_alike(found.move, staged) else found.line
    controls.say(_("Hint: {line}. {why}").format(line=shown(line), why=found.reason))
