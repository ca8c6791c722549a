"""Situations at tables, for tests of screens and keys."""

import random
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from attrs import evolve

from client.bots.eager import choose
from client.session.display.absence import Absence, Proposed
from client.session.display.snapshot import CountedRound, Fairness, Snapshot
from client.ui.model.hand import Hand, Sorting
from client.ui.model.table_view import TableView, table_view
from engine.notation.position_reader import parse_position
from engine.notation.position_writer import game_of
from engine.slots import Seat, Slot
from engine.turn import Step
from p2p.match.table_status import Candidate
from p2p.refusals import Reason, Refusal
from protocol.charter import Member
from protocol.match.messages import NO_WISH, Wish, WishKind
from tests.client.plain_seat import PlainSeat, snapshot_at
from tests.engine.positions import Table, table_of

RIGHT = "\x1b[C"


LOG = (
    "Shuffled by Ana, Bruno, Carla and Diego; every proof holds.",
    "Bruno: draws",
    "Bruno: discards 5♥",
    "Carla: takes the pile of 7, melds K♦ K♠ 2♥",
    "Carla: discards 10♦",
)


def others_hold(table: Table, *counts: int) -> Table:
    """Return the table with these numbers of unknown cards in the hands of seats 1, 2, ..."""
    slots = iter(range(1000, 2000))
    hidden = tuple(tuple(Slot(next(slots)) for _ in range(count)) for count in counts)
    position = table.position
    return evolve(table, position=evolve(position, hands=(position.hands[0], *hidden)))


@cache
def _tables() -> dict[str, str]:
    _about, *tables = (Path(__file__).parent / "tables.txt").read_text("utf-8").split("\n\n== ")
    return dict(table.split("\n", 1) for table in tables)


def table(name: str) -> Table:
    """Return a table of the file `tables.txt`."""
    position = parse_position(_tables()[name])
    return Table(position, {shown.slot: shown for shown in position.hand(Seat(0))})


def at(name: str, log: tuple[str, ...] = LOG) -> Snapshot:
    """Return the person's view of a table of the file `tables.txt`."""
    return snapshot_at(name.split(" ", maxsplit=1)[0], table(name), log=log)


def seen(name: str) -> TableView:
    """Return a table of the file as the player who is to move sees it."""
    snapshot = at(name)
    assert snapshot.view is not None
    return table_view(snapshot, Hand.before(snapshot.view, snapshot.view.turn.seat, Sorting.RANK))


def named(snapshot: Snapshot, names: Sequence[str]) -> Snapshot:
    """Return the snapshot with these names of the players."""
    charter = snapshot.state.charter
    members = zip(charter.members, names, strict=True)
    changed = tuple(evolve(member, signed_name=name) for member, name in members)
    return evolve(snapshot, state=evolve(snapshot.state, charter=evolve(charter, members=changed)))


def counted_round(game: str, players: int, *, rounds: int = 1) -> Snapshot:
    """Return the view of player 0 after a match of `rounds` rounds, played by bots."""
    seat = _sit(game, players, rounds)
    counted = tuple(_next_counted(seat) for _round in range(rounds))
    return Snapshot(seat.state, seat.view, 0, chooses=False, rounds=counted)


def next_round_begun(game: str, players: int, *, rounds: int = 2) -> Snapshot:
    """Return the view of player 0 when they are to draw in the round after `rounds` rounds."""
    seat = _sit(game, players, rounds + 1)
    counted = tuple(_next_counted(seat) for _round in range(rounds))
    while not seat.chooses or seat.view is None or seat.view.turn.step is not Step.DRAW:
        seat.step(seat.others)
    return Snapshot(seat.state, seat.view, 0, chooses=True, rounds=counted)


def _sit(game: str, players: int, rounds: int) -> PlainSeat:
    rng = random.Random(2)
    return PlainSeat.sit(game, players, partial(choose, rng=rng), seed=3, rounds=rounds)


def _next_counted(seat: PlainSeat) -> CountedRound:
    """Return the next round, played and closed."""
    while (round_ := seat.state.match.round) is None or round_.sheet is None:
        seat.step(seat.others)
    seat.step(seat.others)
    match = seat.state.match
    fairness = Fairness(4, 163, 90, 210)
    return CountedRound(len(match.sheets), round_.sheet, match.totals, round_, fairness)


# -- somebody stays away

ROBOT = Member(bytes([9]) * 32, "Robot Ada", bytes(32))


OPPONENT = Proposed(2, Wish(WishKind.OPPONENT), (1,), (ROBOT,), (0, 1, 2, 3), (2,))
"""Carla proposes an opponent for the seat of Bruno."""

ENDING = Proposed(2, Wish(WishKind.END), (1,), (), (0, 2, 3), (2, 3))
"""Carla proposes to end the match without Bruno, and Diego has accepted."""


DORA = Candidate(Member(bytes([7]) * 32, "Dora", bytes(32)))


IMPOSTOR = Candidate(Member(bytes([8]) * 32, "Eva", bytes(32)), Refusal.of(Reason.NAME_TAKEN))


def alone(player: int, silent: int, grace_left: int, **more: Any) -> Absence:
    """Return the absence of one player, as player 0 sees it.

    When no grace is left, the others can go on without the player, unless it is player 0.
    """
    missing = () if grace_left or player == 0 else (player,)
    wishes = (NO_WISH,) * 4
    usual = {"enough": True, "hurries": player == 0, "missing": missing, "away": missing}
    return Absence(player, silent, grace_left, **{**usual, "wishes": wishes, **more})


def waiting(absence: Absence, there: Table | None = None) -> Snapshot:
    """Return a snapshot of a table with this absence.

    `there` is the table; by default it is a table where Bruno is to move.
    """
    drawing = table_of("canasta", hands=["7h 7d Kc"], seat=1, step=Step.DRAW)
    there = there or others_hold(drawing, 9, 8, 7)
    snapshot = snapshot_at(game_of(there.position).name, there, log=LOG)
    return evolve(snapshot, absence=absence)


DRAWING = table_of("canasta", hands=["7h 7d Kc Ks"], pile="5h", step=Step.DRAW)
