"""What an audit tells: one value with everything, which text, JSON and the page are made of.

It is plain data, so it travels between processes and to other programs as it is. Players are
numbers, as in the charter; a card is its number in the fresh deck of its game. What is text is in
English, for programs; `client.reports.words` has it in the language of the person.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from engine.score_sheet import ScoreSheet
from engine.sentences import N_, Sentence
from protocol.audit import Tally, Verdict
from protocol.shuffle_proof import EQUATIONS

VERSION = 1
"""Of the report's form as JSON."""

_CANNOT_SHOW = (
    N_("Who sat behind a key: names are decoration. Compare the words of a key with their owner."),
    N_("That players did not talk: no record shows what was said or signed across the table."),
    N_("That every shuffle was random: one honest shuffler is enough; all together could cheat."),
    N_("Why somebody was silent: whoever stops may have lost the link or the wish to play on."),
    N_("When it was played, and how long anybody waited: a record has no clock, only an order."),
)


@frozen
class Checked:
    """How much was checked and held: entries by kind, signatures, and proofs by what they prove."""

    entries: Mapping[str, int]
    signatures: int
    shuffle_proofs: int
    unlock_proofs: int
    face_proofs: int

    @classmethod
    def of(cls, tally: Tally) -> "Checked":
        """What the tally says now."""
        return cls(
            dict(tally.entries),
            tally.signatures,
            tally.shuffle_proofs,
            tally.unlock_proofs,
            tally.face_proofs,
        )


@frozen
class PlayerReport:
    """One player. `words` help the eye to compare `key`; seat and side are None before the draw."""

    name: str
    key: bytes
    words: tuple[str, ...]
    seat: int | None = None
    side: int | None = None


@frozen
class DeckReport:
    """The fresh deck: the face and the rank of each card, by its number; which are special."""

    codes: tuple[str, ...]
    ranks: tuple[str, ...]
    wild: frozenset[int]
    bonus: frozenset[int]

    @property
    def special(self) -> Mapping[str, frozenset[int]]:
        """The kinds of special cards that there are in this game."""
        kinds = {"wild cards": self.wild, "bonus cards": self.bonus}
        return {what: cards for what, cards in kinds.items() if cards}


@frozen
class TableReport:
    """What the charter says. `words` stand for the table; all players have compared them. After
    `grace` seconds of silence the others may agree that a player is absent. With `spectators`, all
    have agreed that others may watch.
    """

    table_id: bytes
    words: tuple[str, ...]
    game: str
    title: str
    options: tuple[tuple[str, bool | int], ...]
    grace: int
    spectators: bool
    players: tuple[PlayerReport, ...]
    sides: tuple[str, ...]
    deck: DeckReport

    def during(self, one: "RoundReport") -> "TableReport":
        """With the players who sat there in that round."""
        return evolve(self, players=one.players, sides=one.sides)

    def first_of(self, side: int) -> int:
        """The player of a side who sits first; its colour is the side's."""
        members = [p for p, player in enumerate(self.players) if player.side == side]
        return min(members, key=lambda player: self.players[player].seat or 0)


@frozen
class ShuffleReport:
    """One link of a deal's chain of shuffles, whose proof holds.

    `traces` has one byte of each locked card, in the order of the deck: a picture of it.
    """

    entry: int
    player: int
    unlock_key: bytes
    traces: bytes


@frozen
class Given:
    """A card that left the stock: to a player, or face up on the table for None.

    `dealt` tells the hands of the deal from what was drawn later; `entry` is the one that gave it.
    `card` is None if the record ends before the card is opened.
    """

    slot: int
    player: int | None
    dealt: bool
    entry: int
    card: int | None = None


@frozen
class Taken:
    """Cards of the pile that `player` took in `entry`, from the bottom to the top."""

    entry: int
    player: int
    cards: tuple[int, ...]


@frozen
class DealReport:
    """Cards shuffled together. `cards` is what went in, `given` what came out, oldest first."""

    number: int
    first: int
    cards: tuple[int, ...]
    traces: bytes
    shuffles: tuple[ShuffleReport, ...]
    given: tuple[Given, ...]


