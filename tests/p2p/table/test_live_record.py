"""The record of a running node, and how it is restored from the journal."""

import pytest
import trio

from p2p.match.match_node import MatchNode
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.node_updates import no_progress
from protocol.entries import Body, Entry, UnlockContent
from protocol.state import State
from tests.p2p.table.conftest import FILE, LENGTH
from tests.p2p.table.vector_records import entries, signed_charter, states

RECENT = 64


def record_at(journal: Journal, upto: int = 0) -> LiveRecord:
    """Return the record of the first player's node."""
    signed = signed_charter(FILE)
    start = State.start(signed.charter)
    record = LiveRecord.of(journal, Membership(signed, 0, ()), signed.charter.members[0].key, start)
    for height in range(1, upto + 1):
        record.take(states(FILE)[height], entries(FILE)[height - 1])
    return record


def test_the_state_at_every_height_is_known(journal: Journal) -> None:
    """A match may go on from any height: states not in memory are rebuilt from the journal."""
    record = record_at(journal, upto=LENGTH)
    for height in (0, 1, LENGTH - RECENT, LENGTH - RECENT + 1, LENGTH):
        assert (
            record.state_at(height).head == record.chain.heads[height] == states(FILE)[height].head
        )


def test_unlockings_do_not_replace_the_entry_that_may_expose_a_player(journal: Journal) -> None:
    """`telling` returns a player's last entry that is no unlocking.

    Together with a signature that contradicts it, this entry exposes the player.
    """
    record, last = record_at(journal, upto=LENGTH), dict[int, bytes]()
    for entry in entries(FILE)[:LENGTH]:
        body = Body.decode(Entry.decode(entry).body, record.state.match.game.deck)
        if not isinstance(body.content, UnlockContent):
            last[body.writer] = entry
    assert [record.telling(player) for player in last] == [(entry,) for entry in last.values()]


async def test_the_newest_entries_are_in_memory_and_the_others_in_the_journal(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, read = record_at(journal, upto=LENGTH), list[int]()
    find = Journal.entries

    def noted(journal: Journal, table_id: bytes, since: int, most: int) -> tuple[bytes, ...]:
        read.append(since)
        return find(journal, table_id, since, most)

    monkeypatch.setattr(Journal, "entries", noted)
    oldest = LENGTH - RECENT + 1
    for since, most in ((oldest, 4), (LENGTH, 1), (LENGTH - 1, 100), (LENGTH + 1, 1)):
        assert await record.entries(since, most) == entries(FILE)[:LENGTH][since - 1 :][:most]
    assert read == []
    for since, most in ((oldest - 1, 1), (1, 3), (oldest - 2, 4), (1, 100)):
        assert await record.entries(since, most) == entries(FILE)[:LENGTH][since - 1 :][:most]
    assert read == [oldest - 1, 1, oldest - 2, 1]
    assert record.chain.has(oldest, entries(FILE)[oldest - 1])
    assert not record.chain.has(oldest - 1, entries(FILE)[oldest - 2])
    assert not record.chain.has(oldest, entries(FILE)[oldest])


def test_replaying_the_journal_reports_its_progress(journal: Journal) -> None:
    record, told = record_at(journal), list[tuple[int, int]]()
    record.replay(lambda *done: told.append(done))
    assert told == [(height, LENGTH) for height in range(1, LENGTH + 1)]
    assert [change.after.height for change in record.past] == [*range(1, LENGTH + 1)]
    assert record.state.head == states(FILE)[LENGTH].head


def test_a_journal_is_cut_before_a_damaged_entry_and_marked_as_doubtful(journal: Journal) -> None:
    journal._query("UPDATE entries SET entry = zeroblob(200) WHERE height = 5")
    record = record_at(journal)
    record.replay(no_progress)
    assert record.height == 4
    assert journal.entries(record.table_id) == entries(FILE)[:4]
    assert journal.is_doubtful(record.table_id)


async def test_leaving_does_not_wait_for_the_rest_of_the_record(node: MatchNode) -> None:
    """The thread that restores the record ends at the next entry."""
    told: list[int] = []

    def progress(done: int, _total: int) -> None:
        told.append(done)
        if done == 3:
            trio.from_thread.run_sync(scope.cancel)
            # The waiting task notices the cancellation only when it runs. This call lets it run
            # before the thread goes on.
            trio.from_thread.run_sync(bool)

    with trio.CancelScope() as scope:
        await node.restore(progress)
    assert scope.cancelled_caught
    assert told == [1, 2, 3]
