"""Tables of Canastra, built as in `tests.engine.positions`, with deads and runs."""

from collections.abc import Mapping, Sequence

from attrs import evolve

from engine.canastra.position import CanastraPosition
from engine.canastra.runs import melds_after
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Seat, Shown
from engine.turn import Step
from tests.engine.positions import Table, table_of


def run_meld(cards: tuple[Shown, ...]) -> Meld:
    """Return the meld that the cards form."""
    return melds_after((), (Play(cards),))[0]


def canastra_table(
    *,
    hands: Sequence[str] = (),
    stock: str = "+20",
    deads: Sequence[str] = ("+11", "+11"),
    pile: str = "",
    melds: Sequence[Sequence[str]] = (),
    seat: int = 0,
    step: Step = Step.PLAY,
    options: Mapping[str, bool | int] | None = None,
    took_dead: Sequence[int] = (),
    barred: str | None = None,
    idle_turns: int = 0,
) -> Table:
    """Return a table in the middle of a round.

    `barred` is a card of the mover's hand that may not be discarded. Hands that are not given have
    three cards.
    """
    defaults = ("4c 6c 8c", "5d 7d 9d")
    table = table_of(
        "canastra",
        seats=2,
        hands=[*hands, *defaults[len(hands) :]],
        stock=" ".join((stock, *deads)),
        pile=pile,
        melds=melds,
        seat=seat,
        step=step,
        options=options,
        meld_of=run_meld,
        took_aside=frozenset(map(Seat, took_dead)),
        idle_turns=idle_turns,
    )
    game = game_of(table)
    # The deads were taken from the deck as the last cards of the stock.
    first = len(game.stock) - 11 * len(deads)
    slots = game.stock[first:]
    game = evolve(
        game,
        stock=game.stock[:first],
        aside=tuple(slots[start : start + 11] for start in range(0, len(slots), 11)),
    )
    if barred:  # a barred card came from the pile, so all players know it
        shown = table.hand(barred)[0]
        game = evolve(game, barred=shown.slot, known={**game.known, shown.slot: shown})
    return evolve(table, position=game)


def game_of(table: Table) -> CanastraPosition:
    assert isinstance(table.position, CanastraPosition)
    return table.position
