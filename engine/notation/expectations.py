"""Expectations in a file of cases.

A line `expect ...` names a verdict, a score, an item of the sheet, match points, a winner, or a
line of the position that follows.
"""

import re
from collections.abc import Container, Iterator

from attrs import evolve, frozen

from engine.errors import NotationError
from engine.match import Match
from engine.notation.cards import code_of
from engine.notation.position_reader import line_words
from engine.notation.position_writer import SEEN, format_position, game_of
from engine.notation.rulings import Expectation, Ruling, RulingVerdict
from engine.notation.similar_words import unknown_word
from engine.own_lines import NONE, LineKind
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence

_POINTS = re.compile(r"-?[0-9]{1,8}", re.ASCII)
_COPY_MARK = re.compile(r":[1-8]", re.ASCII)
_CLAUSE = re.compile(r"[A-Z][0-9]{1,3}[a-z]?", re.ASCII)

_FORMS = (
    "legal",
    "illegal CLAUSE",
    "undecided",
    "answered CLAUSE",
    "silent",
    "seats PLAYERS (by seat)",
    "score POINTS (by side)",
    "item SIDE CLAUSE POINTS",
    "total POINTS (by side)",
    "winner SIDE (or: none)",
    "a line of the position that follows",
)

_WITH_NUMBER = ("hand", "meld", "bonus")
_FIRST_WORDS = tuple(form.split()[0] for form in _FORMS[:-1])


@frozen
class LineOutcome:
    """The result of a line: the ruling, and the position after it."""

    ruling: Ruling
    position: Position
    clauses: Container[str] | None = None
    """Clauses that the game has; None to accept any."""
    seats: tuple[int, ...] = ()
    """The player at each seat, if seats were drawn."""

    @property
    def sheet(self) -> ScoreSheet | None:
        """The score sheet of the ruling."""
        return self.ruling.sheet


def check(text: str, outcome: LineOutcome) -> Expectation:
    """Return the expectation that `text` states, with its result, or raise NotationError."""
    word, *rest = text.split() or [""]
    ruling = outcome.ruling
    verdict = ruling.verdict
    found = f"{verdict.value} {ruling.clause}".rstrip()
    met: bool | None
    match word.lower(), rest:
        case (("legal" | "undecided" | "silent"), []):
            met = verdict.value == word.lower()
        case (("illegal" | "answered"), []):
            met = verdict.value == word.lower()
        case (("illegal" | "answered"), [clause]) if _CLAUSE.fullmatch(clause):
            _check_clause(clause, outcome)
            met = verdict.value == word.lower() and clause == ruling.clause
        case "seats", _ if len(rest) == outcome.position.seats and all(map(str.isdecimal, rest)):
            found = " ".join(map(str, outcome.seats)) or NONE
            return Expectation(text, rest == found.split(), found)
        case "score", _ if _are_points(rest, outcome):
            found = NONE if outcome.sheet is None else " ".join(map(str, outcome.sheet.totals))
            return Expectation(text, rest == found.split(), found)
        case "total", _ if _are_points(rest, outcome):
            found = " ".join(map(str, _totals(outcome)))
            return Expectation(text, rest == found.split(), found)
        case "item", [side, clause, points] if _is_item(side, clause, points, outcome):
            _check_clause(clause, outcome)
            item = _item(outcome.sheet, int(side) - 1, clause)
            return Expectation(text, int(points) == item, NONE if item is None else str(item))
        case "winner", [side] if side in (NONE, *_sides(outcome)):
            return Expectation(text, side == _winner(outcome), _winner(outcome))
        case first, _ if first in line_words(game_of(outcome.position)):
            return _line_of_position(text, outcome.position)
        case _:
            why = Sentence("One can expect: {forms}.", forms="; ".join(_FORMS))
            if word.lower() in _FIRST_WORDS:
                raise NotationError(why)
            raise unknown_word(why, word, (*_FIRST_WORDS, *line_words(game_of(outcome.position))))
    # An undecided ruling needs a line about the past that the case lacks. So `expect legal` is
    # neither met nor failed.
    if verdict is RulingVerdict.UNDECIDED and word.lower() != "undecided":
        met = None
    return Expectation(text, met, found)


def _check_clause(clause: str, outcome: LineOutcome) -> None:
    """Raise NotationError unless the game, or the rules common to all games, have that clause."""
    known = outcome.clauses is None or clause in outcome.clauses
    if clause[0] not in ("X", outcome.position.letter) or not known:
        raise NotationError(
            "{game} has no clause {clause}.", game=game_of(outcome.position).title, clause=clause
        )


