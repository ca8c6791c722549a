"""Commands by which a person says how to go on without a player who is missing."""

from client.i18n.language import _
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.ways_on import WayOn, named_way, way_key


def go_on_by(controls: Controls, key: str) -> None:
    """Choose the way with that key, if there is one."""
    for way in controls.ways_on:
        if way.key == key:
            _choose(controls, way)


def agree(controls: Controls, text: str = "") -> None:
    """Choose the way that a typed line names; show all of them if it names none."""
    way = named_way(controls.snapshot, text) if controls.snapshot and text else None
    if way is not None:
        _choose(controls, way)
    elif controls.ways_on:
        controls.open_page(Page.AWAY)
    else:
        controls.say(_("There is nothing to decide now."))


def _choose(controls: Controls, way: WayOn) -> None:
    """Decide on a way; a final one is asked about first."""
    if way.decision is None:
        controls.say(_("Not now: {what}.").format(what=way.text))
        return
    again = _("Press {key} once more for it.").format(key=way_key(way.key))
    if not way.question or controls.confirms(f"{way.question} {again}", way.key):
        controls.say(_("You wish: {what}.").format(what=way.text))
        controls.resolve(way.decision)