@frozen
class CardCount:
    """Where the cards of a round lie when it is counted, every one of them in one place.

    `unseen` lie under locks for ever, `closed` of them in hands of absent players; `missing` and
    `twice` are empty unless the program errs.
    """

    melded: int
    bonus: int
    discarded: int
    held: int
    unseen: int
    missing: int
    twice: tuple[int, ...]
    closed: int = 0

    @property
    def total(self) -> int:
        return self.melded + self.bonus + self.discarded + self.held + self.unseen

    @property
    def balanced(self) -> bool:
        """Whether every card of the deck is accounted for, once."""
        return not self.missing and not self.twice


@frozen
class SheetReport:
    """A counted round, recomputed: its sheet, and the match points by side with it."""

    sheet: ScoreSheet
    totals: tuple[int, ...]


@frozen
class Highlight:
    """Something worth pointing at: `player` does `what` in `entry`."""

    entry: int
    player: int
    what: str


@frozen
class Absence:
    """What `signers`, all the others, have signed in `entry`: that `players` are absent, those of
    `left`, and that substitutes take their seats, in this order, who have signed it too; nobody
    where the match was ended, or where only the hands stay `closed`. Players are numbers.
    """

    entry: int
    players: tuple[int, ...]
    left: tuple[PlayerReport, ...]
    signers: tuple[PlayerReport, ...]
    substitutes: tuple[PlayerReport, ...]
    closed: bool = False


@frozen
class RoundReport:
    """A round, or the draw for seats as number 0, with those who sat there when it began.

    `moves` counts the moves of each player by what they are; `taken` is what was taken from the
    pile; `drawn` are the cards of the draw by player; `signed` tells who has signed the score, and
    in which entry, the absence being one that says it too. It is `void` if the last of the
    `absences` has ended it before it was over (or, the draw, before seats were known).
    """

    number: int
    first: int
    last: int
    players: tuple[PlayerReport, ...]
    sides: tuple[str, ...]
    dealer: int | None
    deals: tuple[DealReport, ...]
    checked: Checked
    moves: tuple[Mapping[str, int], ...]
    highlights: tuple[Highlight, ...]
    taken: tuple[Taken, ...] = ()
    drawn: tuple[int | None, ...] = ()
    count: CardCount | None = None
    sheet: SheetReport | None = None
    signed: tuple[tuple[int, int], ...] = ()
    absences: tuple[Absence, ...] = ()
    void: bool = False

    def last_name(self, player: int) -> str:
        """Who sat there in the end: a substitute, perhaps, who came when hands were opened."""
        names = {p: self.players[p].name for p in range(len(self.players))}
        for absence in self.absences:
            if absence.closed:
                new = (member.name for member in absence.substitutes)
                names.update(zip(absence.players, new, strict=False))
        return names[player]


@frozen
class Conclusion:
    """The verdict with its reason; see `protocol.audit.Finding`.

    `evidence` is for an exposed player: so many bytes of the record, from its first, show it to any
    verifier.
    """

    verdict: Verdict
    sentence: Sentence
    entry: int
    cause: str
    player: int | None
    unsigned: tuple[int, ...]
    evidence: int | None


@frozen
class AuditReport:
    """What the audit of one record has to tell; `table` is None if its charter does not hold.

    `totals` are match points by side, and `winner` the side that has won the match. `over` tells
    that the match was played to its end, `ended` that it was not, for all others have signed that
    it ends with somebody's absence. The players of the table are those who sat there last.
    """

    file: str
    size: int
    table: TableReport | None
    rounds: Sequence[RoundReport]
    checked: Checked
    totals: tuple[int, ...]
    winner: int | None
    over: bool
    ended: bool
    conclusion: Conclusion
    equations: tuple[str, ...] = tuple(EQUATIONS)
    cannot_show: tuple[str, ...] = _CANNOT_SHOW

    @property
    def sound(self) -> bool:
        return self.conclusion.verdict is Verdict.SOUND

    def name(self, player: int) -> str:
        """The player's name. Only for a report with a table."""
        assert self.table is not None
        return self.table.players[player].name
