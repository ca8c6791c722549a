"""Short seeded matches as text: every move, and before every turn the view of each seat.

`python -m tests.playthroughs` writes the texts anew. Read the difference before you commit it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from engine.games import GAMES, game_named
from engine.match import Match
from engine.moves import Answer, Move
from engine.notation.moves import format_move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.slots import Seat, Shown, Slot
from tests.engine.positions import codes_of
from tests.engine.simulation import eagerly, states

FOLDER = Path(__file__).parent


@frozen
class Playthrough:
    """A match that is printed."""

    game: str
    players: int
    rounds: int
    """Number of rounds that eager players play."""
    seed: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.game}.txt"

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in _lines(self)) + "\n"


PLAYTHROUGHS = tuple(
    Playthrough(name, players=game.usual_players, rounds=1, seed=1) for name, game in GAMES.items()
)
"""A match of each game."""


def _lines(playthrough: Playthrough) -> Iterator[str]:
    game = game_named(playthrough.game)
    options = game.options.from_pairs([("rounds", playthrough.rounds)])
    yield f"{game.name}, {playthrough.players} players, seed {playthrough.seed}"
    turn: tuple[int, Seat] | None = None
    for match, move, dealer in states(
        game, options, playthrough.players, playthrough.seed, eagerly
    ):
        position = match.round
        if position is None:
            yield f"\nmatch: {match.totals}, won by side {match.winner}"
        elif position.sheet is not None:
            yield from _hands(position, dealer.cards)
            yield from _sheet(position.sheet)
        elif move is not None:
            if turn is None or turn[0] != match.round_number:
                yield from _beginning(match)
            if turn != (match.round_number, position.turn.seat):
                turn = match.round_number, position.turn.seat
                yield from _view(position, dealer.cards)
            yield _made(position, move, dealer)


def _beginning(match: Match) -> Iterator[str]:
    drawn = [str(shown) for shown in match.draw.drawn]
    yield f"\nround {match.round_number}: players drew {' '.join(drawn)}"
    yield f"seats {match.seating}, dealer {match.dealer}, totals {match.totals}"


def _view(position: Position, cards: Mapping[Slot, Shown]) -> Iterator[str]:
    """Return the cards on the table, and the hand that each seat alone sees."""
    yield f"\nturn of seat {position.turn.seat}; stock {len(position.stock)}"
    yield f"  pile    {codes_of(position.pile)}"
    for side, laid in enumerate(position.laid):
        melds = " | ".join(codes_of(meld.cards) for meld in laid.melds)
        yield f"  side {side}  {melds}" + (f"  [{codes_of(laid.bonus)}]" if laid.bonus else "")
    yield from _hands(position, cards)


def _hands(position: Position, cards: Mapping[Slot, Shown]) -> Iterator[str]:
    for seat, hand in enumerate(position.hands):
        held = sorted(
            (cards[slot].card for slot in hand), key=lambda card: (card.rank, card.number)
        )
        yield f"  hand {seat}  {' '.join(card.code for card in held)}"


def _made(position: Position, move: Move, dealer: PlainDealer) -> str:
    seat = position.moving_seat
    text = format_move(dealer.view(position, seat), move)
    return f"- {text}" + (f" (seat {seat})" if isinstance(move, Answer) else "")


def _sheet(sheet: ScoreSheet) -> Iterator[str]:
    yield f"\ncounted; went out: {'nobody' if sheet.closer is None else f'seat {sheet.closer}'}"
    for side, items in enumerate(sheet.sides):
        for item in items:
            yield f"  side {side}  {item.points:6}  {item.what} ({item.count}) [{item.clause}]"
        yield f"  side {side}  {sheet.totals[side]:6}"


def main() -> None:
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(playthrough.text(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
