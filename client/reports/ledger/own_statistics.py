"""A person's results from audited records: wins by level, game and partner, streaks, and a rating.

The rating is that of A. E. Elo ("The Rating of Chessplayers", 1978): with a difference of 400
points, the stronger player wins ten matches for each one lost. The levels of opponents have fixed
ratings, from matches between levels (BENCHMARKS.md). The person's rating is the value that makes
their results against the levels most likely, together with a weak prior belief. Matches with other
people do not change the rating, because nobody knows how strong those people are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, sqrt

from attrs import define, field, frozen

from client.i18n.language import _, _n, number, with_and
from client.i18n.setting_values import value_text
from client.own_statistics_line import StatisticsLine, digits, drawn
from client.reports.ledger.match import LedgerMatch
from engine.games import game_named

LEVEL_RATINGS: Mapping[str, float] = {"easy": 510, "middle": 1000, "strong": 1190, "patient": 1320}
"""Ratings of the levels; `middle` has 1000.

A difference is 400 times the decimal logarithm of wins per loss: 190 for three wins per loss.
Strong wins 75 % of its matches against middle, patient 68 % against strong (Canasta of four), and
middle 17 of 18 against easy.
"""

PRIOR, PRIOR_DOUBT = 1000.0, 350.0
"""The rating before any match, with its standard deviation."""

_SCALE = log(10) / 400
_SURE = 1.96  # standard deviations of an interval with 95 %
_BEST = 3  # rounds to list


@frozen
class Rating:
    """A rating; `error` is half the width of its 95 % confidence interval."""

    value: float
    error: float


@frozen
class OwnMatch:
    """A match, seen from the side of the person whose statistics these are."""

    file: str
    game: str
    level: str
    """The level of the opponents; "" if they were people."""
    won: bool
    drawn: bool
    partners: tuple[str, ...]
    best: int | None
    """The best score of the person's side in a round; None if no round was counted."""


@define
class Tally:
    """A number of matches, and the number of wins among them."""

    matches: int = 0
    wins: int = 0

    def add(self, match: OwnMatch) -> None:
        self.matches += 1
        self.wins += match.won


@define
class OwnStatistics:
    """The person's results over all matches."""

    total: Tally = field(factory=Tally)
    levels: dict[str, Tally] = field(factory=dict)
    """Matches by the opponents' level; "" stands for people."""
    games: dict[str, Tally] = field(factory=dict)
    partners: dict[str, Tally] = field(factory=dict)
    best: list[tuple[int, str]] = field(factory=list)
    """The rounds with the most points, each as (points, file)."""
    streak: int = 0
    """Number of matches won in a row up to now."""
    longest: int = 0
    ratings: list[Rating] = field(factory=list)
    """The rating after each match against a level with a rating, the oldest first."""


def own_match(file: str, match: LedgerMatch, key: str) -> OwnMatch | None:
    """Return a match from the side of the person with that key; None if they were not there.

    At a table against programs the person is the first player, with a key made for that table.
    """
    if match.opponents:
        player = 0
    elif key in match.players:
        player = match.players.index(key)
    else:
        return None
    own, side = match.players[player], match.sides[player]
    others = zip(match.players, match.names, match.sides, strict=True)
    partners = tuple(name for one, name, at in others if at == side and one != own)
    points = [one.points[own] for one in match.rounds if own in one.points]
    return OwnMatch(
        file=file,
        game=match.game,
        level=match.opponents,
        won=match.winner == side,
        drawn=match.winner is None,
        partners=partners,
        best=max(points, default=None),
    )


def own_statistics(matches: Iterable[OwnMatch]) -> OwnStatistics:
    """Return the statistics of matches, which come in order, the oldest first."""
    found = OwnStatistics()
    rated: list[tuple[float, float]] = []
    for match in matches:
        found.total.add(match)
        found.levels.setdefault(match.level, Tally()).add(match)
        found.games.setdefault(match.game, Tally()).add(match)
        for partner in match.partners:
            found.partners.setdefault(partner, Tally()).add(match)
        if match.best is not None:
            found.best.append((match.best, match.file))
        found.streak = found.streak + 1 if match.won else 0
        found.longest = max(found.longest, found.streak)
        if match.level in LEVEL_RATINGS:
            rated.append((LEVEL_RATINGS[match.level], 0.5 if match.drawn else float(match.won)))
            found.ratings.append(rating(rated))
    found.best = sorted(found.best, reverse=True)[:_BEST]
    return found


def rating(results: Sequence[tuple[float, float]]) -> Rating:
    """Return the most likely rating after matches, each given as (opponent's rating, result).

    A result is 1 for a win, 0.5 for a draw, and 0 for a loss. The logarithm of the likelihood is
    concave, so Newton's method finds its maximum; the interval follows from the curvature there.
    """
    value, precision = PRIOR, 1 / PRIOR_DOUBT**2
    for _step in range(50):
        slope, curvature = (PRIOR - value) * precision, precision
        for other, result in results:
            expected = 1 / (1 + 10 ** ((other - value) / 400))
            slope += _SCALE * (result - expected)
            curvature += _SCALE**2 * expected * (1 - expected)
        # The first steps of Newton's method can be far too long, so each is limited.
        step = max(-200.0, min(200.0, slope / curvature))
        value += step
        if abs(step) < 1e-6:
            break
    return Rating(value, _SURE / sqrt(curvature))


def line_of(found: OwnStatistics, records: int, newest: int) -> StatisticsLine:
    """Return the statistics as the first screen shows them."""
    last = found.ratings[-1] if found.ratings else rating(())
    curve = digits([one.value for one in found.ratings])
    return StatisticsLine(
        records,
        newest,
        found.total.matches,
        found.total.wins,
        round(last.value),
        round(last.error),
        curve,
    )


def statistics_lines(found: OwnStatistics, *, symbols: bool) -> Iterator[str]:
    """Return the statistics in lines for people."""
    if not found.total.matches:
        yield _("There is no sound record of a match of yours that is over.")
        return
    yield _("All: {tally}").format(tally=_tally(found.total))
    people = _("people")
    for level, tally in found.levels.items():
        name = value_text(level) if level else people
        yield _("Against {name}: {tally}").format(name=name, tally=_tally(tally))
    for game, tally in found.games.items():
        yield f"{game_named(game).title}: {_tally(tally)}"
    for partner, tally in sorted(found.partners.items(), key=lambda one: -one[1].matches):
        yield _("With {name}: {tally}").format(name=partner, tally=_tally(tally))
    if found.best:
        rounds = with_and(f"{number(points)} ({file})" for points, file in found.best)
        yield _("Best rounds: {rounds}").format(rounds=rounds)
    yield _("Won in a row: {now} now, {longest} at most").format(
        now=number(found.streak), longest=number(found.longest)
    )
    if found.ratings:
        last = found.ratings[-1]
        yield _("Rating: {rating}, give or take {error} (95 %), from {matches}").format(
            rating=number(round(last.value)),
            error=number(round(last.error)),
            matches=_n("{n} match", "{n} matches", len(found.ratings)),
        )
        yield "  " + drawn(digits([one.value for one in found.ratings]), symbols=symbols)
        levels = with_and(
            f"{value_text(name)} {value:.0f}" for name, value in LEVEL_RATINGS.items()
        )
        yield _("The ratings of the levels: {levels}.").format(levels=levels)


def _tally(tally: Tally) -> str:
    matches = _n("{n} match", "{n} matches", tally.matches)
    return f"{matches}, " + _n("{n} win", "{n} wins", tally.wins)
