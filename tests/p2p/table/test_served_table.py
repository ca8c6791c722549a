"""The parts of a table that is over which the record server shows, by the caller."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import trio

from p2p.refusals import Reason
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.record_server import RecordServer, served_chain
from p2p.transport.endpoint import Caller, Declined, Endpoint, hear
from p2p.transport.messages import Hello
from protocol.table.chain import Chain
from tests.p2p.machines import failure_of
from tests.p2p.memory_links import memory_link_pair
from tests.p2p.table.vector_records import copy_of, entries, keep_record, signed_charter, states

pytestmark = pytest.mark.usefixtures("autojump_clock")

FILE = "canastra.json"


@cache
def length() -> int:
    return len(entries(FILE))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the whole match, written once."""
    return keep_record(tmp_path_factory.mktemp("kept") / "home", FILE, length())


@pytest.fixture
def journal(kept: Path, tmp_path: Path) -> Iterator[Journal]:
    with copy_of(kept, tmp_path / "home") as journal:
        yield journal


def served(journal: Journal) -> Chain:
    return served_chain(journal, Membership(signed_charter(FILE), 0, ()))


def test_a_record_is_served_to_its_end(journal: Journal) -> None:
    """It is read in parts."""
    chain = served(journal)
    assert chain.height == length() > 100
    assert chain.heads == [state.head for state in states(FILE)]


def test_evidence_that_cannot_be_read_is_shown_after_the_last_entry(journal: Journal) -> None:
    """Bytes that are no entry expose their signer, wherever they stand."""
    table_id = signed_charter(FILE).charter.table_id
    journal.keep_evidence(table_id, "They lied.", b"nonsense")
    journal.keep_evidence(table_id, "They lied again.", entries(FILE)[2])
    assert served(journal).evidence == ((length() + 1, b"nonsense"), (3, entries(FILE)[2]))


async def asked(journal: Journal, table_id: bytes) -> Exception:
    """Return the error of a stranger who asks for that table."""
    ana, eve = Identity.generate(), Identity.generate()
    server = RecordServer(Endpoint(ana), journal)
    async with memory_link_pair(eve, ana) as (theirs, ours):
        await server.serve(Caller(ours, Hello(table_id, 7)))
        return await failure_of(hear(theirs))


@pytest.mark.usefixtures("on_memory")
@pytest.mark.parametrize("what", ["another table", "a stranger", "a damaged charter"])
async def test_who_has_no_part_in_a_table_is_told_that_there_is_none(
    journal: Journal, what: str
) -> None:
    table_id = signed_charter(FILE).charter.table_id
    if what == "a damaged charter":
        journal.replace_charter(table_id, bytes(100))
    error = await asked(journal, bytes(32) if what == "another table" else table_id)
    assert isinstance(error, Declined)
    assert error.reason == Reason.NO_TABLE


@pytest.mark.usefixtures("on_memory")
async def test_a_table_is_found_among_others(journal: Journal) -> None:
    journal.create_table(bytes(32), b"another charter", 0)
    table_id = signed_charter(FILE).charter.table_id
    ana, eve = Identity.generate(), Identity.generate()
    async with memory_link_pair(eve, ana) as (_, ours):
        server = RecordServer(Endpoint(ana), journal)
        found = await trio.to_thread.run_sync(server._find, Caller(ours, Hello(table_id, 7)))
    assert found is not None
    assert found.table_id == table_id
