"""Who is dismissed by an absence that is shown late: only who is named in it (6.10)."""

from pathlib import Path

import pytest

from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.absent import ended
from tests.protocol.ring import Ring


@pytest.mark.parametrize("me", range(3))
def test_6_10_nobody_is_dismissed_but_who_is_named(me: int, tmp_path: Path) -> None:
    """The first shuffle has come late, and nobody has written since. A voter of the others, who was
    released, may be shown the absence complete: another one has cheated, and nobody is gone.
    """
    ring = Ring.sit(players=3)
    before, late = ring.state, ring.write()
    named = before.writers[0]
    cut = ended(ring, before, named)
    charter = ring.charter.charter
    with Journal.open(tmp_path / "home" / "journal.sqlite") as journal:
        journal.create_table(charter.table_id, ring.charter.encode(), me)
        membership = Membership(ring.charter, me, ())
        record = LiveRecord(journal, membership, charter.members[me].key)
        after = advance(State.start(charter), late)
        record.write(after, late, None)
        record.take(after, late)
        assert record.judge(1, cut) == (me == named)
        assert not record.judge(1, late)
