"""Command that writes the generated parts of `spec/`: `python -m tests.spec_texts`.

These parts are the rules, the decks and options of the games in the specification and in its
verifiers, and the page that checks records. First the pictures in the rules are drawn anew.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path

from client.i18n.language import LANGUAGES, choose_language
from client.lessons.lesson import read_lesson, taught
from client.lessons.seat import LessonSeat
from client.reports.html.verification import FOLDER
from client.session.display.snapshot import Snapshot
from client.ui.model.hand import Hand, Sorting
from client.ui.model.table_view import table_view
from client.ui.tui.table.melds import sides
from client.ui.tui.table.seats import seats
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import text_of
from engine.cards import Suit
from engine.decks import Deck, OtherDeck
from engine.game import Game
from engine.games import GAMES
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step
from tests.client.i18n.rulebook_texts import RULEBOOK, text_in, translated_rules
from tests.client.plain_seat import NAMES, PlainSeat
from tests.engine.simulation import mixed
from tests.generated_spec import all_common_rules, all_rules, verifier_page

SPEC = Path(__file__).parent.parent / "spec"

Values = bool | tuple[int, int, int]
"""Default of an option, and for a number also its lowest and highest value."""


def values_of(game: Game) -> dict[str, Values]:
    """Return the values of a game's options by name."""
    return {
        name: (about["default"], about["low"], about["high"])
        if "low" in about
        else about["default"]
        for name, about in game.options.describe().items()
    }


def _options() -> Iterator[str]:
    for game in GAMES.values():
        about = game.options.describe()
        for name, values in values_of(game).items():
            if isinstance(values, bool):
                row = f"{str(values).lower()} | false, true"
            else:
                default, low, high = values
                row = f"{default:,} | {low:,} .. {high:,}"
            yield f"| {game.name} | {name} | {row} | {about[name]['clause']} |"


def _games() -> Iterator[str]:
    """Return the games as rows of a table."""
    for game in GAMES.values():
        first = "the first of the draw" if game.highest_deals else "the player on their right"
        row = (
            *(game.name, game.rules_version, _listed(game.players), _listed(game.couples)),
            *(_ranks(game), "yes" if game.draws_seats else "no", first),
        )
        yield f"| {' | '.join(map(str, row))} |"


def _decks() -> Iterator[str]:
    """Return the decks of all games as rows of a table."""
    for game in GAMES.values():
        for deck in _rows(game):
            option = f"`{deck.option}` {deck.value}" if deck.option else "-"
            packs, _ = _suited(deck.cards)
            players = _listed(deck.players) if deck.players else "all"
            row = (game.name, players, option, packs, len(deck.cards))
            yield f"| {' | '.join(map(str, row))} |"


def _rows(game: Game) -> tuple[OtherDeck, ...]:
    """Return the decks of a game; the last one is for all tables without a special deck."""
    return (*game.decks.others, OtherDeck(game.decks.usual))


def _ranks(game: Game) -> int:
    """Return the number of ranks in a suit; raise ValueError if the game's decks differ in it."""
    (ranks,) = {_suited(deck)[1] for deck in game.decks}
    return ranks


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "-"


def _suited(deck: Deck) -> tuple[int, int]:
    """Return the number of packs in the deck, and the number of ranks in a suit.

    Raises ValueError for a deck that is not ordered by packs, suits and ranks: the verifiers
    compute the rank and suit of a card from its number.
    """
    ranks = sorted({card.rank for card in deck if card.suit is not None})
    ordered = [(suit, rank) for suit in Suit for rank in ranks]
    faces = [(card.suit, card.rank) for card in deck if card.suit is not None]
    packs = len(faces) // len(ordered)
    if faces != packs * ordered or any(card.suit is not None for card in deck[len(faces) :]):
        raise ValueError("A deck is packs, each in the order of suits and ranks, then other cards.")
    return packs, len(ranks)


