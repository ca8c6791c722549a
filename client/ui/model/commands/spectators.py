"""A player's commands about spectators: seeing who watches, and barring them."""

from client.i18n.language import _
from client.session.display.snapshot import BarSpectator
from client.ui.model.command_words import spoken
from client.ui.model.controls import Controls
from p2p.transport.spectator_messages import Spectator


def spectators(controls: Controls) -> tuple[Spectator, ...]:
    """Return the spectators whom this person can bar: none if they only watch themselves."""
    snapshot = controls.snapshot
    return () if snapshot is None or snapshot.watching else snapshot.spectators


def bar(controls: Controls, number: int | None = None) -> None:
    """End the watching of the spectator of that number, counted from 1, or of the only one."""
    there = spectators(controls)
    if not there:
        controls.say(_("Nobody watches whom you could bar."))
    elif number is None and len(there) > 1:
        lines = (f"{spoken('bar')} {place}: {one.name}" for place, one in enumerate(there, 1))
        controls.say(
            _("Several watch. Type who has to go: {lines}.").format(lines=", ".join(lines))
        )
    elif not 0 < (place := 1 if number is None else number) <= len(there):
        controls.say(_("There is no spectator {number}.").format(number=place))
    else:
        one = there[place - 1]
        controls.bar(BarSpectator(one.key))
        controls.say(_("{name} is barred from watching.").format(name=one.name))
