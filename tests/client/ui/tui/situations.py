"""Situations at tables, for tests of screens and keys."""

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

from attrs import evolve

from client.bots.eager import choose
from client.session.display.absence import Absence, Proposed
from client.session.display.snapshot import CountedRound, Fairness, Snapshot
from client.ui.model.hand import Hand, Sorting
from client.ui.model.table_view import TableView, table_view
from engine.cards import Rank
from engine.kanastic.position import KanasticPosition
from engine.melds import Meld
from engine.slots import Shown, Slot
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


def canasta() -> Table:
    table = table_of(
        "canasta",
        hands=["7h 7d Kc Ks 9h 4c 2s Jo Ah Ad 3s"],
        pile="5h 2c Kd",
        melds=[[], ["Qh Qd Qs", "8h 8d 8s 8c 8h 8d 2h 8s"]],
        bonus=["3h", "3d 3d"],
        totals=[1620, 980],
        seat=0,
        step=Step.DRAW,
        stock="+40",
    )
    return others_hold(table, 11, 9, 10)


def canasta_opening() -> Table:
    table = canasta()
    turn = evolve(table.position.turn, step=Step.PLAY)
    return evolve(table, position=evolve(table.position, turn=turn))


def canasta_playing() -> Table:
    table = table_of(
        "canasta",
        hands=["7h 7d Kc Ks Kh 9h 4c 2s Jo Ah 3s"],
        pile="5h",
        melds=[["6h 6d 6s 6c 6h 6d 6s", "Th Td 2d"], ["Qh Qd Qs"]],
        bonus=["3h 3d 3h 3d", ""],
        totals=[520, 980],
        seat=0,
        step=Step.PLAY,
    )
    return others_hold(table, 11, 9, 1)


def canasta_asked() -> Table:
    table = table_of(
        "canasta",
        hands=["7h 7d Kc"],
        pile="5h",
        melds=[["6h 6d 6s 6c 6h 6d 6s"], ["Qh Qd Qs"]],
        seat=2,
        step=Step.ANSWER,
        turn={"asked": True},
    )
    return others_hold(table, 11, 4, 8)


def canasta_for_six() -> Table:
    table = table_of(
        "canasta",
        seats=6,
        hands=["7h 7d Kc Ks Kh 9h 4c 2s Jo Ah 3s"],
        pile="5h",
        melds=[["6h 6d 6s"], ["Qh Qd Qs"], []],
        seat=1,
        step=Step.DRAW,
        stock="+10",
    )
    return others_hold(table, 11, 10, 9, 8, 7)


def kanastic() -> Table:
    table = table_of(
        "kanastic",
        hands=["4h 4d 4s Sw Sh Kg Qg 9h 9d Ar Ah"],
        pile="5h Sh 6h",
        melds=[["5h 5d 5s Sw", "6g 7g 8g"], ["Th Td Ts Tc Th Td Tc"]],
        bonus=["Po", "Po Po"],
        totals=[3120, 9980],
        seat=0,
        step=Step.DRAW,
        meld_of=kanastic_meld,
    )
    return others_hold(table, 14, 12, 9)


def kanastic_meld(cards: tuple[Shown, ...]) -> Meld:
    if cards[0].card.gold:
        return Meld(cards, None, cards[0].card.rank)
    return Meld(cards, cards[0].card.rank)


def kanastic_blocked() -> Table:
    table = kanastic()
    position = table.position
    assert isinstance(position, KanasticPosition)
    cards = tuple(shown.card for shown in position.pile)
    return evolve(table, position=evolve(position, discards=cards))


def canastra() -> Table:
    table = table_of(
        "canastra",
        seats=2,
        hands=["4h 5h 2s Ks Kd 9c Jd Ad"],
        pile="5c Th 8d Qs 7c",
        melds=[["3d 4d 5d 6d 7d 8d 9d", "Kh Kc 2h"], ["Ac 2c 3c 4c"]],
        seat=0,
        step=Step.DRAW,
        meld_of=lambda cards: Meld(cards, Rank.KING if cards[0].card.rank is Rank.KING else None),
    )
    return others_hold(table, 9)


def seen(game: str, table: Table) -> TableView:
    """Return the table as the player who is to move sees it."""
    snapshot = snapshot_at(game, table, log=LOG)
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
    """Return an absence of a player; after the grace, the others can go on without them."""
    missing = () if grace_left or player == 0 else (player,)
    wishes = (NO_WISH,) * 4
    usual = {"enough": True, "hurries": player == 0, "missing": missing, "away": missing}
    return Absence(player, silent, grace_left, **{**usual, "wishes": wishes, **more})


def waiting(absence: Absence, table: Table | None = None, game: str = "canasta") -> Snapshot:
    """Return a table that waits for Bruno, who does not come."""
    if table is None:
        table = others_hold(
            table_of("canasta", hands=["7h 7d Kc"], seat=1, step=Step.DRAW), 9, 8, 7
        )
    return evolve(snapshot_at(game, table, log=LOG), absence=absence)


def two_players() -> Table:
    hands = ["4h 5h 2s Ks Kd 9c Jd Ad"]
    return others_hold(table_of("canastra", seats=2, hands=hands, seat=1, step=Step.DRAW), 9)


DRAWING = table_of("canasta", hands=["7h 7d Kc Ks"], pile="5h", step=Step.DRAW)
