"""A table as seen by somebody who does not know the rules, for the scenarios in `without_rules/`.

The effects of an event are all kinds of entries that can come next, with the players who can write
them. The first word is the kind that is due, with a question mark if its writer is not known.
"""

from collections.abc import Iterator

import pytest
from attrs import define, field

from engine.games import GAMES
from engine.moves import DrawStock
from engine.slots import Shown, Slot
from protocol.entries import (
    Body,
    CloseContent,
    Content,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.state import State
from protocol.without_rules import is_known_due, is_undecided, openers, passes_without_rules
from tests.engine.simulation import eagerly
from tests.made_up_game import FAMILIES
from tests.protocol.continuing import NEWCOMERS, concluded, offered, seat_newcomers
from tests.protocol.seeded_table import SeededTable


@define
class WithoutRulesWorld:
    """A table that plays on, and what was told of it so far."""

    _ring: SeededTable = field(init=False)
    _told: set[str] = field(factory=set)

    def happens(self, event: str) -> Iterator[str]:
        """Carry out an event and return its effects, as lines of text."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(GAMES, "families", FAMILIES)
            yield from self._happens(event)

    def _happens(self, event: str) -> Iterator[str]:
        match event.split():
            case "sit", game, players, *options:
                void = "void" in options
                self._ring = SeededTable.sit(
                    game, int(players), seed=6, rounds=2, void_interrupted=void
                )
                self._told.clear()
            case "play", number:
                yield from self._news()
                for _ in range(int(number)):
                    self._ring.step(eagerly)
                    yield from self._news()
            case "play", "to", "the", "end", "of", "moves":
                while not self._ring.state.match.opening:
                    self._ring.step(eagerly)
            case "play", "until", *kinds:
                for before, kind in enumerate(kinds):
                    if before:
                        self._ring.step(eagerly)
                    self._ring.play_until(kind, eagerly)
            case "replace" | "end" as how, *players:
                state = self._ring.state
                gone = [*map(int, players)] or [state.writers[0]]
                seated = {member.key for member in state.charter.members}
                others = [one for one in NEWCOMERS if one.member.key not in seated]
                charter = offered(state, gone, ends=how == "end", seats=others)
                seat_newcomers(self._ring, concluded(self._ring, state, charter).encode())
            case _:
                raise ValueError(event)

    def _news(self) -> Iterator[str]:
        """Return what can come next, if that was not told yet."""
        told = _told(self._ring.state)
        if told not in self._told:
            self._told.add(told)
            yield told


def _told(state: State) -> str:
    kind = "nothing" if state.due is None else state.due.kind
    said = kind if is_known_due(state) else f"{kind}?"
    said += ", undecided" if is_undecided(state) else ""
    opening = None if state.match.round is None else openers(state)
    said += "" if opening is None else f", openers {' '.join(map(str, opening))}"
    passing: dict[str, list[str]] = {}
    for writer in range(len(state.charter.members)):
        for name, content in _contents(state, writer):
            if passes_without_rules(state, Body(state.next_place, writer, content)):
                passing.setdefault(name, []).append(str(writer))
    return "; ".join([said, *(f"{name} by {' '.join(by)}" for name, by in passing.items())])


def _contents(state: State, writer: int) -> Iterator[tuple[str, Content]]:
    """Return contents that a player could write, right and wrong ones, each with a name."""
    match, cards, table = state.match, state.match.deck, state.undecided or state
    number, points = match.round_number or 1, (5,) * match.game.sides(match.players)
    yield "close", CloseContent(number, points, last=True)
    yield "close another round", CloseContent(number + 1, points, last=True)
    yield "close for more sides", CloseContent(number, (*points, 5), last=True)
    yield "move", MoveContent(DrawStock(), ())
    whole = tuple(range(len(cards)))
    for name, first, some in (("all", 0, whole), ("later", 1, whole), ("fewer", 0, whole[1:])):
        yield f"shuffle {name}", ShuffleContent(Slot(first), some, bytes(32), b"", b"")
    if table.match.round is None or not table.match.seating:
        return
    stock = table.match.round.stock[:1]
    for slot in stock:
        for player in range(match.players):
            yield f"give to {player}", UnlockContent((Given(slot, player),), (), ())
        yield "turn up", UnlockContent((Given(slot, None),), (), ())
    hand = table.match.round.hands[table.match.seat_of(writer)]
    hidden = [slot for slot in hand if table.cards.face(slot) is None]
    lying = [slot for slot in table.cards.points if table.cards.face(slot) is not None][:1]
    for name, slots in (
        ("open", hidden),
        ("open all but one", hidden[1:]),
        ("open one twice", [*hidden, *hidden[:1]]),
        ("open with a slot beyond the deck", [*hidden, Slot(9999)]),
        ("open with a card of the stock", [*hidden, *stock]),
        ("open with an open card", [*hidden, *lying] if lying else []),
        ("open with an open card twice", [*hidden, *lying, *lying] if lying else []),
        ("open nothing", []),
    ):
        if slots or name == "open nothing":
            yield name, OpenContent(tuple(Shown(slot, cards[0]) for slot in slots), ())
