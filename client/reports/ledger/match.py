"""A match as the ledger counts it: a few numbers, and the keys that have signed them.

The match is plain data, so that it can be cached as JSON. Keys are in hexadecimal.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from client.reports.deal_of_the_day_check import is_deal_of_the_day
from client.reports.model import AuditReport, RoundReport


@frozen
class RoundResult:
    """A counted round."""

    points: Mapping[str, int]
    """The points of the player's side, by the player's key."""
    canastas: Mapping[str, int]
    """The number of canastas that the player has completed, by the player's key."""


@frozen
class LedgerMatch:
    """A match of a sound record."""

    match: str
    """The match id, in hexadecimal: the id of the first table, even if others followed."""
    game: str
    players: tuple[str, ...]
    """Keys of the players at the end of the match, in the order of their numbers."""
    names: tuple[str, ...]
    sides: tuple[int, ...]
    """The side of each player."""
    totals: tuple[int, ...]
    winner: int | None
    rounds: tuple[RoundResult, ...]
    signers: tuple[str, ...]
    """Keys that have signed the score of the last counted round."""
    day: str = ""
    """Date of the deal of the day, if the cards are those of that deal; "" otherwise."""
    opponents: str = ""
    """The level of the programs that played for all but the first player; "" if none is named."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "LedgerMatch":
        """Return a match from the output of `to_json`.

        Raises KeyError, TypeError and ValueError for anything else.
        """
        return cls(
            match=str(data["match"]),
            game=str(data["game"]),
            players=tuple(map(str, data["players"])),
            names=tuple(map(str, data["names"])),
            sides=tuple(map(int, data["sides"])),
            totals=tuple(map(int, data["totals"])),
            winner=None if data["winner"] is None else int(data["winner"]),
            rounds=tuple(
                RoundResult(_numbers(one["points"]), _numbers(one["canastas"]))
                for one in data["rounds"]
            ),
            signers=tuple(map(str, data["signers"])),
            day=str(data["day"]),
            opponents=str(data["opponents"]),
        )


def _numbers(data: Mapping[str, Any]) -> dict[str, int]:
    return {str(key): int(value) for key, value in data.items()}


def match_of(report: AuditReport) -> LedgerMatch:
    """Return the match of a report on a sound record."""
    table = report.table
    assert table is not None, "a sound record has a table"
    results, last = [], None
    before: tuple[int, ...] = ()
    for one in report.rounds:
        if one.sheet is not None:
            results.append(_round_result(one, before))
            before, last = one.sheet.totals, one
    signers = [last.players[player].key.hex() for player, _entry in last.signed] if last else []
    return LedgerMatch(
        match=table.match_id.hex(),
        game=table.game,
        players=tuple(player.key.hex() for player in table.players),
        names=tuple(player.name for player in table.players),
        sides=tuple(player.side or 0 for player in table.players),
        totals=report.totals,
        winner=report.winner if report.over else None,
        rounds=tuple(results),
        signers=tuple(dict.fromkeys(signers)),
        day=table.day if is_deal_of_the_day(report) else "",
        opponents=table.opponents,
    )


def _round_result(one: RoundReport, before: tuple[int, ...]) -> RoundResult:
    assert one.sheet is not None
    earlier = before or (0,) * len(one.sheet.totals)
    gained = [now - then for now, then in zip(one.sheet.totals, earlier, strict=True)]
    made = Counter(
        one.players[light.player].key.hex() for light in one.highlights if light.completes
    )
    points = {player.key.hex(): gained[player.side or 0] for player in one.players}
    return RoundResult(points, dict(made))
