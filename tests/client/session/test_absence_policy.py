"""The policy of a program that plays a seat: its wishes, and its lines about awaited players."""

from collections.abc import Collection
from types import SimpleNamespace

import pytest
import trio
from attrs import define, field

from client.session.absence_policy import AbsencePolicy, IfAbsent
from p2p.table.node_updates import Awaited
from protocol.charter import Charter
from protocol.errors import Refused
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.state import State
from tests.client.ui.tui.situations import DORA, IMPOSTOR
from tests.client.waiting_seat import seat_waiting

pytestmark = pytest.mark.usefixtures("autojump_clock")

END = Wish(WishKind.END)
TOGETHER = Wish(WishKind.TOGETHER)


@define
class Node:
    """A stand-in for the node of player 0 at a table of four; `done` lists what the policy does."""

    state: State = field(factory=lambda: seat_waiting(4).state)
    awaited: Awaited | None = None
    proposal: object = None
    accepted: Collection[int] = ()
    missing: frozenset[int] = frozenset()
    stuck: bool = False
    candidates: object = ()
    wishes: dict[int, Wish] = field(factory=lambda: {0: NO_WISH, 1: END})
    refuses: bool = False
    over: bool = False
    me: int = 0
    progress: trio.Event = field(factory=trio.Event)
    done: list[object] = field(factory=list)

    @property
    def charter(self) -> Charter:
        return self.state.charter

    @property
    def key(self) -> bytes:
        return self.charter.key_of(self.me)

    def has_accepted(self, player: int) -> bool:
        return player in self.accepted

    def join_proposal(self) -> None:
        self.done.append("joins")
        self.accepted = (0,)

    def wish(self, wish: Wish) -> None:
        self.done.append(wish)
        if self.refuses:
            raise Refused("Nobody is missing any more.")
        self.wishes[self.me] = wish


async def followed(node: Node, policy: IfAbsent, seconds: float = 5) -> list[str]:
    """Let the policy run for some seconds, and return the lines that it tells."""
    told: list[str] = []
    with trio.move_on_after(seconds):
        await AbsencePolicy(node, told.append, policy).run()  # type: ignore[arg-type]
    return told


@pytest.mark.parametrize(
    ("policy", "missing", "candidates", "done"),
    [
        (IfAbsent.WAIT, {1}, (), []),
        (IfAbsent.END, {1}, (), [END]),
        (IfAbsent.OPPONENT, {1}, (), [Wish(WishKind.OPPONENT)]),
        (IfAbsent.PERSON, {1}, (IMPOSTOR, DORA), [Wish(WishKind.PERSON, DORA.key)]),
        (IfAbsent.PERSON, {1}, (IMPOSTOR,), []),
        (IfAbsent.END, (), (), []),
        (IfAbsent.END, {1, 2}, (), []),  # too few founders would be left
    ],
)
async def test_the_policy_tells_its_wish_once_if_enough_players_are_there(
    policy: IfAbsent, missing: Collection[int], candidates: object, done: list[Wish]
) -> None:
    node = Node(missing=frozenset(missing), candidates=candidates)
    assert await followed(node, policy) == []
    assert node.done == done


@pytest.mark.parametrize(
    ("missing", "done"), [((), [TOGETHER]), ({1}, [END]), ({1, 2}, [TOGETHER])]
)
async def test_at_a_stuck_table_the_wish_is_to_go_on_together_unless_one_player_is_missing(
    missing: Collection[int], done: list[Wish]
) -> None:
    """If two of the four are missing, the other two are too few to go on without them."""
    node = Node(missing=frozenset(missing), stuck=True)
    await followed(node, IfAbsent.END)
    assert node.done == done


@pytest.mark.parametrize(
    ("proposer", "accepted", "done"), [(1, (), ["joins"]), (1, (0,), []), (0, (), [END])]
)
async def test_the_policy_joins_the_proposal_of_another_player(
    proposer: int, accepted: Collection[int], done: list[object]
) -> None:
    """A proposal is joined once. If it is our own (proposer 0), the policy tells its wish."""
    node = Node(missing=frozenset({2}), accepted=accepted)
    node.proposal = SimpleNamespace(proposer=node.charter.key_of(proposer))
    await followed(node, IfAbsent.END)
    assert node.done == done


async def test_a_refused_wish_is_told_again_after_a_second() -> None:
    node = Node(missing=frozenset({1}), refuses=True)
    await followed(node, IfAbsent.END, seconds=1.5)
    assert node.done == [END, END]


async def test_the_policy_looks_again_when_something_happens() -> None:
    node = Node()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(followed, node, IfAbsent.END, 0.5)
        await trio.sleep(0.1)
        node.missing = frozenset({1})
        node.progress.set()
        node.progress = trio.Event()
        await trio.sleep(0.1)
        assert node.done == [END]


async def test_the_policy_ends_with_the_match() -> None:
    began = trio.current_time()
    assert await followed(Node(over=True), IfAbsent.END) == []
    assert trio.current_time() == began


@pytest.mark.parametrize("policy", [IfAbsent.WAIT, IfAbsent.END])
async def test_a_line_names_a_player_who_is_silent_for_ten_seconds(policy: IfAbsent) -> None:
    """The line comes once for each entry that is due."""
    line = "Waiting for Bruno, 10 s so far."
    for player, seconds, told in ((1, 9.5, []), (1, 60, [line]), (0, 60, []), (None, 60, [])):
        awaited = None if player is None else Awaited(player, "move", trio.current_time(), True)
        assert await followed(Node(awaited=awaited), policy, seconds) == told


async def test_the_next_awaited_player_is_named_too() -> None:
    node = Node(awaited=Awaited(1, "move", trio.current_time(), True))
    told: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(AbsencePolicy(node, told.append, IfAbsent.WAIT).run)  # type: ignore[arg-type]
        await trio.sleep(20)
        node.state = seat_waiting(4, player=2).state
        node.awaited = Awaited(2, "move", trio.current_time() - 12.9, True)
        await trio.sleep(20)
        nursery.cancel_scope.cancel()
    assert told == ["Waiting for Bruno, 10 s so far.", "Waiting for Carla, 12 s so far."]
