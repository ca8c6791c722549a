"""Who is dismissed by an absence that is shown late: only who is named in it (6.10)."""

from pathlib import Path

import pytest
from attrs import evolve

from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord, Outcome
from protocol.absence import absence
from protocol.audit import Auditor, Verdict
from protocol.entries import AbsentContent, Body
from protocol.errors import Exposed, Unattributable
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.absent import NEWCOMER, ended, joint, others
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


def test_6_10_nobody_is_dismissed_by_who_has_written_in_the_place(tmp_path: Path) -> None:
    """The others sign that somebody is absent for whom nobody has waited. The file of the record
    ends in what exposes who was due.
    """
    ring = Ring.sit(players=3)
    before, entry = ring.state, ring.write()
    due, me = before.writers[0], (before.writers[0] + 1) % 3
    charter = ring.charter.charter
    place = Body(before.next_place, min({0, 1, 2} - {me}), AbsentContent((me,)))
    false = joint(place, others(ring, me))
    with Journal.open(tmp_path / "home" / "journal.sqlite") as journal:
        journal.create_table(charter.table_id, ring.charter.encode(), me)
        record = LiveRecord(journal, Membership(ring.charter, me, ()), charter.members[me].key)
        after = advance(State.start(charter), entry)
        record.write(after, entry, None)
        record.take(after, entry)
        with pytest.raises(Exposed) as caught:
            record.judge(1, false)
        assert (caught.value.player, caught.value.cause) == (due, "R20")
        record.exposed = caught.value
        auditor = Auditor()
        list(auditor.feed(b"".join(record.file_parts())))
        finding = auditor.finish()
        assert (finding.verdict, finding.player) == (Verdict.EXPOSED, due)


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
                await record.go_back(1, entry)
                assert journal.entries(charter.table_id) == ()
            after = advance(record.state, entry)
            record.write(after, entry, None)
            record.take(after, entry)
        assert journal.entries(charter.table_id) == (cut,)
        assert record.state.head == advance(before, cut).head
        with pytest.raises(Unattributable):
            record.judge(1, late)


async def test_6_what_does_not_hold_takes_nothing_away(tmp_path: Path) -> None:
    """All the others have signed it, but say that hands are being opened. Whoever has no seat there
    keeps what they have.
    """
    ring = Ring.sit(players=3)
    before, late = ring.state, ring.write()
    absent = before.writers[0]
    false = evolve(
        absence(before, AbsentContent((absent,))),
        content=AbsentContent((absent,), (), opening=True),
    )
    charter = ring.charter.charter
    with Journal.open(tmp_path / "home" / "journal.sqlite") as journal:
        journal.create_table(charter.table_id, ring.charter.encode(), 0)
        record = LiveRecord(journal, Membership(ring.charter, 0, ()), NEWCOMER.key)
        after = advance(State.start(charter), late)
        record.write(after, late, None)
        record.take(after, late)
        entry = joint(false, others(ring, absent))
        assert record.judge(1, entry) is Outcome.OVERTAKEN
        with pytest.raises(Unattributable) as caught:
            await record.go_back(1, entry)
        assert caught.value.cause == "R19"
        assert record.height == 1
        assert journal.entries(charter.table_id) == (late,)


@pytest.mark.parametrize("me", range(3))
def test_6_9_after_an_own_entry_or_a_joint_one_nobody_answers_for_votes_before_it(
    me: int, tmp_path: Path
) -> None:
    ring = Ring.sit(players=3)
    before, late = ring.state, ring.write()
    named = before.writers[0]
    key = ring.charter.charter.members[me].key
    with Journal.open(tmp_path / "home" / "journal.sqlite") as journal:
        for entry, settled in ((late, int(me == named)), (ended(ring, before, named), 1)):
            record = LiveRecord(journal, Membership(ring.charter, me, ()), key)
            record.take(advance(before, entry), entry)
            assert record.settled == settled
