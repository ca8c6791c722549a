"""The ledger: sums over many matches for each player's key, and the records behind them."""

from collections import Counter
from collections.abc import Iterable

from attrs import define, field, frozen

from client.i18n.language import _
from client.reports.ledger.audit_files import AuditedFile
from client.reports.ledger.match import LedgerMatch


@frozen
class Backing:
    """A record that counts."""

    number: int
    """The record's number in the ledger, from 1 on."""
    file: str
    digest: str
    match: LedgerMatch


@frozen
class LeftOut:
    """A file that does not count, and the reason."""

    file: str
    reason: str


@define
class PlayerSums:
    """The sums over the matches of one key."""

    key: str
    name: str = ""
    matches: int = 0
    wins: int = 0
    points: int = 0
    canastas: int = 0
    best_round: tuple[int, int] | None = None
    """The points of the best round, and the number of its record."""
    longest: tuple[int, int] | None = None
    """The number of rounds of the longest match, and the number of its record."""
    partners: Counter[str] = field(factory=Counter)
    opponents: Counter[str] = field(factory=Counter)
    records: list[int] = field(factory=list)
    """Numbers of the records that these sums come from."""
    curve: list[tuple[int, int]] = field(factory=list)
    """The sum of match points after each record, as (number of the record, points)."""


@frozen
class Ledger:
    """The whole ledger."""

    backings: tuple[Backing, ...]
    left: tuple[LeftOut, ...]
    players: tuple[PlayerSums, ...]
    """Players in the order of wins, then points."""

    def name(self, key: str) -> str:
        """Return the player's name, as in the last record that has the key."""
        return next(one.name for one in self.players if one.key == key)


def ledger_of(audited: Iterable[tuple[str, AuditedFile]]) -> Ledger:
    """Return the ledger of audited files, which come with their names.

    A match counts once, however many files have it.
    """
    backings: list[Backing] = []
    left: list[LeftOut] = []
    seen: dict[str, str] = {}
    players: dict[str, PlayerSums] = {}
    for file, one in audited:
        if one.match is None:
            left.append(LeftOut(file, one.reason))
        elif one.match.match in seen:
            text = _("It is the same match as {file}, which counts already.")
            left.append(LeftOut(file, text.format(file=seen[one.match.match])))
        else:
            seen[one.match.match] = file
            backing = Backing(len(backings) + 1, file, one.digest, one.match)
            backings.append(backing)
            _add(players, backing)
    order = sorted(players.values(), key=lambda one: (-one.wins, -one.points, one.key))
    return Ledger(tuple(backings), tuple(left), tuple(order))


def _add(players: dict[str, PlayerSums], backing: Backing) -> None:
    match, number = backing.match, backing.number
    for key, name, side in zip(match.players, match.names, match.sides, strict=True):
        sums = players.setdefault(key, PlayerSums(key))
        sums.name = name
        sums.matches += 1
        sums.records.append(number)
        sums.points += match.totals[side] if match.totals else 0
        sums.wins += side == match.winner
        sums.curve.append((number, sums.points))
        if sums.longest is None or len(match.rounds) > sums.longest[0]:
            sums.longest = len(match.rounds), number
        for other, its_side in zip(match.players, match.sides, strict=True):
            if other != key:
                (sums.partners if its_side == side else sums.opponents)[other] += 1
    for one in match.rounds:
        for key, points in one.points.items():
            # The match does not count for a player who was replaced before its end.
            if key in match.players:
                sums = players[key]
                sums.canastas += one.canastas.get(key, 0)
                if sums.best_round is None or points > sums.best_round[0]:
                    sums.best_round = points, number
