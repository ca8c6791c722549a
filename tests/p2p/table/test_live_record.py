"""What the record at a node knows of itself, in a match in which a seat was given away."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from engine.sentences import Sentence
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.changes import no_progress
from p2p.table.live_record import LiveRecord
from protocol.ballot import Act, Contradiction, signers_of
from protocol.charter import Member
from protocol.entries import Entry, is_joint
from protocol.errors import Exposed
from protocol.reducer import advance
from tests.p2p.table.vector_records import (
    copy_of,
    entries,
    keep_record,
    open_journal,
    signed_charter,
    states,
)
from tests.protocol.absent import ended, replaced
from tests.protocol.ring import Ring

FILE = "absences.json"
GIVEN_AWAY = 21
LENGTH = 60
RECENT = 32


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the first entries, written once."""
    return keep_record(tmp_path_factory.mktemp("kept") / "home", FILE, LENGTH)


@pytest.fixture
def journal(kept: Path, tmp_path: Path) -> Iterator[Journal]:
    with copy_of(kept, tmp_path / "home") as journal:
        yield journal


@cache
def gone() -> int:
    """The number of the player whose seat was given away."""
    before, after = states(FILE)[0].charter.members, states(FILE)[-1].charter.members
    (player,) = (number for number, member in enumerate(after) if member != before[number])
    return player


def member(player: int, height: int) -> Member:
    """Who has that seat before that entry."""
    return states(FILE)[height - 1].charter.members[player]


def record_at(journal: Journal, me: int, key: bytes | None = None, upto: int = 0) -> LiveRecord:
    """The record at the node of player `me`, who has that key; the one that they began with if none
    is said.
    """
    membership = Membership(signed_charter(FILE), me, ())
    record = LiveRecord(journal, membership, key or member(me, 1).key)
    grow(record, upto)
    return record


def grow(record: LiveRecord, upto: int) -> None:
    for height in range(record.height + 1, upto + 1):
        record.take(states(FILE)[height], entries(FILE)[height - 1])


def test_whose_seat_is_given_away_is_dismissed_for_good(journal: Journal) -> None:
    record = record_at(journal, gone(), upto=GIVEN_AWAY - 1)
    assert record.is_seated
    assert not record.dismissed
    for height in (GIVEN_AWAY, GIVEN_AWAY + 1):
        grow(record, height)
        assert record.dismissed
        assert not record.is_seated
        assert record.stopped
        assert record.over


def test_a_substitute_is_seated_from_the_entry_on_that_names_them(journal: Journal) -> None:
    record = record_at(journal, gone(), member(gone(), GIVEN_AWAY + 1).key)
    for height in range(1, LENGTH + 1):
        grow(record, height)
        assert record.is_seated == (height >= GIVEN_AWAY)
        assert not record.dismissed
        assert not record.over


@pytest.mark.parametrize("me", [0, 1, 2])
def test_a_vote_binds_until_the_own_next_entry_or_a_joint_one(journal: Journal, me: int) -> None:
    """Up to there a player need not answer for what they have voted for (record.md, 6)."""
    record, settled, signed = record_at(journal, me), 0, dict[bytes, int]()
    for height in range(1, LENGTH + 1):
        grow(record, height)
        entry, after = entries(FILE)[height - 1], states(FILE)[height]
        assert after.last is not None
        if is_joint(entry):
            signers = signers_of(states(FILE)[height - 1].charter, Entry.decode(entry))
            signed |= dict.fromkeys(signers, height)
        else:
            signed[member(after.last.writer, height).key] = height
        if after.last.writer == me or is_joint(entry):
            settled = height
        assert record.settled == settled
        assert record.signed == signed
    assert settled > 0


def test_a_place_is_that_after_the_entry_before_it(journal: Journal) -> None:
    record = record_at(journal, 0, upto=LENGTH)
    for height in (1, GIVEN_AWAY, GIVEN_AWAY + 1, LENGTH + 1):
        place, charter = record.place_of(height)
        assert (place.table_id, place.height) == (record.table_id, height)
        assert place == states(FILE)[height - 1].next_place
        assert charter.members == states(FILE)[height - 1].charter.members
    assert record.head_at(LENGTH) == states(FILE)[LENGTH].head


