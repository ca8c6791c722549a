"""Followed matches: a spectator trusts no node, and checks each entry (nodes.md, 3.8)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import define, evolve, field

from engine.moves import Pass
from p2p.background_task import beside
from p2p.match.followed_match import FollowedMatch
from p2p.match.visitor_places import STILL_HERE_SECONDS
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Message, Noted
from p2p.transport.spectator_messages import Watch
from protocol.audit import Verdict
from protocol.charter import SignedCharter
from protocol.entries import Body, Entry, MoveContent
from protocol.errors import Malformed, Mismatch, OutOfTurn
from protocol.record_file import record_parts
from protocol.reducer import advance
from protocol.state import State
from protocol.table.messages import Carry
from tests.p2p.machines import failure_of
from tests.p2p.match.watchers import ANA, EVA, carried, greeting, match_in, shown
from tests.p2p.memory_network import memory_link_pair
from tests.protocol.audited import audit
from tests.protocol.continuing import RITA, concluded, offered, replaced, seat_newcomers
from tests.protocol.seeded_table import SeededTable
from tests.vectors.other_games import spectators
from tests.vectors.recorded import recorded, recorded_with_spectators

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


@asynccontextmanager
async def followed(folder: Path) -> AsyncIterator[tuple[FollowedMatch, Link]]:
    """Follow a match; yield it and the node's end of the link, when Eva has asked to watch."""
    with match_in(folder) as match:
        async with (
            memory_link_pair(EVA, ANA) as (link, node),
            beside(partial(failure_of, match.follow(link))),
        ):
            assert await hear(node) == Watch("Eva")
            with trio.fail_after(60):
                yield match, node


async def test_a_waiting_task_wakes_up_for_each_entry_and_when_the_link_or_the_watching_ends(
    tmp_path: Path,
) -> None:
    """Changes are kept until somebody asks for them.

    Every few seconds the spectator tells the node how many entries they have: here three.
    """
    one = recorded_with_spectators()
    parts = greeting(one), *carried(one.entries)
    async with followed(tmp_path) as (match, node):
        began, progress = trio.current_time(), match.progress
        for part in parts[:4]:
            await say(node, part)
        await progress.wait()
        assert match.linked
        for beat in (1, 2):
            wish = await hear(node)
            assert wish == Watch("Eva", one.table.charter.charter.table_id, 3)
            assert trio.current_time() - began == pytest.approx(beat * STILL_HERE_SECONDS)
        changes = match.changes()
        for part in parts[4:6]:
            await say(node, part)
        assert [(await changes.receive()).after.height for _ in range(2)] == [4, 5]
        assert [change.after.height for change in match.past] == [1, 2, 3]
        progress = match.progress
        async with beside(node.aclose):
            await progress.wait()
        assert not match.linked
        progress = match.progress
        match.close()
        assert progress.is_set()
        assert [change async for change in changes] == []


async def test_a_record_that_is_invalid_or_of_another_table_is_not_followed(tmp_path: Path) -> None:
    one, other = recorded_with_spectators(), recorded()
    first, second, *_ = carried(one.entries)
    forged = next(record for record in spectators() if record.name == "R4")
    by_a_spectator = carried(one.entries[: forged.keep]) + carried(forged.added, forged.keep + 1)
    signed = one.table.charter
    unsigned = evolve(signed, signatures=(*signed.signatures[:1], bytes(64)))
    charter = evolve(signed.charter, grace=99)
    another = SignedCharter(charter, tuple(map(charter.sign, one.table.signers)))
    cases: list[tuple[type[Exception], list[Message]]] = [
        (OutOfTurn, [first]),
        (Mismatch, [greeting(other)]),  # its players admit no spectators
        (Malformed, [Agreed(unsigned.encode())]),
        (OutOfTurn, [greeting(one), second]),
        (Mismatch, [greeting(one), *by_a_spectator]),
        (OutOfTurn, [greeting(one), first, Carry(3, one.entries[1])]),
        (Mismatch, [greeting(one), first, Carry(2, one.entries[2])]),
        (OutOfTurn, [greeting(one), Noted()]),
        (Mismatch, [greeting(one), first, Carry(2, b"no entry")]),
        (OutOfTurn, [Agreed(Parting.make().part)]),  # a continuation is no beginning
        (Mismatch, [greeting(one), first, Agreed(another.encode())]),
    ]
    for number, (kind, messages) in enumerate(cases):
        match, error, _ = await shown(tmp_path / f"{number}", *messages)
        assert type(error) is kind, number
        assert not match.over


