"""Cheats are replaced at once, and former members stop nobody by what they sign."""

from pathlib import Path

import pytest

from protocol.continuation import continuation_of
from protocol.entries import Body, CloseContent, Entry, place_of
from protocol.evidence import Evidence, Statement
from protocol.match.messages import ShownEvidence, Signed
from protocol.match.statements import encode_statement
from protocol.place import Place
from tests.p2p.match.evening import Evening, evening, until

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

DIEGO = 3


def forged(now: Evening, place: Place, by: int = DIEGO) -> bytes:
    """Return an entry that its player would never write in that place."""
    body = Body(place, by, CloseContent(1, (5, 5), last=False))
    return Entry.sign(body.encode(), now.machines.all[by].identity.sign).encode()


async def last_place(now: Evening, by: int = DIEGO) -> Place:
    """Return the place of the last entry of that player that everybody has."""
    await until(lambda: all(node.node.live_record.telling(by) for node in now.nodes))
    entry = now.node(0).node.live_record.telling(by)[-1]
    return place_of(Entry.decode(entry).body)


@pytest.mark.parametrize("kind", ["second entry", "entry against the rules"])
async def test_a_cheat_is_replaced_without_any_grace(tmp_path: Path, kind: str) -> None:
    """The record goes on, and lists them: nobody can stop a match by cheating openly."""
    async with evening(4, tmp_path, cheats=["Diego"]) as now:
        if kind == "second entry":
            place = await last_place(now)
        else:
            now.part(DIEGO)
            await until(lambda: now.due() == DIEGO)
            place = now.node(0).state.next_place
        await now.node(1).node.carried(0, place.height, forged(now, place))
        await until(lambda: all(now.node(n).missing == {DIEGO} for n in range(3)), 5)
        await now.seat_bots(0, 1, 2)
        await now.kill(DIEGO)
        await now.plays_on(1)
    for number in range(3):
        assert [one.name for one in now.findings[number].exposed] == ["Diego"]


async def test_who_signs_to_leave_a_table_and_plays_on_there_is_exposed(tmp_path: Path) -> None:
    """The signature comes first, and then the entry (C1)."""
    async with evening(4, tmp_path, cheats=["Diego"]) as now:
        await until(lambda: now.node(DIEGO).chooses and now.due() == DIEGO)
        left, key = now.node(0).state, now.machines.all[DIEGO].key
        now.part(DIEGO)
        await until(lambda: now.node(DIEGO).height > left.height)
        (entry,) = await now.node(DIEGO).node.live_record.entries(left.height + 1, 1)
        charter = continuation_of(left, [], attempt=1)
        signature = charter.sign(now.machines.all[DIEGO].identity.sign)
        signed = Signed(encode_statement(Statement(charter, DIEGO, signature)))
        assert now.node(0).on_talk(key, signed)
        assert not now.node(0).exposed_players
        assert await now.node(0).node.carried(DIEGO, left.height + 1, entry)
        await until(lambda: all(now.node(n).exposed_players == {DIEGO} for n in range(3)), 5)
        exposed = now.node(0).exposed
        assert exposed is not None
        assert (exposed.cause, exposed.key) == ("C1", key)
        await now.kill(DIEGO)
        await now.seat_bots(0, 1, 2)
        await now.plays_on(2)
    for number in range(3):
        assert [one.cause for one in now.findings[number].exposed] == ["C1"]


async def test_a_late_second_entry_of_a_former_member_stops_nobody(tmp_path: Path) -> None:
    """It comes when all sit at the next table, and not all have written there yet."""
    async with evening(4, tmp_path, cheats=["Diego"]) as now:
        place = await last_place(now)
        await now.kill(DIEGO)
        await now.miss(DIEGO)
        before = now.node(1).node
        await now.seat_bots(0, 1, 2)
        await until(lambda: now.node(1).charter.attempt == 1)
        await before.carried(0, place.height, forged(now, place))
        await now.plays_on(1)
    assert [one.name for one in now.findings[1].exposed] == ["Diego"]


async def test_evidence_against_a_former_member_stops_nobody(tmp_path: Path) -> None:
    """Diego has signed the continuation without player 4, then is missing, too.

    An entry of Diego's from behind its place is shown to Bruno (C1).
    """
    async with evening(5, tmp_path, cheats=["Diego"]) as now:
        first = now.node(1).node
        await now.kill(4)
        await now.miss(4)
        place = first.state.next_place
        await now.seat_bots(0, 1, 2, 3)
        await now.plays_on(1, 6)
        await now.kill(DIEGO)
        await now.miss(DIEGO)
        await now.seat_bots(0, 1, 2)
        await now.plays_on(2)
        (statement,) = (
            s
            for s in now.node(1).machine.statements.all()
            if s.key == now.machines.all[DIEGO].key and s.continues.attempt == 1
        )
        second = Entry.decode(forged(now, place))
        shown = ShownEvidence(Evidence(statement, second, first.charter).encode())
        height = now.node(1).height
        assert now.node(1).on_talk(now.node(0).key, shown)
        await now.plays_on(2, height + 6)
    for number in range(3):
        assert [one.name for one in now.findings[number].exposed] == ["Diego"]
