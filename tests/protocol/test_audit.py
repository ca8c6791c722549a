"""The auditor: only a complete, unchanged record is sound; findings name the bad entry."""

import tracemalloc
from collections import Counter

import pytest
from attrs import evolve

from engine.games import GAMES
from protocol.audit import Auditor, Verdict
from protocol.entries import CONTENTS, ENTRY_LIMIT, Entry
from protocol.errors import Malformed, Unattributable
from protocol.record_file import LENGTH_BYTES, MAGIC, RecordReader, framed
from tests.engine.simulation import eagerly
from tests.protocol.audited import audit, resumed
from tests.protocol.played import play, played
from tests.protocol.proofless import without_proofs

KINDS = tuple(CONTENTS)


# -- sound records


@pytest.mark.parametrize("game", GAMES)
def test_a_played_round_is_sound(game: str) -> None:
    with without_proofs():
        one = play(game, GAMES[game].players[0], choose=eagerly)
        finding = audit(one.record())
    assert finding.verdict is Verdict.SOUND
    assert finding.entry == len(one.entries)
    assert (finding.player, finding.unsigned, finding.cause) == (None, (), "")


def test_audit_counts_its_checks() -> None:
    one = played()
    auditor = Auditor()
    heights = [state.height for state in auditor.feed(one.record())]
    contents = [moment.body.content for moment in one.moments]
    kinds, proofs = Counter(content.kind for content in contents), Counter[str]()
    for content in contents:
        proofs[content.kind] += len(getattr(content, "proofs", ()))
    tally = auditor.tally
    assert auditor.size == len(one.record())
    assert heights == list(range(len(one.entries) + 1))
    assert tally.entries == kinds
    assert tally.signatures == len(one.entries) + 2
    assert tally.shuffle_proofs == kinds["shuffle"] == 4
    assert tally.unlock_proofs == proofs["unlock"] > 20
    assert tally.face_proofs == proofs["move"] + proofs["open"] > 20


def test_audit_keeps_only_the_sums_of_earlier_score_sheets() -> None:
    """The table has played ten rounds, and is at the end of the eleventh."""
    moment = played().when("close")
    match = moment.state.match
    assert match.round is not None
    assert match.round.sheet is not None
    behind = evolve(match, sheets=10 * (match.round.sheet,))
    state = evolve(moment.state, match=behind)
    auditor = Auditor(state, number=state.height)
    auditor._reader.begun = True
    for writer in state.writers:
        assert auditor.state is not None
        here = evolve(moment, state=auditor.state)
        for after in auditor.feed(framed(here.signed(here.state.closing, writer))):
            assert after.height == here.state.height + 1
    assert auditor.state is not None
    assert auditor.state.complete
    *others, last = auditor.state.match.sheets
    assert last == match.round.sheet
    assert others == 10 * [match.round.sheet.summed()]


def test_audit_does_not_depend_on_the_size_of_portions() -> None:
    assert audit(played().record(), 997) == audit(played().record(), 10**6)


# -- where a record ends


def test_a_record_cut_between_entries_is_unfinished_there() -> None:
    one = played()
    closing = one.when("close").state.height
    assert resumed(played(), 30, b"") == audit(one.record(upto=30))
    for height in range(len(one.entries)):
        finding = resumed(played(), height, b"")
        found = (finding.verdict, finding.cause, finding.entry)
        assert found == (Verdict.UNFINISHED, "R18", height)
        owed = (0, 1) if height < closing else one.moments[height].state.writers
        assert finding.unsigned == owed


def test_unsigned_players_are_sorted_by_number() -> None:
    """The dealer signs first and need not be player 0, but players are sorted by number."""
    one = played("canasta", 4)
    first = one.when("close")
    last = next(m for m in one.moments if len(m.state.writers) == 2 and m.state.match.round_over)
    assert first.state.writers[0] != 0
    for moment in (first, last):
        auditor = Auditor(moment.state)
        assert auditor._unsigned() == tuple(sorted(moment.state.writers))


