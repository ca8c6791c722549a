"""The audit report: one value from which the text, the JSON and the page are made.

The report is plain data, so it can be sent to other processes and programs without conversion. A
player is a number, as in the charter; a card is its number in the fresh deck of its game. Texts are
in English, for programs; `client.reports.words` has them in the language of the person.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from engine.score_sheet import ScoreSheet
from engine.sentences import N_, Sentence
from protocol.audit import Finding, Tally, Verdict
from protocol.shuffle_proof import EQUATIONS

NO_RECORD, UNREADABLE = "no record", "unreadable"
"""Verdicts on a file that is no record at all, and on one that cannot be read."""

VERSION = 1
"""Version of the report's format as JSON."""

_CANNOT_SHOW = (
    N_("Who sat behind a key: names are decoration. Compare the words of a key with their owner."),
    N_("That players did not talk: no record shows what was said or signed across the table."),
    N_("That every shuffle was random: one honest shuffler is enough; all together could cheat."),
    N_("Why somebody was silent: whoever stops may have lost the link or the wish to play on."),
    N_("When it was played, and how long anybody waited: a record has no clock, only an order."),
)


@frozen
class PlayerReport:
    """One player."""

    name: str
    key: bytes
    words: tuple[str, ...]
    """Words that stand for the key, because people compare words more easily than keys."""
    seat: int | None = None
    """The seat, from 0 on. Both seat and side are None before the draw."""
    side: int | None = None


@frozen
class DeckReport:
    """The fresh deck: the face and the rank of each card, by its number, and the special cards."""

    codes: tuple[str, ...]
    ranks: tuple[str, ...]
    wild: frozenset[int]
    bonus: frozenset[int]

    @property
    def special(self) -> Mapping[str, frozenset[int]]:
        """The kinds of special cards that this game has."""
        kinds = {"wild cards": self.wild, "bonus cards": self.bonus}
        return {what: cards for what, cards in kinds.items() if cards}


@frozen
class TableReport:
    """The facts about a table: the terms of its charter, its players, its deck."""

    match_id: bytes
    """The table id of the match's first charter."""
    table_id: bytes
    words: tuple[str, ...]
    """Words that stand for the table; all players have compared them."""
    game: str
    title: str
    options: tuple[tuple[str, bool | int], ...]
    grace: int
    """Seconds of silence after which the others may agree to go on without a player."""
    spectators: bool
    """True if all have agreed that others may watch."""
    extensions: tuple[str, ...]
    """Names of the extensions that this program does not know."""
    day: str
    """The date of a deal of the day; "" if there is none."""
    opponents: str
    """The level of the programs that play for all but the first player; "" if none is named."""
    players: tuple[PlayerReport, ...]
    sides: tuple[str, ...]
    deck: DeckReport

    def during(self, one: "RoundReport") -> "TableReport":
        """Return the table with the players who sat there in that round."""
        return evolve(self, players=one.players, sides=one.sides)

    def first_of(self, side: int) -> int:
        """Return the player in the first seat of a side, whose colour stands for the side."""
        members = [p for p, player in enumerate(self.players) if player.side == side]
        return min(members, key=lambda player: self.players[player].seat or 0)


@frozen
class ShuffleReport:
    """One shuffle in the chain of a deal; its proof holds."""

    entry: int
    player: int
    unlock_key: bytes
    traces: bytes
    """One byte of each locked card, in the order of the deck, for a picture of the deck."""


@frozen
class CardGiven:
    """A card that left the stock."""

    slot: int
    player: int | None
    """The player who got the card; None for a card face up on the table."""
    dealt: bool
    """True for cards of the deal, False for cards drawn later."""
    entry: int
    """The entry by which the card left the stock."""
    card: int | None = None
    """The card; None if the record does not show it."""
    aside: bool = False
    """True for a card of a hand that lay aside, after the player has taken that hand up."""


@frozen
class PileTaken:
    """Cards of the pile that `player` took in `entry`, from the bottom to the top."""

    entry: int
    player: int
    cards: tuple[int, ...]


@frozen
class DealReport:
    """Cards that were shuffled together."""

    number: int
    first: int
    cards: tuple[int, ...]
    """Cards that went into the shuffle."""
    traces: bytes
    """One byte of each card before the first shuffle, in the order of the deck."""
    shuffles: tuple[ShuffleReport, ...]
    given: tuple[CardGiven, ...]
    """Cards that left the stock, oldest first."""


@frozen
class CardCount:
    """The number of cards in each place at the end of a round."""

    melded: int
    bonus: int
    discarded: int
    held: int
    unseen: int
    """Number of cards that lie under locks for ever."""
    missing: int
    """Number of cards that are in no place: 0 unless the program has a fault."""
    twice: tuple[int, ...]
    """Cards that are in two places: none unless the program has a fault."""
    closed: int = 0
    """Number of cards among the unseen ones that are in hands of absent players."""

    @property
    def total(self) -> int:
        """Number of all cards that are in some place."""
        return self.melded + self.bonus + self.discarded + self.held + self.unseen

    @property
    def balanced(self) -> bool:
        """True if every card of the deck is accounted for, once."""
        return not self.missing and not self.twice