async def test_the_newest_entries_are_in_memory_and_the_others_in_the_journal(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, read = record_at(journal, 0, upto=LENGTH), list[int]()
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
    assert record.has(oldest, entries(FILE)[oldest - 1])
    assert not record.has(oldest - 1, entries(FILE)[oldest - 2])
    assert not record.has(oldest, entries(FILE)[oldest])


def test_what_is_taken_up_from_the_journal_is_told(journal: Journal) -> None:
    record, told = record_at(journal, 0), list[tuple[int, int]]()
    reached = [state.height for state in record.replay(lambda *done: told.append(done), 30)]
    assert reached == [*range(1, 31)]
    assert told == [(height, 30) for height in reached]
    assert [change.after.height for change in record.past] == reached
    assert {change.taken_back for change in record.past} == {0}
    assert record.state.head == states(FILE)[30].head


def test_from_a_damaged_entry_on_the_journal_is_cut_and_doubted(journal: Journal) -> None:
    journal._query("UPDATE entries SET entry = zeroblob(200) WHERE height = 5")
    record = record_at(journal, 0)
    for _ in record.replay(no_progress):
        pass
    assert record.height == 4
    assert journal.entries(record.table_id) == entries(FILE)[:4]
    assert journal.is_doubtful(record.table_id)


async def test_going_back_leaves_what_stands_before_the_absence(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And tells, with the next entry, how many it has taken back."""
    record = record_at(journal, 0, upto=LENGTH)
    back = GIVEN_AWAY - 1
    await record.go_back(GIVEN_AWAY, entries(FILE)[GIVEN_AWAY - 1])
    assert record.height == back
    assert record.state.head == states(FILE)[back].head
    assert (record.settled, record.signed) == (
        (earlier := record_at(journal, 0, upto=back)).settled,
        earlier.signed,
    )
    assert journal.entries(record.table_id) == entries(FILE)[:back]
    after: Any = states(FILE)[GIVEN_AWAY : GIVEN_AWAY + 2]
    changes = [
        record.take(state, entry) for state, entry in zip(after, entries(FILE)[back:], strict=False)
    ]
    assert [change.taken_back for change in changes] == [LENGTH - back, 0]


def test_6_11_of_two_absences_in_one_place_who_has_signed_both_is_exposed(tmp_path: Path) -> None:
    """The others have ended the match without somebody, and have given away that seat, too."""
    ring = Ring.sit("canasta", 3)
    before = ring.state
    silent = before.writers[0]
    one, other = ended(ring, before, silent), replaced(ring, before, silent)
    with open_journal(tmp_path / "home") as journal:
        journal.create_table(before.table_id, ring.charter.encode(), 0)
        key = ring.charter.charter.members[0].key
        record = LiveRecord(journal, Membership(ring.charter, 0, ()), key)
        after = advance(before, one)
        record.write(after, one, None)
        record.take(after, one)
        with pytest.raises(Exposed) as caught:
            record.judge(1, other)
    assert caught.value.player != silent
    assert caught.value.cause == "R20"


def test_who_has_got_a_seat_is_not_taken_for_who_had_it_before(journal: Journal) -> None:
    """What is malformed may not tell of which height it is: it is theirs who have signed it."""
    number, name = gone(), Sentence("They have signed bytes that are no entry.")
    substitute, before = Identity.generate(), Identity.generate()
    record = record_at(journal, number, substitute.public, upto=LENGTH)
    members = [*record.state.charter.members]
    members[number] = evolve(members[number], key=substitute.public)
    record.state = evolve(
        record.state, charter=evolve(record.state.charter, members=tuple(members))
    )

    def exposed(*shown: bytes) -> Exposed:
        return Exposed(number, "R9", name, shown)

    for signer, own in ((substitute, True), (before, False)):
        assert record.is_own(exposed(Entry.sign(b"junk", signer.sign).encode())) == own
        place = record.state.next_place
        acts = [
            Act.refusal(place, number, signer.public, signer.sign),
            Act(b"another", signer.public, bytes(64)),
        ]
        assert record.is_own(exposed(Contradiction(*acts).encode())) == own
