"""The reasons why a node refuses another node: a number on the wire, a sentence for people.

The numbers are registered in `spec/messages.md`, 9; the meaning of a number never changes. Only the
number is sent, never a text. So everybody reads the reason in their own language, and no peer can
choose the words that this program shows.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Self

from attrs import frozen

from engine.sentences import N_, Marked, Sentence

HIGHEST_REASON = 65_535


class Reason(IntEnum):
    """The registered reasons in a goodbye: the message that refuses a node and ends the link."""

    NO_TABLE = 1
    OLDER_PROTOCOL = 2
    NEWER_PROTOCOL = 3
    SEATED_ALREADY = 4
    TABLE_FULL = 5
    NAME_TAKEN = 6
    LOBBY_CLOSED = 7
    KEPT_FOR_REMATCH = 8
    KNOWN_PLAYERS_ONLY = 9
    OTHER_KEY = 10
    MATCH_NOT_OVER = 11
    NO_VACANT_SEAT = 12
    ENOUGH_CANDIDATES = 13
    SEAT_NOT_VACANT_ANY_MORE = 14
    BROKE_OFF_TOO_OFTEN = 15
    TURNED_AWAY = 16
    TOO_MANY_KNOCK = 17
    NEVER_READY = 18
    SENT_AWAY = 19
    OTHER_NETWORK = 20
    NO_SPECTATORS = 21
    NOT_BEGUN = 22
    ENOUGH_SPECTATORS = 23
    SPECTATOR_BARRED = 24
    TOO_MANY_CAME = 25
    NAME_RESERVED = 26
    MATCH_ENDED = 27


_TEXTS: Mapping[Reason, Marked] = {
    Reason.NO_TABLE: N_("There is no such table here, or not any more."),
    Reason.OLDER_PROTOCOL: N_("The program there is older than yours: it has to be updated."),
    Reason.NEWER_PROTOCOL: N_("The program there is newer than yours: update yours."),
    Reason.SEATED_ALREADY: N_("You sit at this table already."),
    Reason.TABLE_FULL: N_("The table is full."),
    Reason.NAME_TAKEN: N_("Somebody of that name sits here already; choose another name."),
    Reason.LOBBY_CLOSED: N_("The host has closed the table."),
    Reason.KEPT_FOR_REMATCH: N_("This table is kept for those who have just played at it."),
    Reason.KNOWN_PLAYERS_ONLY: N_("This table is open only to players who have sat here before."),
    Reason.OTHER_KEY: N_(
        "The player there knows somebody of your name with another key. If you have a new machine, "
        "ask that player to forget the old key: sobremesa players --forget NAME."
    ),
    Reason.MATCH_NOT_OVER: N_("The match at this table is not over yet; you have a seat there."),
    Reason.NO_VACANT_SEAT: N_(
        "No seat is free at this table: no player is missing, or not for long enough yet."
    ),
    Reason.ENOUGH_CANDIDATES: N_("Enough players wait for that seat already."),
    Reason.SEAT_NOT_VACANT_ANY_MORE: N_("The table goes on with the players it has."),
    Reason.BROKE_OFF_TOO_OFTEN: N_(
        "The table could not begin because you left, did not answer, or were not ready after all; "
        "ask the host to open it again."
    ),
    Reason.TURNED_AWAY: N_("The host has not let you in."),
    Reason.TOO_MANY_KNOCK: N_("Too many wait at the door of that table."),
    Reason.NEVER_READY: N_("The others were ready for minutes, and you were not."),
    Reason.SENT_AWAY: N_("The host has sent you away from this table."),
    Reason.OTHER_NETWORK: N_(
        "The program there takes no calls from other networks than its own, unless it is started "
        "with --anywhere: sobremesa host --anywhere."
    ),
    Reason.NO_SPECTATORS: N_("Nobody may watch at this table: its players have not agreed to it."),
    Reason.NOT_BEGUN: N_("The match at this table has not begun yet: ask again when it has."),
    Reason.ENOUGH_SPECTATORS: N_("All places for spectators at this table are taken."),
    Reason.SPECTATOR_BARRED: N_("A player has barred you from watching at this table."),
    Reason.TOO_MANY_CAME: N_(
        "Too many strangers have come to watch there lately: try again in a minute."
    ),
    Reason.NAME_RESERVED: N_(
        "That name could be mistaken for a word of the program, like “You” or “Host”; choose "
        "another name."
    ),
    Reason.MATCH_ENDED: N_(
        "The match at that table has ended: you cannot take a seat there any more."
    ),
}


def sentence_of(reason: int) -> Sentence:
    """Return the sentence for a goodbye with this reason, even if the reason is unknown."""
    if reason in _TEXTS:
        return Sentence.of(_TEXTS[Reason(reason)])
    return Sentence(
        "The node there says no, for a reason that this program does not know ({reason}). "
        "Perhaps the program there is newer.",
        reason=reason,
    )


@frozen
class Refusal:
    """A refusal: the reason that the other side gets, and the sentence that our player reads."""

    reason: Reason
    sentence: Sentence

    @classmethod
    def of(cls, reason: Reason) -> Self:
        """Return a refusal for which both sides read the same sentence."""
        return cls(reason, sentence_of(reason))
