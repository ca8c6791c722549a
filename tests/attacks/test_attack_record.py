"""The log itself: forging, replaying, contradicting oneself, and lying about the score."""

from collections.abc import Callable

import pytest
from attrs import evolve

from engine.moves import DrawStock, TakePile
from protocol.audit import Finding, Verdict
from protocol.charter import Charter, SignedCharter
from protocol.codec import Value, decode, encode
from protocol.entries import BODY_LIMIT, CloseContent, Entry, MoveContent
from protocol.record import record_parts
from protocol.reducer import advance
from protocol.state import State
from tests.protocol import audited
from tests.protocol.played import Moment, discarding, played, shuffling, unlocking
from tests.protocol.ring import Ring


def audit(*entries: bytes, charter: SignedCharter | None = None) -> Finding:
    """Return the finding for the first entries of the played round, and then these."""
    return audited.audit(b"".join(record_parts([(charter or played().ring.charter, entries)])))


def test_two_entries_in_one_place_expose_whichever_came_first() -> None:
    """Two peers were told different things: both entries in one file are evidence for anybody."""
    moment = played().moving(DrawStock)
    before = played().entries[: moment.state.height]
    other = moment.signed(MoveContent(TakePile(), ()))
    for pair in ((moment.entry, other), (moment.entry, moment.signed_bytes(b"\xc0"))):
        finding = audit(*before, *pair)
        assert finding.verdict is Verdict.EXPOSED
        assert finding.player == moment.writer
        assert finding.cause in {"R8", "R9"}


def test_an_entry_of_another_table_exposes_nobody() -> None:
    """The same players in the same seats, the same game: only the nonces differ."""
    one = played()
    members = one.ring.charter.charter.members
    charter = evolve(
        one.ring.charter.charter, members=tuple(evolve(m, nonce=bytes(32)) for m in members)
    )
    signed = SignedCharter(charter, tuple(charter.sign(s) for s in one.ring.signers))
    finding = audit(*one.entries, charter=signed)
    assert (finding.verdict, finding.entry) == (Verdict.BROKEN, 1)
    assert (finding.player, finding.cause) == (None, "R5")


def test_an_entry_forged_by_a_carrier_or_a_stranger_exposes_nobody() -> None:
    moment = played().at(12)
    before = played().entries[: moment.state.height]
    body = Entry.decode(moment.entry).body
    stranger = Ring.sit(players=2, seed=99).signers[0]
    place = _fields(body)[:-1]
    changed = encode([*place, [["discard", [1, 1]], []]])
    signature = Entry.decode(moment.entry).signature
    for forged in (Entry.sign(body, stranger), Entry(changed, signature)):
        finding = audit(*before, forged.encode())
        assert (finding.verdict, finding.player) == (Verdict.BROKEN, None)
        assert (finding.entry, finding.cause) == (moment.state.height + 1, "R4")


def _fields(body: bytes) -> tuple[Value, ...]:
    fields = decode(body, limit=BODY_LIMIT)
    assert isinstance(fields, tuple)
    return fields


def test_carrier_cannot_make_a_signer_look_malformed() -> None:
    """A second encoding of what somebody signed is the carrier's doing."""
    moment = played().at(12)
    before = played().entries[: moment.state.height]
    finding = audit(*before, b"\xdc\x00\x02" + moment.entry[1:])
    assert (finding.verdict, finding.player, finding.cause) == (Verdict.BROKEN, None, "R3")


@pytest.mark.parametrize(
    ("found", "verdict"),
    [(discarding, Verdict.ILLEGAL), (shuffling, Verdict.EXPOSED)],
    ids=["a move", "a shuffle"],
)
def test_who_writes_out_of_turn_is_named(found: Callable[[], Moment], verdict: Verdict) -> None:
    """Only the rules know whose move it is; who shuffles next, anybody can see."""
    moment = found()
    before = played().entries[: moment.state.height]
    finding = audit(*before, moment.signed(moment.body.content, moment.other))
    assert (finding.verdict, finding.player) == (verdict, moment.other)
    assert (finding.entry, finding.cause) == (moment.state.height + 1, "R11")


