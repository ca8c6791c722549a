"""The matches from which the records of the vectors are made, kept as text in `moves/`.

A file has the game, the number of players, the seed of all randomness, the options that differ from
their defaults, and if spectators are admitted. Then it has all moves in the notation of
`spec/notation.md`, each written with the cards that its player sees. So the vectors can be made
anew after any change of the record's format, by a program that cannot read the old vectors. Lines
that begin with # are comments.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from attrs import field, frozen

from engine.moves import Move
from engine.notation.moves import format_move, parse_move
from protocol.entries import MoveContent
from tests.protocol.played import Moment, Played
from tests.protocol.seeded_table import Choose

FOLDER = Path(__file__).parent / "moves"
_WORDS = {"yes": True, "no": False}


@frozen
class KeptMatch:
    """A match with everything that is needed to play it again."""

    what: str
    game: str
    players: int
    seed: int
    options: Mapping[str, bool | int]
    """The options that differ from their defaults."""
    moves: tuple[str, ...] = field(repr=False)
    spectators: bool = False

    @classmethod
    def read(cls, name: str) -> Self:
        """Return the match in the file of this name."""
        return cls.parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the match of a file. Raises KeyError and ValueError if the text describes none."""
        lines = text.splitlines()
        what = " ".join(line[2:] for line in lines if line.startswith("#"))
        told = [line.split(maxsplit=1) for line in lines if not line.startswith("#")]
        head = {word: rest for word, rest in told if word not in {"option", "move"}}
        options = [rest.split() for word, rest in told if word == "option"]
        return cls(
            what,
            head["game"],
            int(head["players"]),
            int(head["seed"]),
            {name: _WORDS[value] if value in _WORDS else int(value) for name, value in options},
            tuple(rest for word, rest in told if word == "move"),
            _WORDS[head.get("spectators", "no")],
        )

    def text(self) -> str:
        """Return the content of the match's file."""
        words = {value: word for word, value in _WORDS.items()}
        lines = [
            f"# {self.what}",
            f"game {self.game}",
            f"players {self.players}",
            f"seed {self.seed}",
            *(["spectators yes"] if self.spectators else []),
            *(
                f"option {name} {words[value] if isinstance(value, bool) else value}"
                for name, value in self.options.items()
            ),
            *(f"move {move}" for move in self.moves),
        ]
        return "".join(f"{line}\n" for line in lines)

    def choose(self) -> Choose:
        """Return a function that makes the kept moves, one after the other."""
        left = deque(self.moves)

        return lambda view, _: parse_move(view, left.popleft())


def moves_of(one: Played) -> Iterator[str]:
    """Return the moves of a match in notation."""
    for moment in filter(lambda moment: moment.is_entry, one.moments):
        content = moment.body.content
        if isinstance(content, MoveContent):
            yield _written(moment, content.move)


def _written(moment: Moment, move: Move) -> str:
    view = moment.table.players[moment.writer].view(moment.state)
    assert view is not None
    return format_move(view, move)
