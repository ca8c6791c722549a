"""Luck: tests, over many records, that compare the cards dealt and drawn with chance.

A card that leaves the stock could be any card that is left of its deal. If m_j of the m cards that
are left are in category j, the next card is in j with probability m_j / m, whatever went before.
Counts are compared with these probabilities card by card. So it does not matter that people draw,
or end a round, because of the cards they hold. Only counted rounds in which every hand was opened
at the end are used, so no card is left out because of its face.

* Ranks, dealt and drawn. The sum D of (came - expected) has the covariance S, the sum of diag(p) -
  p p' over all cards. Then D' S^-1 D is about chi-squared with (ranks - 1) degrees of freedom.
* Curves of special cards, dealt and drawn, in the order in which they came. The difference (came -
  expected) is a martingale; its variance is the sum of p (1 - p).
* Special cards dealt. Their number in a hand is hypergeometric, and their number in all hands has
  the convolution of these distributions. So the p-value is exact.
* Special cards drawn. The number of cards that a player draws depends on the play, so no fixed
  distribution is exact. The test takes the likelihood ratio of "special cards come w times as
  easily" to chance. Under chance this ratio is a martingale: its mean is 1, no matter after which
  card one stops. So 1 / ratio is a p-value that is never too small.

Among many tests some find something by chance, so all p-values get Holm's correction.
"""

from collections.abc import Iterable, Iterator

from attrs import define, evolve, field, frozen

from client.i18n.language import _, _n, with_and
from client.reports.luck.counting import CardTally, Walk, given_cards, hands_dealt
from client.reports.luck.statistics import (
    anytime_p,
    chi_squared_tail,
    holm,
    quadratic_form,
    total_chances,
)
from client.reports.model import AuditReport, DeckReport, PlayerReport, RoundReport
from engine.sentences import N_

_FEWEST_EXPECTED = 5.0
"""The minimum expected count of the rarest rank; below it, chi-squared approximates poorly."""

LEVEL = 0.01
"""Corrected p-value below which a result is worth a second look."""

_SENTENCE = N_(
    "Such tests can show that the cards of these records were unlike chance. They cannot show that "
    "nobody cheated: a player who knows a few cards, or is lucky at the right moment, leaves no "
    "trace in them; and whoever picks the records can pick the luck. The proofs in each record say "
    "more: every player shuffled every deck, so one honest player makes all orders equally likely."
)


_HOW = (N_("dealt"), N_("drawn"))
_WHAT = (N_("ranks"), N_("wild cards"), N_("bonus cards"))
_METHODS = (N_("chi-squared"), N_("exact"), N_("anytime"))
"""Words for the fields `how`, `what` and `method` of a `Look`, marked for translation."""


@frozen
class Look:
    """One test of the cards of one player."""

    game: str
    player: int
    """Index of the player in `LuckReport.players`."""
    how: str
    """"dealt" or "drawn"."""
    what: str
    """"ranks", "wild cards" or "bonus cards"."""
    method: str
    """"chi-squared", "exact" or "anytime"."""
    came: int
    expected: float
    p: float | None
    """The p-value; None if there are too few cards for the method."""
    corrected: float | None = None
    """The p-value after Holm's correction."""

    @property
    def strikes(self) -> bool:
        """True if the result is unlike chance even after the correction."""
        return self.corrected is not None and self.corrected < LEVEL


@frozen
class RankCount:
    """Number of cards of a rank that came to a player, and the number expected by chance."""

    rank: str
    came: int
    expected: float


@frozen
class Share:
    """The counts by rank of all cards that were dealt to a player, or that they drew."""

    game: str
    player: int
    how: str
    ranks: tuple[RankCount, ...]

    @property
    def cards(self) -> int:
        """The number of cards of all ranks."""
        return sum(rank.came for rank in self.ranks)


@frozen
class CurvePoint:
    """One point of a curve, after `cards` cards."""

    cards: int
    came: int
    """Number of special cards among them."""
    expected: float
    """Number expected by chance."""
    deviation: float
    """Standard deviation of the number of special cards, by chance."""


@frozen
class Curve:
    """The running count of special cards that one player was dealt or drew."""

    game: str
    player: int
    what: str
    points: tuple[CurvePoint, ...]


@frozen
class LuckReport:
    """Results of the tests over all records."""

    records: int
    """The number of records."""
    rounds: int
    """The number of counted rounds in them."""
    players: tuple[PlayerReport, ...]
    """The players, one for each key. The name is the one in the last record with that key."""
    shares: tuple[Share, ...]
    looks: tuple[Look, ...]
    curves: tuple[Curve, ...] = ()
    level: float = LEVEL
    sentence: str = _SENTENCE

    @property
    def extent(self) -> str:
        """The extent of the data, in words."""
        records = _n("{n} record", "{n} records", self.records)
        rounds = _n("{n} counted round", "{n} counted rounds", self.rounds)
        return _("{records} with {rounds}").format(records=records, rounds=rounds)

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        tested = [look for look in self.looks if look.p is not None]
        striking = [look for look in tested if look.strikes]
        if not tested:
            return _("There are too few counted rounds to test anything.")
        if not striking:
            return _("In {looks} tests nothing is unlike chance (all above {level}).").format(
                looks=len(tested), level=f"{LEVEL:.0%}"
            )
        names = with_and(dict.fromkeys(self.players[look.player].name for look in striking))
        return _(
            "{striking} of {looks} tests find something unlike chance (below {level} after "
            "correction), in the cards of {names}."
        ).format(striking=len(striking), looks=len(tested), level=f"{LEVEL:.0%}", names=names)


