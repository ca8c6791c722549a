"""Audits that read ahead while proofs are verified, and find the same as without reading ahead.

After a false proof a record can contain anything, whether others signed it or nobody did. Only the
player who signed the false proof is blamed.
"""

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from itertools import islice

import pytest
from attrs import evolve, field, frozen

from engine.sentences import Sentence
from protocol.audit import Auditor, Begin, Finding, Verdict
from protocol.entries import MoveContent, OpenContent, ShuffleContent, UnlockContent
from protocol.errors import Exposed, ProofFailed, RemoteError, Unattributable
from protocol.group import SIZE
from protocol.record_file import framed
from protocol.reducer import Check, advance
from protocol.state import State
from tests.protocol.played import Moment, played

PROVEN = ("shuffle", "unlock", "move", "open")


@frozen
class Backwards:
    """A verifier that checks nothing until a result is needed, and then all, the last one first."""

    begun: list[tuple[Check, list[RemoteError | None]]] = field(factory=list)

    def __call__(self, check: Check) -> Check:
        result: list[RemoteError | None] = []
        self.begun.append((check, result))

        def wait() -> None:
            while self.begun:
                other, its_result = self.begun.pop()
                try:
                    other()
                    its_result.append(None)
                except RemoteError as error:
                    its_result.append(error)
            if result[0] is not None:
                raise result[0]

        return wait


def found(state: State, data: bytes, begin: Begin | None) -> tuple[Finding, int, int]:
    """Return the finding, the height of the last state yielded, and the number of bytes judged."""
    auditor = Auditor(state, begin=begin or Auditor().begin, number=state.height)
    auditor._reader.begun = True
    height = state.height
    for after in auditor.feed(data):
        assert after.height == height + 1
        height = after.height
    return auditor.finish(), height, auditor.size


def one_by_one(state: State, entries: list[bytes]) -> RemoteError:
    """Return the reducer's error for the first entry that it refuses."""
    for entry in entries:
        try:
            state = advance(state, entry)
        except (Exposed, Unattributable) as error:
            return error
    raise AssertionError("the reducer accepts all entries")


def with_a_false_proof(moment: Moment) -> Iterator[bytes]:
    """Yield variants of the moment's entry with a false proof or claim, signed by its writer."""
    match moment.body.content:
        case ShuffleContent(proof=proof, outputs=outputs) as content:
            yield moment.signed(evolve(content, proof=bytes(31).join((proof[:-32], b"\1"))))
            turned = outputs[SIZE:] + outputs[:SIZE]
            yield moment.signed(evolve(content, outputs=turned))
        case UnlockContent(proofs=(first, *rest), shares=shares) as content:
            false = first[:-1] + bytes([first[-1] ^ 1])
            yield moment.signed(evolve(content, proofs=(false, *rest)))
            if len(shares) > 1:
                yield moment.signed(evolve(content, shares=(*shares[1:], shares[0])))
        case MoveContent(proofs=(first, *rest)) | OpenContent(proofs=(first, *rest)) as content:
            false = first[:-1] + bytes([first[-1] ^ 1])
            yield moment.signed(evolve(content, proofs=(false, *rest)))


def followed(moment: Moment, entry: bytes) -> Iterator[list[bytes]]:
    """Yield the entry alone, and then followed by different things that others could append."""
    yield [entry]
    yield [entry, b"\xff" * 100]
    try:
        after = advance(moment.state, entry, later=[])
    except Exception:
        return  # the entry is wrong even without its proofs, so nothing can follow it
    here = evolve(moment, state=after)
    yield [entry, here.signed(moment.body.content, here.other)]
    yield [entry, here.signed(after.closing if after.match.round_over else moment.body.content)]


@cache
def cases() -> list[tuple[Moment, list[bytes], RemoteError]]:
    """Return moments, the entries that follow them, and the reducer's error for these."""
    found = []
    for kind in PROVEN:
        moments = (m for m in played().moments if m.body.content.kind == kind)
        for moment in islice((m for m in moments if any(with_a_false_proof(m))), 0, None, 40):
            for entry in with_a_false_proof(moment):
                for entries in followed(moment, entry):
                    found.append((moment, entries, one_by_one(moment.state, entries)))
    return found


WAYS: dict[str, Callable[[Executor], Begin | None]] = {
    "at its turn": lambda _: None,
    "backwards": lambda _: Backwards(),
    "threads": lambda pool: lambda check: pool.submit(check).result,
}
"""Ways to begin the verification of proofs."""