def test_who_moves_against_the_rules_is_named_and_not_called_a_cheat() -> None:
    """Drawing twice: the rules' clause is the cause, and they may have a fault in this program."""
    moment = discarding()
    before = played().entries[: moment.state.height]
    finding = audit(*before, moment.signed(MoveContent(DrawStock(), ())))
    assert (finding.verdict, finding.player) == (Verdict.ILLEGAL, moment.writer)
    assert finding.cause == "X10"
    assert advance(moment.state, moment.entry).height == moment.state.height + 1


def test_signature_for_another_use_is_none() -> None:
    """A chat line, a charter or an entry of another version is no entry of this record."""
    moment = played().at(12)
    body = Entry.decode(moment.entry).body
    signer = moment.ring.signers[moment.writer]
    before = played().entries[: moment.state.height]
    for label in (b"sobremesa/1/charter", b"sobremesa/1/chat", b"sobremesa/2/entry", b""):
        finding = audit(*before, Entry(body, signer(label, body)).encode())
        assert (finding.verdict, finding.cause) == (Verdict.BROKEN, "R4")


@pytest.mark.parametrize(
    ("closing", "verdict"), [("first", Verdict.ILLEGAL), ("last", Verdict.EXPOSED)]
)
def test_who_signs_a_wrong_score_is_named(closing: str, verdict: Verdict) -> None:
    """The first one to sign may have counted by other rules; who differs from another, has not."""
    moment = played().when("close") if closing == "first" else played().last("close")
    honest = moment.the(CloseContent)
    before = played().entries[: moment.state.height]
    mine = moment.state.match.seat_of(moment.writer) % 2
    points = tuple(p + 100 * (side == mine) for side, p in enumerate(honest.points))
    finding = audit(*before, moment.signed(evolve(honest, points=points)))
    assert (finding.verdict, finding.player) == (verdict, moment.writer)
    assert (finding.entry, finding.cause) == (moment.state.height + 1, "R17")


def test_who_signs_another_round_or_number_of_points_is_exposed() -> None:
    """It takes no rules to see that they are wrong."""
    moment = played().when("close")
    honest = moment.the(CloseContent)
    before = played().entries[: moment.state.height]
    for wrong in (evolve(honest, round_number=2), evolve(honest, points=(*honest.points, 0))):
        finding = audit(*before, moment.signed(wrong))
        assert (finding.verdict, finding.player) == (Verdict.EXPOSED, moment.writer)
        assert finding.cause == "R17"


def test_who_ends_the_match_early_is_exposed() -> None:
    moment = played().when("close")
    honest = moment.the(CloseContent)
    assert moment.cause(evolve(honest, last=not honest.last)) == "R17"


def test_record_cut_where_it_suits_is_not_signed_by_all() -> None:
    one = played()
    finding = audit(*one.entries[:-1])
    assert finding.verdict is Verdict.UNFINISHED
    assert finding.unsigned == (one.moments[-1].writer,)


def test_who_tells_a_key_before_the_end_is_exposed() -> None:
    """No entry has room for it: who squeezes one in is exposed, and is not understood."""
    moment = unlocking()
    key = moment.ring.players[moment.writer]._locks[moment.state.cards.last.number]
    body = Entry.decode(moment.entry).body
    *rest, content = _fields(body)
    assert isinstance(content, tuple)
    told = encode([*rest, [*content, key.encode()]])
    assert moment.exposes(moment.signed_bytes(told)) == (moment.writer, "R9")
    told = encode([*rest, content, key.encode()])
    assert moment.exposes(moment.signed_bytes(told)) == (moment.writer, "R9")


def test_other_rules_are_another_table() -> None:
    """Version, game and options are in the table id: nobody plays by other rules unnoticed."""
    charter = played().ring.charter.charter
    strict = Charter(
        charter.game, charter.game.options.from_pairs([("penalties", True)]), charter.members
    )
    assert strict.table_id != charter.table_id
    assert State.start(strict).next_place != State.start(charter).next_place
