"""Evidence in record files: each kind of cheating leads to a file that exposes the player.

The cheats come from the vectors whose records end in an exposure.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from engine.sentences import Sentence
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.record_server import served_chain
from protocol.errors import Exposed
from protocol.record_file import record_parts
from tests.p2p.table.vector_records import (
    EXPOSED,
    meet,
    open_journal,
    record_of,
    signed_charter,
    vector,
)
from tests.protocol.audited import audit
from tests.protocol.table.machine_world import FORK, a_round, forked


@pytest.mark.parametrize(("file", "name"), EXPOSED)
def test_the_record_file_shows_the_cheats_that_the_node_has_found(
    tmp_path: Path, file: str, name: str
) -> None:
    """The file exposes the same player before and after a restart.

    The record that is served to others has the same evidence.
    """
    about = vector(file, name)
    with open_journal(tmp_path) as journal:
        record = record_of(journal, file, about["keep"])
        for entry in map(bytes.fromhex, about["added"]):
            if record.exposed is None and (error := meet(record, entry)) is not None:
                record.expose(error)
        found = record.exposed
        assert found is not None
        assert (found.player, found.cause) == (about["player"], about["cause"])
        record.keep_evidence(found)
        told = b"".join(record_parts([(signed_charter(file), record.parts())]))
        record.exposures.clear()
        record.chain.evidence = ()
        record.recall_evidence()
        assert record.exposed is not None
        assert (record.exposed.player, record.exposed.cause) == (found.player, found.cause)
        assert b"".join(record_parts([(signed_charter(file), record.parts())])) == told
        served = served_chain(journal, record.membership)
        assert {*served.evidence} == {*record.chain.evidence} != set()
    finding = audit(told)
    assert [(one.player, one.cause) for one in finding.exposed] == [(found.player, found.cause)]


@pytest.mark.usefixtures("without_proofs")
def test_two_different_entries_of_the_next_height_expose_their_writer(tmp_path: Path) -> None:
    """They are compared with each other, as each of them alone fits the record."""
    moments, rival = a_round().moments, forked()[0]
    moment, signed = moments[FORK], moments[0].table.charter
    with open_journal(tmp_path) as journal:
        membership, key = Membership(signed, 0, ()), signed.charter.members[0].key
        record = LiveRecord.of(journal, membership, key, moments[0].state)
        for before, after in pairwise(moments[: FORK + 1]):
            record.take(after.state, before.entry)
        journal.create_table(record.table_id, signed.encode(), 0)
        for entry in (moment.entry, rival):
            journal.keep_evidence(record.table_id, "", entry)
        record.recall_evidence()
        fork = record.exposed
        assert fork is not None
        assert (fork.player, fork.cause) == (moment.writer, "R8")
        # The fork is shown only in a record that goes on past it. Other evidence is always shown.
        illegal = Exposed(0, "R11", Sentence("They lied."), (moments[2].entry,), b"another key")
        unreadable = Exposed(1, "R8", Sentence("They lied."), (b"no entry",), b"a third key")
        for error in (illegal, unreadable):
            record.expose(error)
        for most, shown in (
            (FORK, (illegal,)),
            (FORK + 1, (fork, illegal)),
            (None, (fork, illegal)),
        ):
            assert record.shown(most, {b"a fourth key"}) == shown
            assert record.shown(most, {fork.key}) == (illegal,)
        for height, before in enumerate(moments[:FORK], 1):
            journal.append(record.table_id, height, before.entry)
        entries = [one.entry for one in moments[:FORK]]
        assert [*record.parts()] == [*entries, moment.entry, rival]
        assert [*record.parts(2)] == [*entries[:2], moments[2].entry]
        assert [*record.parts(1, [fork])] == [entries[0], moment.entry, rival]
        assert [*record.parts(5, [])] == entries[:5]