@pytest.mark.parametrize("way", WAYS)
def test_the_signer_of_the_first_false_proof_is_found(way: str) -> None:
    kinds = set()
    with ThreadPoolExecutor(2) as pool:
        for moment, entries, error in cases():
            assert isinstance(error, Exposed)
            data = b"".join(map(framed, entries))
            finding, height, size = found(moment.state, data, WAYS[way](pool))
            assert finding.verdict is Verdict.EXPOSED
            assert (finding.player, finding.cause) == (error.player, error.cause)
            assert finding.player == moment.writer
            assert finding.sentence == error.sentence
            assert finding.entry == moment.state.height + 1 == height + 1
            assert size == Auditor().size + len(framed(entries[0])), (
                "the evidence must end with the first entry"
            )
            kinds.add((moment.body.content.kind, len(entries)))
    assert kinds == {(kind, length) for kind in PROVEN for length in (1, 2)}


def test_the_first_of_two_faults_in_an_entry_is_reported() -> None:
    """The first proof does not hold, and the second is not even the encoding of a proof.

    An audit that reads ahead meets the second fault first.
    """
    moments = played("kanastic", 2).moments
    moment = next(m for m in moments if len(getattr(m.body.content, "proofs", ())) > 1)
    content = moment.body.content
    assert isinstance(content, UnlockContent | MoveContent | OpenContent)
    first, _, *rest = content.proofs
    false = first[:-32] + (1).to_bytes(32, "little")
    entry = moment.signed(evolve(content, proofs=(false, bytes([255] * 64), *rest)))
    error = one_by_one(moment.state, [entry])
    assert isinstance(error, Exposed)
    assert error.cause == "unlock:dleq"
    finding, _height, _size = found(moment.state, framed(entry), Backwards())
    assert (finding.player, finding.cause) == (error.player, error.cause)


def test_a_proof_wrongly_reported_as_false_exposes_nobody() -> None:
    """A thread may have computed wrongly, so an entry is judged again before anybody is blamed."""

    def begin(_: Check) -> Check:
        def wait() -> None:
            raise ProofFailed("dleq", "Not so.")

        return wait

    auditor, usual = Auditor(begin=begin), Auditor()
    for one in (auditor, usual):
        list(one.feed(played().record()))
        assert one.finish().verdict is Verdict.SOUND
    assert (auditor.size, auditor.number) == (usual.size, usual.number)
    assert auditor.tally == usual.tally


def test_a_sound_record_is_sound_with_every_way_of_verifying() -> None:
    data = played().record()
    tallies = []
    with ThreadPoolExecutor(2) as pool:
        for way in WAYS.values():
            auditor = Auditor(begin=way(pool) or Auditor().begin)
            heights = [state.height for state in auditor.feed(data)]
            assert heights == list(range(len(played().entries) + 1))
            assert auditor.finish().verdict is Verdict.SOUND
            tallies.append(auditor.tally)
    assert tallies[0] == tallies[1] == tallies[2]


def test_reading_ahead_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.audit._AHEAD", 3)
    begun: list[Check] = []
    most = 0

    def begin(check: Check) -> Check:
        nonlocal most
        begun.append(check)
        most = max(most, len(begun))

        def wait() -> None:
            check()
            begun.remove(check)

        return wait

    auditor = Auditor(begin=begin)
    for _state in auditor.feed(played().record()):
        pass
    assert auditor.finish().verdict is Verdict.SOUND
    assert most == 4  # three that are read ahead, and one more that makes the audit wait
    assert begun == []


def test_an_impossible_length_does_not_hide_an_earlier_false_proof() -> None:
    moment = played().when("shuffle")
    entry = next(with_a_false_proof(moment))
    finding, _height, _size = found(moment.state, framed(entry) + bytes(4), None)
    assert (finding.verdict, finding.player) == (Verdict.EXPOSED, moment.writer)
    sound, height, _size = found(moment.state, framed(moment.entry) + bytes(4), None)
    assert (sound.verdict, sound.cause, height) == (Verdict.BROKEN, "R1", moment.state.height + 1)


# -- Errors that a process of the audit sends back to the one that began it


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: ProofFailed("length", "The proof is not for a deck of {size} cards.", size=108),
            "The proof is not for a deck of 108 cards.",
        ),
        (lambda: Unattributable("R2", Sentence("Bytes are missing.")), "Bytes are missing."),
        (
            lambda: Exposed(1, "R11", Sentence("{who} have lied.", who="They"), (b"entry",)),
            "They have lied.",
        ),
    ],
)
def test_a_remote_error_survives_pickling(made: Callable[[], RemoteError], said: str) -> None:
    error = made()
    assert str(error.sentence) == said
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, str(again)) == (type(error), error.args, str(error))
    assert vars(again) == vars(error)