@frozen
class SheetReport:
    """A counted round, recomputed: its sheet, and the match points by side after it."""

    sheet: ScoreSheet
    totals: tuple[int, ...]


@frozen
class Highlight:
    """An event worth pointing at: `player` does `what` in `entry`."""

    entry: int
    player: int
    what: str
    completes: bool = False
    """True if the player completes a meld."""


@frozen
class Continuation:
    """A continuation, part `entry` of the record: `signers` go on without `players`."""

    entry: int
    players: tuple[int, ...]
    """Numbers of the players who are absent."""
    left: tuple[PlayerReport, ...]
    """The same players, with their names."""
    signers: tuple[PlayerReport, ...]
    substitutes: tuple[PlayerReport, ...]
    """Players who take the seats of `players`, in that order; none if the match ends."""
    ends: bool = False
    closed: bool = False
    """True if hands were being opened at that time; the hands of `players` stay closed."""
    counted: bool = False
    """True if a round was being played at that time; the round is counted as the cards lie."""


@frozen
class RoundReport:
    """A round, or the draw for seats as number 0."""

    number: int
    first: int
    last: int
    players: tuple[PlayerReport, ...]
    """The players at the beginning of the round."""
    sides: tuple[str, ...]
    dealer: int | None
    deals: tuple[DealReport, ...]
    checked: Tally
    moves: tuple[Mapping[str, int], ...]
    """Number of moves of each player, by their kinds."""
    highlights: tuple[Highlight, ...]
    taken: tuple[PileTaken, ...] = ()
    """Cards taken from the pile."""
    drawn: tuple[int | None, ...] = ()
    """Cards of the draw by player."""
    count: CardCount | None = None
    sheet: SheetReport | None = None
    signed: tuple[tuple[int, int], ...] = ()
    """Players who have signed the score, and the entry of each."""
    continuations: tuple[Continuation, ...] = ()
    void: bool = False
    """True if the last of the `continuations` interrupted the round, which is not counted.

    For the draw: True if the draw was interrupted before the seats were known.
    """

    def last_name(self, player: int) -> str:
        """Return the name of the player in that seat at the end of the round.

        A substitute may have taken the seat while hands were being opened.
        """
        names = {p: self.players[p].name for p in range(len(self.players))}
        for one in self.continuations:
            if one.closed:
                new = (member.name for member in one.substitutes)
                names.update(zip(one.players, new, strict=False))
        return names[player]


@frozen
class Conclusion(Finding):
    """The finding of the audit, with what the program adds to it.

    `exposed` has all exposed players, former ones too. If a key never had a seat in the record, the
    name is "" there, because the name in the evidence may be made up.
    """

    evidence: int | None = None
    """The number of bytes, from the start of the record, that show the finding to any verifier.

    None if the finding names no player.
    """
    given_up: str = ""
    """The name of this machine's player, if they have given up the match; "" otherwise.

    The name comes from the journal, not from the record; it is "" for a finished match, too.
    """


@frozen
class AuditReport:
    """The report on the audit of one record."""

    file: str
    size: int
    table: TableReport | None
    """The last table of the record; None if the charter does not hold."""
    rounds: Sequence[RoundReport]
    checked: Tally
    totals: tuple[int, ...]
    """Match points by side."""
    winner: int | None
    """The side that has won the match."""
    over: bool
    """True if the match was played to its end."""
    ended: bool
    """True if the match was ended early: the others have signed that it ends without somebody."""
    conclusion: Conclusion
    equations: tuple[str, ...] = tuple(EQUATIONS)
    cannot_show: tuple[str, ...] = _CANNOT_SHOW

    @property
    def sound(self) -> bool:
        """True if the verdict is sound."""
        return self.conclusion.verdict is Verdict.SOUND

    def name(self, player: int) -> str:
        """Return the player's name; only for a report with a table."""
        assert self.table is not None
        return self.table.players[player].name


@frozen
class FailedAudit:
    """A file that could not be audited, with the reason."""

    file: str
    verdict: str
    sentence: Sentence

    @property
    def conclusion(self) -> Mapping[str, object]:
        """The conclusion, with the fields of a `Conclusion` (`spec/record.md`, 1)."""
        cause = "R1" if self.verdict == NO_RECORD else ""
        found = {"verdict": self.verdict, "sentence": self.sentence, "entry": 0, "cause": cause}
        empty = {"player": None, "unsigned": (), "evidence": None, "given_up": "", "exposed": ()}
        return found | empty