def _about(game: Game) -> Iterator[tuple[str, str, object]]:
    """Return facts of a game with their names in Python and in JavaScript."""
    yield "rules", "rules", game.rules_version
    yield "players", "players", game.players
    yield "couples", "couples", game.couples
    yield "draws_seats", "drawsSeats", game.draws_seats
    yield "highest_deals", "highestDeals", game.highest_deals
    yield "ranks", "ranks", _ranks(game)


def _in_python() -> Iterator[str]:
    """Return the games as items of a dictionary."""
    for game in GAMES.values():
        yield f'    "{game.name}": Game('
        yield from (f"        {name}={value}," for name, _, value in _about(game))
        yield "        decks=["
        yield from (f"            Deck({_fields(deck, '=')})," for deck in _rows(game))
        yield "        ],"
        yield "        options={"
        yield from (f'            "{name}": {value},' for name, value in values_of(game).items())
        yield "        },"
        yield "    ),"


def _in_javascript() -> Iterator[str]:
    """Return the games as members of an object."""
    for game in GAMES.values():
        yield f"  {game.name}: {{"
        yield from (f"    {name}: {_script(value)}," for _, name, value in _about(game))
        yield "    decks: ["
        yield from (f"      {{ {_fields(deck, ': ')} }}," for deck in _rows(game))
        yield "    ],"
        yield "    options: {"
        for name, values in values_of(game).items():
            listed = (values,) if isinstance(values, bool) else values
            yield f"      {name}: {_script(listed)},"
        yield "    },"
        yield "  },"


def _fields(deck: OtherDeck, equals: str) -> str:
    """Return the names and values of a deck's fields, in the notation of Python or JavaScript."""
    numbers = {"packs": _suited(deck.cards)[0], "cards": len(deck.cards)}
    words = {name: str(value) for name, value in numbers.items()} | {"option": f'"{deck.option}"'}
    for name, value in (("value", deck.value), ("players", deck.players)):
        words[name] = str(value) if equals == "=" else _script(value)
    return ", ".join(f"{name}{equals}{word}" for name, word in words.items())


def _script(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_script, value))}]"
    return str(value).lower()


def with_table(text: str, head: str, lines: Callable[[], Iterator[str]]) -> str:
    """Return the text with the rows of the table after `head` replaced by `lines`.

    Raises ValueError unless there is exactly one such table.
    """
    table = "".join(f"{line}\n" for line in lines())
    text, count = re.subn(rf"({head}\n)(?:[ |].*\n)+", lambda found: found[1] + table, text)
    if count != 1:
        raise ValueError(f"there are {count} places for the table behind {head}")
    return text


def _format() -> str:
    text = with_table(
        _FORMAT.read_text(encoding="utf-8"), r"\| Game \| Rules .*\n\|[-|]+\|", _games
    )
    text = with_table(text, r"\| Game \| Deck of .*\n\|[-|]+\|", _decks)
    return with_table(text, r"\| Game \| Option .*\n\|[-|]+\|", _options)


def _notation() -> str:
    return with_table(
        _NOTATION.read_text(encoding="utf-8"), r"\| Game \| Line .*\n\|[-|]+\|", _own_lines
    )


def _own_lines() -> Iterator[str]:
    """Return the lines of the notation that only one game has, as rows of a table."""
    for game in GAMES.values():
        for line in game.position.own_lines:
            yield f"| {game.title} | `{line.word} {line.example}` | {line.says} | {line.without} |"


def verifier_python() -> str:
    """Return the second verifier with the present games."""
    return with_table(_PYTHON.read_text(encoding="utf-8"), r"\nGAMES: .* = \{", _in_python)


def games_javascript() -> str:
    """Return the script of the third verifier with the present games."""
    return with_table(
        _JAVASCRIPT.read_text(encoding="utf-8"), r"\nconst GAMES = \{", _in_javascript
    )


