"""Lines of the log about asides: phrases, wishes for a rematch, and farewells."""

from collections.abc import Mapping

from client.i18n.language import _
from client.session.display.snapshot import LogLine
from engine.sentences import N_, Marked
from p2p.table.asides import AsideCode

PHRASE_WORDS: Mapping[AsideCode, Marked] = {
    AsideCode.WELL_PLAYED: N_("Well played!"),
    AsideCode.ONE_MOMENT: N_("One moment, please."),
    AsideCode.SORRY_PARTNER: N_("Sorry, partner."),
    AsideCode.THANK_YOU: N_("Thank you!"),
    AsideCode.GOOD_LUCK: N_("Good luck!"),
}
"""The phrases that people say at a card table."""


def aside_line(name: str, code: AsideCode, *, own: bool) -> LogLine:
    """Return the line about an aside: a phrase, a wish for a rematch, or a farewell."""
    match code:
        case AsideCode.REMATCH:
            text = _("would like a rematch")
        case AsideCode.REMATCH_OTHER_SEATS:
            text = _("would like a rematch with the seats changed")
        case AsideCode.LEAVING:
            text = _("has left the table")
        case _phrase:
            text = _("says “{phrase}”").format(phrase=_(PHRASE_WORDS[code]))
    return LogLine(text, name, aside=not own)