@pytest.mark.parametrize("late", [False, True], ids=["illegal move", "second entry"])
async def test_a_cheat_is_seen_and_the_record_ends_in_evidence(tmp_path: Path, late: bool) -> None:
    """The cheat is a move against the rules or, if `late`, a second entry in one place."""
    one = recorded_with_spectators()
    moment = one.when("move")
    height = moment.state.height + 1
    cheat = moment.signed(MoveContent(Pass(), ()))
    before = one.entries if late else one.entries[: height - 1]
    messages = greeting(one), *carried(before), Carry(height, cheat)
    match, error, record = await shown(tmp_path, *messages)
    assert error is None
    assert match.over
    assert match.exposed is not None
    assert (match.exposed.player, match.exposed.cause == "R8") == (moment.writer, late)
    about, evidence = str(match.exposed), match.exposed.evidence
    with Journal.open(tmp_path / "watched" / JOURNAL_FILE) as journal:
        assert journal.evidence(match.record_now.table_id) == tuple((about, e) for e in evidence)
    finding = audit(record)
    verdict = Verdict.EXPOSED if late else Verdict.ILLEGAL
    assert (finding.verdict, finding.player) == (verdict, moment.writer)


async def test_a_spectator_leaves_a_node_that_shows_false_entries_without_end(
    tmp_path: Path,
) -> None:
    """The entries are judged only up to a limit, as each is evidence that goes to the disk."""
    table = SeededTable.sit(players=3, spectators=True)
    body = Body(table.state.next_place, table.state.writers[0], MoveContent(Pass(), ()))
    false = Carry(1, Entry.sign(body.encode(), table.signers[body.writer]).encode())
    match, error, _ = await shown(tmp_path, Agreed(table.charter.encode()), *402 * [false])
    assert "nothing new" in str(error)
    assert match.exposed is not None