def luck_report(reports: Iterable[AuditReport]) -> LuckReport:
    """Return the statistics over the counted rounds of all records.

    If a record does not hold to its end, the rounds before the fault count.
    """
    book = _Book()
    for report in reports:
        book.enter(report)
    return book.report()


@define
class _Book:
    """The counts so far."""

    records: int = 0
    rounds: int = 0
    players: dict[bytes, PlayerReport] = field(factory=dict)
    tallies: dict[tuple[str, bytes, str], CardTally] = field(factory=dict)
    """The counted cards by game, player's key, and "dealt" or "drawn"."""
    walks: dict[tuple[str, bytes, str], Walk] = field(factory=dict)
    """The walks by game, key, and kind of special cards."""

    def enter(self, report: AuditReport) -> None:
        table = report.table
        if table is None:
            return
        self.records += 1
        for counted in (one for one in report.rounds if one.count and not one.count.closed):
            self.rounds += 1
            self._enter_round(counted, table.game, table.deck)

    def _enter_round(self, counted: RoundReport, game: str, deck: DeckReport) -> None:
        keys = [player.key for player in counted.players]
        # A key is one player in all records, but may sit in a different seat in each.
        seatless = [evolve(player, seat=None, side=None) for player in counted.players]
        self.players |= {player.key: player for player in seatless}

        def tally(player: int, how: str) -> CardTally:
            return self.tallies.setdefault((game, keys[player], how), CardTally(deck))

        for deal in counted.deals:
            for given, card, left in given_cards(deal, deck):
                assert given.player is not None
                tally(given.player, "dealt" if given.dealt else "drawn").add(card, left)
                for what, cards in deck.special.items():
                    walk = self.walks.setdefault((game, keys[given.player], what), Walk())
                    walk.step(card in cards, left.chance_of(cards))
            for player, hand in hands_dealt(deal).items():
                tally(player, "dealt").add_hand(deal, hand)

    def report(self) -> LuckReport:
        keys = list(self.players)
        piles = [
            _Pile(game, keys.index(key), how, tally)
            for (game, key, how), tally in self.tallies.items()
        ]
        piles.sort(key=lambda pile: (pile.game, pile.player, pile.how))
        looks = [look for pile in piles for look in pile.looks()]
        return LuckReport(
            self.records,
            self.rounds,
            tuple(self.players.values()),
            tuple(pile.share() for pile in piles),
            _corrected(looks),
            tuple(sorted(self._curves(keys), key=lambda one: (one.game, one.player, one.what))),
        )

    def _curves(self, keys: list[bytes]) -> Iterator[Curve]:
        for (game, key, what), walk in self.walks.items():
            points = tuple(CurvePoint(*one) for one in walk.thinned())
            yield Curve(game, keys.index(key), what, points)


@frozen
class _Pile:
    """Cards that one player was dealt or drew in one game, ready for the tests."""

    game: str
    player: int
    """The index of the player in `LuckReport.players`."""
    how: str
    """"dealt" or "drawn"."""
    tally: CardTally

    def share(self) -> Share:
        tally = self.tally
        counts = zip(tally.ranks, tally.expected, strict=True)
        ranks = tuple(RankCount(rank, tally.came[rank], expected) for rank, expected in counts)
        return Share(self.game, self.player, self.how, ranks)

    def looks(self) -> Iterator[Look]:
        came = self.tally.came.total()
        yield self._look("ranks", "chi-squared", came, float(came), self._ranks_p())
        for what, special in self.tally.special.items():
            method, p = (
                ("exact", total_chances(special.hands).two_sided(special.came))
                if self.how == "dealt"
                else ("anytime", anytime_p(special.log_ratios))
            )
            yield self._look(what, method, special.came, special.expected, p)

    def _look(self, what: str, method: str, came: int, expected: float, p: float | None) -> Look:
        return Look(self.game, self.player, self.how, what, method, came, expected, p)

    def _ranks_p(self) -> float | None:
        """Return the p-value of the counts by rank; None if there are too few cards.

        The last rank is left out, because the other counts determine it.
        """
        tally = self.tally
        if min(tally.expected) < _FEWEST_EXPECTED:
            return None
        most = len(tally.ranks) - 1
        off = [tally.came[rank] - tally.expected[i] for i, rank in enumerate(tally.ranks)]
        covariance = [row[:most] for row in tally.covariance[:most]]
        return chi_squared_tail(quadratic_form(off[:most], covariance), most)


def _corrected(looks: list[Look]) -> tuple[Look, ...]:
    """Return the looks with Holm's correction over all that have a p-value."""
    tested = [look for look in looks if look.p is not None]
    corrected = dict(zip(map(id, tested), holm([look.p or 0.0 for look in tested]), strict=True))
    return tuple(evolve(look, corrected=corrected.get(id(look))) for look in looks)
