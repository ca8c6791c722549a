"""The set phrases that people say at a table: which there are, and saying one of them."""

from client.i18n.language import _, bare
from client.ui.model.controls import Controls
from client.ui.text.events import PHRASE_WORDS
from p2p.table.asides import PHRASES, AsideCode


def phrases(controls: Controls) -> tuple[AsideCode, ...]:
    """Return the phrases that can be said here.

    There are none where nobody listens; "Sorry, partner." is one only where there are couples.
    """
    if controls.snapshot is None or controls.speak is None:
        return ()
    charter = controls.snapshot.state.charter
    players = len(charter.members)
    alone = charter.game.sides(players) == players
    return tuple(code for code in PHRASES if not (alone and code is AsideCode.SORRY_PARTNER))


def say_phrase(controls: Controls, number: int) -> None:
    """Say the phrase with that number, counted from 1."""
    there = phrases(controls)
    if controls.speak is None:
        controls.say(_("Nobody else is at this table."))
    elif 0 < number <= len(there):
        controls.speak(there[number - 1])
    else:
        controls.say(_("There is no phrase {number}.").format(number=number))


def phrase_number(controls: Controls, text: str) -> int | None:
    """Return the number of a phrase that is typed by its number or in its words; None for none."""
    if text.isascii() and text.isdecimal() and len(text) < 4:
        return int(text)
    wordings = [_bare(_(PHRASE_WORDS[code])) for code in phrases(controls)]
    typed = _bare(text)
    return wordings.index(typed) + 1 if typed in wordings else None


def _bare(text: str) -> str:
    """Return the text without accents, and without marks at its ends."""
    return bare(text).strip("\N{INVERTED EXCLAMATION MARK}.!")