def with_picture(language: str, game: Game) -> str:
    """Return a game's rules in a language, with the picture as the program draws it now."""
    text = text_in(language, game.name)
    if "\n```\n" not in text:
        raise ValueError(f"{game.name}.md ({language}) has no ``` and ``` around a picture")
    choose_language(language)
    try:
        lines = "".join(f"{line}\n" for line in picture(game))
    finally:
        choose_language("en")
    return re.sub(r"(?<=\n```\n)(?:.+\n)*(?=```\n)", lambda _found: lines, text, count=1)


def picture(game: Game) -> Iterator[str]:
    """Return a picture of the table in a game's lesson, at the first complete meld.

    If the game has no lesson, the table is from a round of random players with a complete meld.
    """
    seat = _in_lesson(game) if game in taught() else _in_a_round(game)
    assert seat.view is not None
    snapshot = Snapshot(seat.state, seat.view, seat.me, chooses=True)
    view = table_view(snapshot, Hand.before(seat.view, Seat(seat.me), Sorting.RANK))
    drawn = (*seats(view, UNICODE, _COLUMNS), *sides(view, UNICODE, _COLUMNS, _ROWS))
    return (text_of(line).rstrip() for line in drawn)


def _in_lesson(game: Game) -> LessonSeat:
    lesson = read_lesson(game)
    names = NAMES[: lesson.position.seats]
    seats = (LessonSeat.sit(lesson, names, steps, pause=0) for steps in range(len(lesson.steps)))
    return next(seat for seat in seats if _complete_melds(seat.view))


def _in_a_round(game: Game) -> PlainSeat:
    """Return a seat at a table with melds of all sides, and hearts among the open cards.

    The side whose turn it is has a complete meld.
    """
    for seed in count():
        rng = random.Random(seed)
        seat = PlainSeat.sit(game.name, game.usual_players, partial(mixed, rng=rng), seed=seed)
        while not seat.state.match.sheets:
            seat.step(seat.others)
            if seat.chooses and seat.view and seat.view.turn.step is Step.DRAW:
                hearts = any(shown.card.suit is Suit.HEARTS for shown in seat.view.face_up())
                if (
                    _complete_melds(seat.view)
                    and all(laid.melds for laid in seat.view.laid)
                    and hearts
                ):
                    return seat
    raise AssertionError("no round has a complete meld")


def _complete_melds(view: Position | None) -> int:
    """Return the number of complete melds of the side whose turn it is."""
    if view is None or not view.laid:
        return 0
    return sum(view.meld_class(meld) is not None for meld in view.laid[view.side].melds)


_COLUMNS, _ROWS = 60, 30

_FORMAT, _NOTATION = SPEC / "format.md", SPEC / "notation.md"
_PYTHON, _JAVASCRIPT = SPEC / "verifier.py", FOLDER / "games.js"

TEXTS: Mapping[Path, Callable[[], str]] = {
    **{
        RULEBOOK / language / f"{game.name}.md": partial(with_picture, language, game)
        for language in LANGUAGES
        for game in GAMES.values()
        if game.name in translated_rules(language)
    },
    SPEC / "rules-common.md": all_common_rules,
    **{
        SPEC / f"rules-{game.name.replace('_', '-')}.md": partial(all_rules, game)
        for game in GAMES.values()
    },
    _FORMAT: _format,
    _NOTATION: _notation,
    _PYTHON: verifier_python,
    _JAVASCRIPT: games_javascript,
    SPEC / "verifier.html": verifier_page,  # last, because it contains the verifier in JavaScript
}
"""Functions that make the text of each file."""


def main() -> None:
    choose_language("en")
    for path, text in TEXTS.items():
        try:
            path.write_text(text(), encoding="utf-8", newline="\n")
        except FileNotFoundError as error:
            sys.exit(f"{error.filename} is missing: write the rules in English first")


if __name__ == "__main__":
    main()
