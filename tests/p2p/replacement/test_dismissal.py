"""Who is dismissed by an absence that is shown late: only who is named in it (6.10)."""

from pathlib import Path

import pytest

from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord, Outcome
from protocol.errors import Unattributable
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.absent import ended
from tests.protocol.ring import Ring


@pytest.mark.parametrize("me", range(3))
def test_6_10_nobody_is_dismissed_but_who_is_named(me: int, tmp_path: Path) -> None:
    """The first shuffle has come late, and nobody has written since. Voters are overtaken, unless
    they were released: then another one has cheated, and nobody is gone.
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
        shown = Outcome.DISMISSED if me == named else Outcome.OVERTAKEN
        assert record.judge(1, cut) is shown
        assert record.judge(1, late) is Outcome.NONE


async def test_6_who_does_not_know_their_vote_any_more_takes_the_absence(tmp_path: Path) -> None:
    """Their journal was put back, and has heard first of the entry that came late."""
    ring = Ring.sit(players=3)
    before, late = ring.state, ring.write()
    named = before.writers[0]
    cut = ended(ring, before, named)
    charter = ring.charter.charter
    me = (named + 1) % 3
    with Journal.open(tmp_path / "home" / "journal.sqlite") as journal:
        journal.create_table(charter.table_id, ring.charter.encode(), me)
        membership = Membership(ring.charter, me, ())
        record = LiveRecord(journal, membership, charter.members[me].key)
        for entry in (late, cut):
            if record.height:
                assert record.judge(1, entry) is Outcome.OVERTAKEN
                await record.go_back(1)
                assert journal.entries(charter.table_id) == ()
            after = advance(record.state, entry)
            record.write(after, entry, None)
            record.take(after, entry)
        assert journal.entries(charter.table_id) == (cut,)
        assert record.state.head == advance(before, cut).head
        with pytest.raises(Unattributable):
            record.judge(1, late)
