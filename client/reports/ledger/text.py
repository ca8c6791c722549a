"""The ledger as lines of text, and as JSON."""

import json
from collections import Counter
from collections.abc import Iterator

from attrs import asdict

from client.i18n.language import _, _n, couple, number, with_and
from client.reports.ledger.ledger import Backing, Ledger, PlayerSums
from client.reports.words import listed
from engine.games import game_named
from protocol.words_for_keys import words

_DIGEST_SHOWN = 12
VERSION = 1
"""Version of the JSON format."""


def ledger_lines(ledger: Ledger) -> Iterator[str]:
    """Return lines on the players, the deals of the day, the records, and the files left out."""
    if not ledger.backings:
        yield _("There is no sound record of a match that is over.")
    for sums in ledger.players:
        yield from (
            f"{sums.name} ({key_words(sums.key)})",
            *map("  {}".format, facts(ledger, sums)),
        )
    if days := list(day_results(ledger)):
        yield from ("", _("Deals of the day:"), *map("  {}".format, days))
    if ledger.backings:
        yield from ("", _("Records that count:"))
    for backing in ledger.backings:
        yield f"  {backing_line(backing)}"
    if ledger.left:
        yield from ("", _("Records that do not count:"))
    for one in ledger.left:
        yield from (f"  {one.file}", f"    {one.reason}")


def key_words(key: str) -> str:
    """Return the words that stand for a key in hexadecimal."""
    return " ".join(words(bytes.fromhex(key)))


def facts(ledger: Ledger, sums: PlayerSums) -> Iterator[str]:
    """Return a player's sums as text, with the numbers of the records behind them."""
    yield ", ".join(
        [
            _n("{n} match", "{n} matches", sums.matches),
            _n("{n} win", "{n} wins", sums.wins),
            _n("{n} point", "{n} points", sums.points),
            _n("{n} complete meld", "{n} complete melds", sums.canastas),
        ]
    )
    if sums.best_round:
        points, record = sums.best_round
        text = _("best round: {points} points (record {record})")
        yield text.format(points=number(points), record=record)
    if sums.longest:
        rounds, record = sums.longest
        text = _("longest match: {rounds} (record {record})")
        yield text.format(rounds=_n("{n} round", "{n} rounds", rounds), record=record)
    if sums.partners:
        yield _("with {names}").format(names=_counted(ledger, sums.partners))
    if sums.opponents:
        yield _("against {names}").format(names=_counted(ledger, sums.opponents))
    yield _("backed by the records {numbers}").format(numbers=listed(map(str, sums.records)))


def day_results(ledger: Ledger) -> Iterator[str]:
    """Return a line for each deal of the day: its players and their points, the best first."""
    deals: dict[tuple[str, str, int], list[Backing]] = {}
    for one in ledger.backings:
        if one.match.day:
            deal = one.match.day, one.match.game, len(one.match.players)
            deals.setdefault(deal, []).append(one)
    for (day, game, players), backings in sorted(deals.items()):
        backings.sort(key=lambda one: (-_points_of_first(one), one.number))
        results = listed(
            _("{name} {points} (record {record})").format(
                name=one.match.names[0], points=number(_points_of_first(one)), record=one.number
            )
            for one in backings
        )
        table = _n("{game} of {n}", "{game} of {n}", players, game=game_named(game).title)
        yield f"{day}, {table}: {results}"


def _points_of_first(backing: Backing) -> int:
    """Return the points of the first player, who in a deal of the day is the only person."""
    match = backing.match
    return match.totals[match.sides[0]] if match.totals else 0


def _counted(ledger: Ledger, others: Counter[str]) -> str:
    return with_and(f"{ledger.name(key)} ({count})" for key, count in others.most_common())


def backing_line(backing: Backing) -> str:
    """Return a line about a record that counts: players, result, and who has signed the end."""
    match = backing.match
    names = dict(zip(match.players, match.names, strict=True))
    sides = [
        couple([n for n, at in zip(match.names, match.sides, strict=True) if at == side])
        for side in range(len(match.totals))
    ]
    result = listed(f"{s} {number(t)}" for s, t in zip(sides, match.totals, strict=True))
    signers = with_and(names.get(key, key_words(key)) for key in match.signers)
    text = _("{record}. {file} [{digest}]: {result}; signed by {signers}")
    return text.format(
        record=backing.number,
        file=backing.file,
        digest=backing.digest[:_DIGEST_SHOWN],
        result=result,
        signers=signers,
    )


def ledger_json(ledger: Ledger) -> str:
    """Return the ledger as JSON, with keys in hexadecimal."""
    data = {"version": VERSION, **asdict(ledger)}
    return json.dumps(data, ensure_ascii=False, indent=1)