# -- lines of positions


def _line_of_position(line: str, position: Position) -> Expectation:
    if position.orders:
        raise NotationError("Cards are to be dealt or opened first: there is no position yet.")
    written = [*format_position(position).splitlines(), *_further_lines(position)]
    wanted = _bare(line, position)
    # The words that say which line is meant: `hand 1` of `hand 1 Ks 4c`, `pile` of `pile 7h`.
    key = wanted[: 2 if wanted[0] in _WITH_NUMBER else 1]
    if len(key) == 1 and key[0] in _WITH_NUMBER:
        raise NotationError("After {word} comes the number of a seat or side.", word=key[0])
    alike = [each for each in written if _bare(each, position)[: len(key)] == key]
    said = [_bare(each, position) for each in alike]
    value = wanted[len(key) :]
    met = wanted in said
    # `waiting none` also holds if the position has no line `waiting`.
    if not met and _is_nothing(value):
        met = all(_is_nothing(each[len(key) :]) for each in said)
    return Expectation(line, met, "; ".join([*dict.fromkeys(alike)][:8]) or NONE)


def _is_nothing(words: list[str]) -> bool:
    """Return True if these words of a line mean nothing at all: "none", zeros, or no words."""
    return words == [NONE] or all(word == "0" for word in words)


def _bare(line: str, position: Position) -> list[str]:
    """Return the words of a line in the notation's own spelling, without copy marks.

    Copy marks are dropped because nobody can tell equal cards apart at a table. Cards whose order
    does not matter are sorted.
    """
    first, *rest = line.split()
    words = [first.lower(), *(_bare_word(word, position) for word in rest)]
    start = 2 if words[0] in _WITH_NUMBER else 1
    cards = words[start:]
    seats = {own.word for own in position.own_lines if own.kind is LineKind.SEATS}
    if words[0] in ("hand", "bonus", *seats) or (words[0] == "meld" and not _is_golden(cards)):
        return words[:start] + sorted(cards)
    return words


def _is_golden(codes: list[str]) -> bool:
    """Return True for cards of a golden suit, whose order tells the ranks of Artifacts (K113)."""
    return len({code for code in codes if code.endswith("g")}) > 1


def _bare_word(word: str, position: Position) -> str:
    seen = SEEN if word.endswith(SEEN) else ""
    code = code_of(position.deck, word.removesuffix(SEEN))
    return _COPY_MARK.sub("", word.lower()) if code is None else code + seen


def _further_lines(position: Position) -> Iterator[str]:
    """Return further lines that may be expected: the numbers of cards in the stock and in hands."""
    yield f"stock {len(position.stock)}"
    yield from (f"hand {seat} {len(hand)}" for seat, hand in enumerate(position.hands, 1))


# -- points


def _sides(outcome: LineOutcome) -> list[str]:
    return [str(number) for number in range(1, outcome.position.sides + 1)]


def _are_points(words: list[str], outcome: LineOutcome) -> bool:
    return len(words) == outcome.position.sides and all(map(_POINTS.fullmatch, words))


def _is_item(side: str, clause: str, points: str, outcome: LineOutcome) -> bool:
    return bool(side in _sides(outcome) and _CLAUSE.fullmatch(clause) and _POINTS.fullmatch(points))


def _item(sheet: ScoreSheet | None, side: int, clause: str) -> int | None:
    """Return the points that a clause has brought the side; None without a sheet."""
    if sheet is None:
        return None
    return sum(item.points for item in sheet.sides[side] if item.clause == clause)


def _totals(outcome: LineOutcome) -> tuple[int, ...]:
    """Return the match points, including the points of the round if it is over."""
    before = outcome.position.totals
    if outcome.sheet is None:
        return before
    return tuple(a + b for a, b in zip(before, outcome.sheet.totals, strict=True))


def _winner(outcome: LineOutcome) -> str:
    """Return the number of the side that has won the match by this round, or "none"."""
    position = outcome.position
    if outcome.sheet is None:
        return NONE
    match = Match.start(game_of(position), position.options, position.seats)
    sheets = (outcome.sheet,) * position.number  # only their number matters here
    winner = evolve(match, totals=_totals(outcome), sheets=sheets).winner
    return NONE if winner is None else str(winner + 1)