def test_a_record_cut_within_an_entry_is_broken_there() -> None:
    one = played()
    assert resumed(played(), 1, b"\0") == audit(one.record(upto=1) + b"\0")
    for height, entry in enumerate(one.entries):
        for cut in (1, LENGTH_BYTES, LENGTH_BYTES + 50, LENGTH_BYTES + len(entry) - 1):
            finding = resumed(played(), height, framed(entry)[:cut])
            found = (finding.verdict, finding.cause, finding.entry)
            assert found == (Verdict.BROKEN, "R1", height + 1)
            assert f"entry {height + 1}" in str(finding.sentence)
            assert finding.unsigned


def test_a_record_cut_within_its_charter_is_broken_there() -> None:
    data = played().record()
    end = len(played().record(upto=0))
    assert Auditor().height == 0
    for cut in (len(MAGIC), len(MAGIC) + 1, len(MAGIC) + 100, end - 1):
        finding = audit(data[:cut])
        assert (finding.verdict, finding.entry, finding.cause) == (Verdict.BROKEN, 0, "R1")


@pytest.mark.parametrize("cut", range(len(MAGIC)))
def test_a_record_cut_within_its_first_line_is_refused(cut: int) -> None:
    with pytest.raises(Malformed, match="no record"):
        audit(MAGIC[:cut])


def test_bytes_after_the_end_are_found() -> None:
    """An entry there exposes its signer, and the record is not read any further."""
    one = played()
    for more in (b"\0", b"\0\0\0\x09", framed(b"junk")):
        finding = audit(one.record() + more)
        assert (finding.verdict, finding.unsigned) == (Verdict.BROKEN, ())
        assert finding.entry == len(one.entries) + 1
    last = one.moments[-1]
    entry = last.signed(last.body.content, 1, one.table.state.next_place)
    auditor = Auditor()
    list(auditor.feed(one.record(entry, b"more")))
    finding = auditor.finish()
    assert (finding.verdict, finding.player, finding.cause) == (Verdict.EXPOSED, 1, "R11")
    assert finding.unsigned == ()
    assert auditor.size == len(one.record(entry)), "the evidence must end with this entry"


# -- changed records


def test_every_changed_byte_of_first_line_and_charter_is_found() -> None:
    data = played().record()
    for at in range(len(played().record(upto=0))):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        # With one of these digits, the first line is that of a newer version.
        if at < len(MAGIC) and chr(changed[at]) not in "23456789":
            with pytest.raises(Malformed):
                audit(changed)
            continue
        finding = audit(changed)
        # If a byte of the game's name is changed, a newer program may know such a game.
        assert finding.verdict in {Verdict.BROKEN, Verdict.NEWER}
        assert (finding.entry, finding.cause in {"R1", "R2"}) == (0, True)


@pytest.mark.parametrize("kind", KINDS)
def test_every_changed_byte_of_an_entry_is_found(kind: str) -> None:
    """One bit of each byte is changed; in a shuffle, which is long, only in every 41st byte."""
    moment = played().when(kind)
    entry = framed(moment.entry)
    for at in range(0, len(entry), 41 if kind == "shuffle" else 1):
        changed = bytearray(entry)
        changed[at] ^= 1 << at % 8
        finding = resumed(played(), moment.state.height, bytes(changed))
        assert (finding.verdict, finding.entry) == (Verdict.BROKEN, moment.state.height + 1)
        assert finding.cause in {"R1", "R3", "R4"}


def test_entries_swapped_dropped_or_repeated_are_found() -> None:
    one = played()
    entries = one.entries
    for there in ([9, 8, 10], [9], [8, 8, 9]):
        order = [*entries[:8], *(entries[at] for at in there), *entries[10:]]
        finding = audit(one.record(*order, upto=0))
        assert (finding.verdict, finding.cause) == (Verdict.BROKEN, "R6")
        assert finding.entry in {9, 10}