@pytest.mark.parametrize("name", ["part", "of the same number"])
async def test_a_spectator_leaves_a_node_that_repeats_one_continuation_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The node repeats `part`, or shows another continuation of the same number again and again.

    The second kind exposes those who signed both. In a larger match the others would go on, so
    `over` is patched here.
    """
    monkeypatch.setattr(FollowedMatch, "over", False)
    _, error, _ = await shown(tmp_path, *Parting.make().named("part", *402 * [name]))
    assert "nothing new" in str(error)


# Continuations


@define
class Parting:
    """A table of three players, one of whom stays away from the beginning.

    `late` is an entry of the absent player that came late, and `behind` the next entry, by player
    `cheat`. `part` is a continuation without the absent player, and `then` the first entry at
    its table.
    """

    table: SeededTable
    late: bytes
    rival: bytes
    """Another entry of the absent player in the place of the late one."""
    behind: bytes
    cheat: int
    others: dict[str, bytes]
    """Other continuations that could have come instead of `part`."""
    part: bytes
    then: bytes

    @classmethod
    def make(cls) -> "Parting":
        table = SeededTable.sit(players=3, spectators=True)
        start, absent, rival = table.state, table.state.writers[0], table.write()
        aside = evolve(table, players=list(table.players), entries=[])
        aside.step()
        due = aside.state.due
        assert due is not None
        others = {
            "of the same number": concluded(table, start, offered(start, [absent], seats=[RITA])),
            "of a higher number": concluded(table, start, offered(start, [absent], attempt=2)),
            "that ends": concluded(table, start, offered(start, [absent], ends=True)),
        }
        part = replaced(table, start, absent)
        behind = aside.write()
        seat_newcomers(table, part)
        encoded = {name: signed.encode() for name, signed in others.items()}
        return cls(table, aside.entries[0], rival, behind, due.player, encoded, part, table.write())

    def named(self, *names: str) -> list[Message]:
        """Return the messages with the first charter and these parts, by their names."""
        parts = {name: getattr(self, name) for name in ("late", "rival", "behind", "part", "then")}
        parts |= self.others
        heights = {"behind": 2, "then": 2}
        carried = (Carry(heights.get(name, 1), parts[name]) for name in names)
        return [Agreed(self.table.charter.encode()), *carried]


@define
class Seen:
    """A match as a spectator has seen it in the end."""

    verdict: Verdict = Verdict.UNFINISHED
    """The verdict of an audit of the record."""
    cause: str | None = None
    """The clause that exposes a player, if any."""
    attempt: int = 1
    """The attempt of the table at which the match is in the end."""
    taken_back: list[int] = field(factory=list)
    """The number of entries that each change takes back."""
    over: bool = False


@pytest.mark.parametrize(
    ("parts", "seen"),
    [
        # A continuation replaces a late entry. One node may show the late entry because it has not
        # heard of the continuation. After the continuation, another node may show the entry again.
        (["part", "then"], Seen(taken_back=[0, 0])),
        (["late", "part", "then"], Seen(taken_back=[0, 1, 0])),
        (["part", "then", "late"], Seen(taken_back=[0, 0])),
        (["late", "part", "then", "late", "part"], Seen(taken_back=[0, 1, 0])),
        # A player who signs a continuation and writes on at the old table is exposed. Then the
        # match is over: of three founders, one is away and one has cheated.
        (["late", "behind", "part"], Seen(Verdict.EXPOSED, "C1", 1, [0, 0, 2], over=True)),
        (["part", "late", "behind"], Seen(Verdict.EXPOSED, "C1", 1, [0], over=True)),
        # `late` and `rival` are two entries in one place. The writer of `behind`, which follows
        # `late`, may not know `rival`, so only the absent player is exposed.
        (["late", "rival", "part", "then"], Seen(taken_back=[0, 1, 0])),
        (["late", "rival", "behind"], Seen(Verdict.EXPOSED, "R8", 0, [0, 0])),
        # A match that the others have ended is over.
        (["late", "that ends"], Seen(Verdict.ENDED, None, 1, [0, 1], over=True)),
        # A second continuation with the same number exposes the players who have signed both.
        (["part", "then", "of the same number"], Seen(Verdict.EXPOSED, "C3", 1, [0, 0], over=True)),
        # The continuation with the highest number counts.
        (["part", "of a higher number"], Seen(attempt=2, taken_back=[0, 0])),
        (["of a higher number", "part"], Seen(attempt=2, taken_back=[0])),
    ],
    ids=lambda one: ", ".join(one) if isinstance(one, list) else "",
)
async def test_3_8_spectators_follow_continuations_and_see_cheats(
    tmp_path: Path, parts: list[str], seen: Seen
) -> None:
    one = Parting.make()
    match, error, record = await shown(tmp_path, *one.named(*parts))
    assert error is None if seen.over else isinstance(error, LinkError)  # the goodbye
    finding = audit(record)
    exposed = match.exposed
    taken_back = [change.taken_back for change in match.past]
    cause = None if exposed is None else exposed.cause
    attempt = match.state.charter.attempt
    assert Seen(finding.verdict, cause, attempt, taken_back, match.over) == seen
    # The absent player's two entries are evidence even when a continuation has replaced them.
    named = "R8" if "rival" in parts else cause
    assert {exposure.cause for exposure in finding.exposed} == ({named} if named else set())
    if "then" in parts:
        assert match.state.head == advance(one.table.state, one.then).head
    if seen == Seen(taken_back=seen.taken_back) and "rival" not in parts:
        # The match goes on at `part`, and nobody is exposed: the record has no other parts.
        signed = SignedCharter.decode(one.part)
        assert record == b"".join(record_parts([(one.table.charter, []), (signed, [one.then])]))
    if exposed is not None:
        with Journal.open(tmp_path / "watched" / JOURNAL_FILE) as journal:
            tables = [table.table_id for table in journal.tables()]
            kept = [evidence for table in tables for evidence in journal.evidence(table)]
        assert (str(exposed), exposed.evidence[0]) in kept
        assert finding.cause == seen.cause
        assert seen.cause != "C1" or exposed.player == one.cheat


async def test_3_8_a_continuation_that_is_false_or_of_another_match_is_not_followed(
    tmp_path: Path,
) -> None:
    one, other = Parting.make(), SeededTable.sit(players=3, seed=2, spectators=True)
    start = State.start(one.table.charter.charter)
    signed = SignedCharter.decode(one.part)
    charter = signed.charter
    assert charter.continues is not None
    lying = evolve(charter, continues=evolve(charter.continues, results=((1, 2, 3),)))
    cases: dict[bytes, type[Exception]] = {
        evolve(signed, signatures=(*signed.signatures[:2], bytes(64))).encode(): Malformed,
        replaced(other, other.state, 0): Mismatch,
        concluded(one.table, start, lying).encode(): Mismatch,
    }
    for number, (part, kind) in enumerate(cases.items()):
        messages = *one.named("late"), Carry(1, part)
        match, error, _ = await shown(tmp_path / f"{number}", *messages)
        assert type(error) is kind, number
        assert (match.state.charter.attempt, match.state.height) == (0, 1)
