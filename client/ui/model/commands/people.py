"""Commands about other people at a table: ways to go on without a player, phrases, spectators."""

from client.i18n.language import _, bare
from client.session.display.aside_lines import PHRASE_WORDS
from client.session.display.snapshot import BarSpectator
from client.ui.model.command_words import spoken
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.ways_on import WayOn, named_way, way_key
from p2p.table.asides import PHRASES, AsideCode
from p2p.transport.spectator_messages import Spectator


def go_on_by(controls: Controls, key: str) -> None:
    """Choose the way to go on that has this key, if there is one."""
    for way in controls.ways_on:
        if way.key == key:
            _choose(controls, way)


def agree(controls: Controls, text: str = "") -> None:
    """Choose the way to go on that `text` names; show all ways if it names none."""
    way = named_way(controls.snapshot, text) if text else None
    if way is not None:
        _choose(controls, way)
    elif controls.ways_on:
        controls.open_page(Page.AWAY)
    else:
        controls.say(_("There is nothing to decide now."))


def _choose(controls: Controls, way: WayOn) -> None:
    """Send the decision for a way to go on; ask first if it ends the match."""
    if way.decision is None:
        controls.say(_("Not now: {what}.").format(what=way.text))
        return
    again = _("Press {key} once more to confirm.").format(key=way_key(way.key))
    if not way.question or controls.confirms(f"{way.question} {again}", way.key):
        controls.say(_("Your wish: {what}.").format(what=way.text))
        controls.decide(way.decision)


def phrases(controls: Controls) -> tuple[AsideCode, ...]:
    """Return the phrases that can be said here.

    There are none for a spectator, or at a table without other people. "Sorry, partner." needs a
    partner.
    """
    if not controls.speaks:
        return ()
    charter = controls.snapshot.state.charter
    players = len(charter.members)
    alone = charter.game.sides(players) == players
    return tuple(code for code in PHRASES if not (alone and code is AsideCode.SORRY_PARTNER))


def say_phrase(controls: Controls, number: int) -> None:
    """Say the phrase with that number, counted from 1."""
    there = phrases(controls)
    if controls.snapshot.watching:
        controls.say(_("A spectator only looks on."))
    elif not controls.speaks:
        controls.say(_("Nobody else is at this table."))
    elif 0 < number <= len(there):
        controls.decide(there[number - 1])
    else:
        controls.say(_("There is no phrase {number}.").format(number=number))


def phrase_number(controls: Controls, text: str) -> int | None:
    """Return the number of the phrase that `text` names, by number or in words; or None."""
    if text.isascii() and text.isdecimal() and len(text) < 4:
        return int(text)
    wordings = [_bare(_(PHRASE_WORDS[code])) for code in phrases(controls)]
    typed = _bare(text)
    return wordings.index(typed) + 1 if typed in wordings else None


def _bare(text: str) -> str:
    """Return the text without accents, and without full stops and exclamation marks at its ends."""
    return bare(text).strip("\N{INVERTED EXCLAMATION MARK}.!")


def spectators(controls: Controls) -> tuple[Spectator, ...]:
    """Return the spectators whom this person can bar; none if the person is a spectator."""
    snapshot = controls.snapshot
    return () if snapshot.watching else snapshot.spectators


def bar(controls: Controls, number: int | None = None) -> None:
    """Bar a spectator: the one with that number, counted from 1, or else the only one."""
    there = spectators(controls)
    if not there:
        controls.say(_("There is no spectator to bar."))
    elif number is None and len(there) > 1:
        lines = (
            f"{spoken('bar')} {place}: {spectator.name}" for place, spectator in enumerate(there, 1)
        )
        controls.say(
            _("There are several spectators. Type one of these: {lines}.").format(
                lines=", ".join(lines)
            )
        )
    elif not 0 < (place := 1 if number is None else number) <= len(there):
        controls.say(_("There is no spectator {number}.").format(number=place))
    else:
        spectator = there[place - 1]
        controls.decide(BarSpectator(spectator.key))
        controls.say(_("{name} is barred from watching.").format(name=spectator.name))