def test_a_second_signature_of_the_last_body_keeps_the_record_sound() -> None:
    """The writer may sign the same body again; another player who signs it is exposed."""
    one = played()
    last = Entry.decode(one.entries[-1])
    moment = one.moments[-1]
    again = moment.signed_bytes(last.body)
    assert audit(one.record(again, upto=len(one.entries) - 1)).verdict is Verdict.SOUND
    forged = moment.signed_bytes(last.body, moment.other)
    finding = audit(one.record(forged, upto=len(one.entries) - 1))
    assert (finding.verdict, finding.player) == (Verdict.EXPOSED, moment.other)


def test_audit_reads_nothing_after_a_finding() -> None:
    one = played()
    auditor = Auditor()
    data = one.record(b"junk", upto=2)
    assert [state.height for state in auditor.feed(data)] == [0, 1, 2]
    assert list(auditor.feed(one.record())) == []
    assert auditor.finish() == auditor.finish()
    assert auditor.finish().entry == 3


# -- The record as a file: its parts are the same for any size of the portions that are read

PARTS = [b"a charter", b"x", bytes(ENTRY_LIMIT), b"the end"]
FILE = MAGIC + b"".join(map(framed, PARTS))


def read(data: bytes, portion: int) -> tuple[list[bytes], RecordReader]:
    reader = RecordReader()
    parts = [
        part for at in range(0, len(data), portion) for part in reader.feed(data[at : at + portion])
    ]
    return parts, reader


@pytest.mark.parametrize("portion", [1, 2, 7, 4096, 10**6])
def test_reading_does_not_depend_on_the_size_of_portions(portion: int) -> None:
    parts, reader = read(FILE, portion)
    assert parts == PARTS
    assert reader.begun
    assert reader.rest == b""


def test_a_record_begins_with_the_first_line_and_the_charter() -> None:
    one = played()
    parts, _ = read(one.table.record(), 10_000)
    assert parts == [one.table.charter.encode(), *one.entries]
    reader = RecordReader()  # the first line may come in several portions
    assert list(reader.feed(one.table.record()[:5])) == []
    assert not reader.begun


@pytest.mark.parametrize("end", range(len(MAGIC) + 5, len(MAGIC) + 30))
def test_an_incomplete_part_is_left_as_rest(end: int) -> None:
    parts, reader = read(FILE[:end], 5)
    whole = MAGIC + b"".join(map(framed, parts))
    assert parts == PARTS[: len(parts)]
    assert whole + reader.rest == FILE[:end]


@pytest.mark.parametrize("data", [b"PK\3\4", b"sobremesa record 0\n", MAGIC.upper(), b"\0"])
@pytest.mark.parametrize("portion", [1, 100])
def test_a_file_with_another_first_line_is_refused(data: bytes, portion: int) -> None:
    with pytest.raises(Malformed, match="no record"):
        read(data, portion)


@pytest.mark.parametrize("length", [0, ENTRY_LIMIT + 1, 2**32 - 1])
def test_r1_an_impossible_length_ends_reading_at_once(length: int) -> None:
    """A false length reserves no memory, and everything before it is read."""
    reader = RecordReader()
    fed = reader.feed(MAGIC + framed(b"good") + length.to_bytes(4, "big"))
    assert next(fed) == b"good"
    with pytest.raises(Unattributable) as raised:
        next(fed)
    assert raised.value.cause == "R1"


def test_stopping_within_a_portion_loses_no_part() -> None:
    reader = RecordReader()
    for part in reader.feed(FILE):
        assert part == PARTS[0]
        break
    assert list(reader.feed(b"")) == PARTS[1:]


def test_reading_takes_little_more_memory_than_one_part() -> None:
    reader = RecordReader()
    portion = framed(bytes(30_000))
    list(reader.feed(MAGIC))
    tracemalloc.start()
    try:
        for _ in range(300):
            assert len(list(reader.feed(portion))) == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(portion)
