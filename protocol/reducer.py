"""The reducer: `advance(state, entry)` is the only way from one state of a table to the next.

A running node, a node after a restart, the replay and the auditor all use it. An entry that does
not fit is refused, and the error tells whose fault that is. It is `Unattributable` if nobody can be
blamed: the bytes are signed by no member, or belong to another place. It is `Exposed` if a member
has signed something that nobody who follows the protocol signs, and `Illegal` if only the rules of
play forbid it. The clauses R1-R18 are those of `spec/record.md`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from attrs import evolve, frozen

from engine.errors import IllegalMove
from engine.moves import shown_by
from engine.orders import Deal, OpenHand
from engine.sentences import Sentence, SentenceError, Value
from engine.slots import Shown, Slot, slots_of
from protocol.charter import Charter
from protocol.entries import (
    Body,
    CloseContent,
    Entry,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
    is_second_entry,
    place_of,
)
from protocol.errors import Exposed, Illegal, Malformed, ProofFailed, Unattributable
from protocol.evidence import TWO_ENTRIES
from protocol.group import SIZE, Point
from protocol.parallel import ParallelMap
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement, verify
from protocol.state import Due, State
from protocol.unlock import UnlockProof, verify_unlock
from protocol.without_rules import is_known_due, passes_without_rules

_BY_RULES = frozenset({"R11", "R12", "R14", "R16", "R17"})
"""The clauses of which some breaches are shown by the rules of play alone, and others are not."""

Check: TypeAlias = Callable[[], None]
"""A function that verifies a proof. Raises ProofFailed, or Malformed, if it does not hold."""


class _Misfit(SentenceError):
    """Signed bytes break a clause. The caller knows the signer, and blames them."""

    def __init__(self, cause: str, text: str | Sentence, /, **values: Value) -> None:
        super().__init__(text, **values)
        self.cause = cause


def advance(
    state: State,
    data: bytes,
    *,
    parallel_map: ParallelMap = map,
    is_own: bool = False,
    later: list[Check] | None = None,
) -> State:
    """Return the state after the entry in `data`.

    The proofs of shuffles are verified with `parallel_map`; other proofs are too short to gain by
    it. `is_own`: the caller has just made the entry, so its proofs are not verified. If there is a
    list `later`, the checks of the proofs are not run, but appended to it. Then the returned state
    is worth nothing until all of these checks hold.

    Raises Unattributable or Exposed; `state` is a value and stays as it was.
    """
    entry = _entry(data)
    # The signature is checked first. Bytes without one can be anybody's, so nobody is blamed for
    # them. After this check every fault has an author. But an entry of another place exposes
    # nobody: its author may have written it after a fork that this node has not seen.
    signer = _signer(state.charter, entry, state.writers[:1])
    _check_place(state, entry, signer)

    def blamed(kind: type[Exposed], cause: str, sentence: Sentence) -> Exposed:
        return kind(signer, cause, sentence, (data,), state.charter.key_of(signer))

    try:
        # The checks follow the order of the clauses: an entry can have several faults, and all
        # verifiers have to name the same one.
        body = Body.decode(entry.body, state.match.deck)
        due = _due(state, body, signer)
        # The checks of an own entry go into a list that nobody runs.
        after = _accepted(state, due, body, _Proofs(parallel_map, [] if is_own else later))
    except Malformed as error:
        raise blamed(Exposed, "R9", error.sentence) from error
    except _Misfit as error:
        is_illegal = error.cause in _BY_RULES and passes_without_rules(state, body)
        raise blamed(Illegal if is_illegal else Exposed, error.cause, error.sentence) from error
    except IllegalMove as error:
        raise blamed(Illegal, error.clause, error.sentence) from error
    return evolve(
        after,
        height=state.height + 1,
        head=entry.head,
        last=body,
        known_due=is_known_due(state),
        wrote=state.wrote | {signer},
        undecided=None,
    )


def check_equivocation(charter: Charter, ours: bytes, theirs: bytes) -> None:
    """Compare two versions of one entry: `ours` is in the record, `theirs` came from a member.

    Raises Exposed when one member has signed both, or a member has signed `theirs` out of turn.
    Raises Unattributable when the two versions differ and nobody is exposed.
    """
    if ours == theirs:
        return
    mine, other = Entry.decode(ours), _entry(theirs)
    if mine.body == other.body:
        return  # the same body with two signatures is the same entry
    writer, signer = (_signer(charter, entry) for entry in (mine, other))
    key, place = charter.key_of(signer), place_of(mine.body)
    try:
        rival = place_of(other.body)
        if (rival.table_id, rival.height) == (place.table_id, place.height):
            _check_rival(mine.body, writer, other.body, signer)
    except Malformed as error:
        raise Exposed(signer, "R9", error.sentence, (theirs,), key) from error
    except _Misfit as error:
        raise Exposed(signer, error.cause, error.sentence, (ours, theirs), key) from error
    raise Unattributable("R7", "That entry belongs to another record than this one.")


def _check_rival(body: bytes, writer: int, rival: bytes, signer: int) -> None:
    """Check if `rival`, another body of the same height, exposes its signer. Raises _Misfit."""
    if signer != writer:
        # With different heads before them, each of the two entries may be in turn after its own.
        if place_of(body).previous == place_of(rival).previous:
            raise _Misfit("R11", "It was another player's turn to write.")
    elif is_second_entry(body, rival):
        raise _Misfit("R8", TWO_ENTRIES)


def _entry(data: bytes) -> Entry:
    try:
        return Entry.decode(data)
    except Malformed as error:
        raise Unattributable("R3", error.sentence) from error


def _signer(charter: Charter, entry: Entry, likely: Sequence[int] = ()) -> int:
    """Return the player who has signed the entry. The `likely` ones are tried first."""
    players: list[int] = [*likely, *range(len(charter.members))]
    for player in players:
        if entry.is_signed_by(charter.members[player].key):
            return player
    raise Unattributable(
        "R4", "Nobody at this table has signed these bytes; they were changed or forged."
    )


def _check_place(state: State, entry: Entry, signer: int) -> None:
    last, key = state.last, state.charter.key_of(signer)
    try:
        place = place_of(entry.body)
        here = (place.table_id, place.height) == (state.table_id, state.height)
        # The last entry itself, if it comes again, is no rival of itself: it fails R6 below.
        if here and last and entry.head != state.head:
            _check_rival(last.encode(), last.writer, entry.body, signer)
    except Malformed as error:
        raise Exposed(signer, "R9", error.sentence, (entry.encode(),), key) from error
    except _Misfit as error:
        # R11 rests on the rules, unless anybody can tell that the writer of the last entry was due
        # (`State.known_due`).
        kind = Exposed if error.cause == "R8" or state.known_due else Illegal
        evidence = (entry.encode(),)
        raise kind(signer, error.cause, error.sentence, evidence, key) from error
    state.check_place(place)


def _due(state: State, body: Body, signer: int) -> Due:
    """Return what is due, after a check that the entry is of that kind and by that player."""
    if body.writer != signer:
        raise _Misfit("R10", "The entry is written in the name of another player.")
    due = state.due
    if due is None:
        raise _Misfit("R11", "The match is over and signed by all; nothing follows.")
    if due.player != signer:
        raise _Misfit(
            "R11", "It is {name} who writes next.", name=state.charter.name_of(due.player)
        )
    if due.kind != body.content.kind:
        raise _Misfit(
            "R11",
            "The next entry is of kind {due}, not {kind}.",
            due=due.kind,
            kind=body.content.kind,
        )
    return due


@frozen
class _Proofs:
    """The way to verify proofs: at once, or by the caller, who gets the checks in `later`."""

    parallel_map: ParallelMap
    later: list[Check] | None

    def see_to(self, check: Check) -> None:
        """Do a check now, or leave it to the caller. Raises ProofFailed."""
        if self.later is None:
            check()
        else:
            self.later.append(check)


def _accepted(state: State, due: Due, body: Body, proofs: _Proofs) -> State:
    match body.content:
        case ShuffleContent() as content:
            return _shuffled(state, due, content, proofs)
        case UnlockContent() as content:
            return _unlocked(state, due, content, proofs)
        case MoveContent() as content:
            match = state.match.apply(content.move)
            after = _faced(state, due, shown_by(content.move), content.proofs, proofs)
            return evolve(after, match=match).with_next_writers()
        case OpenContent() as content:
            return _opened(state, due, content, proofs)
        case content:
            assert isinstance(content, CloseContent), "there is no other kind"
            return _closed(state, content)


def _shuffled(state: State, due: Due, content: ShuffleContent, proofs: _Proofs) -> State:
    deal = state.cards.last
    size = len(deal.outputs)
    if (content.first, content.cards) != (deal.first, deal.deck.card_numbers):
        raise _Misfit(
            "R12",
            "The shuffle is for the {size} cards from slot {first} on.",
            size=size,
            first=deal.first,
        )
    # With the key of an earlier shuffle a player could undo that shuffle, or put cards of the stock
    # under the locks that they had before (spec/threats.md).
    if content.unlock_key in state.used_keys:
        raise _Misfit("R13", "The unlock key of the shuffle was used before.")
    if len(content.outputs) != size * SIZE:
        raise _Misfit("shuffle:length", "The shuffled deck does not have {size} cards.", size=size)
    # All cheap checks come before this. So only a shuffle of the right cards, by the right player,
    # makes others spend time on a proof.
    outputs = _points(content.outputs)
    key = Point.decode(content.unlock_key)
    proof = ShuffleProof.decode(content.proof, size)
    context = state.context(due.player, deal.number)
    try:
        statement = ShuffleStatement(context, key, deal.outputs, outputs)
        proofs.see_to(partial(verify, statement, proof, parallel_map=proofs.parallel_map))
    except ProofFailed as error:
        raise _Misfit(f"shuffle:{error.equation}", error.sentence) from error
    after = evolve(
        state,
        cards=state.cards.shuffled(due.player, key, outputs),
        used_keys=state.used_keys | {content.unlock_key},
        writers=state.writers[1:],
        deal_number=deal.number + 1,
    )
    return (
        after if after.writers else evolve(after, match=after.match.deliver()).with_next_writers()
    )


def _unlocked(state: State, due: Due, content: UnlockContent, proofs: _Proofs) -> State:
    assert isinstance(due.order, Deal)
    if content.gives != state.gives(due.order):
        raise _Misfit(
            "R14",
            Sentence.counted(
                "The unlocking does not give the {n} card as the rules say.",
                "The unlocking does not give the {n} cards as the rules say.",
                len(due.order.gives),
            ),
        )
    slots = state.owed_slots(due)
    if len(content.shares) != len(slots):
        raise _Misfit(
            "unlock:length",
            Sentence.counted(
                "Exactly {n} card is to be unlocked.",
                "Exactly {n} cards are to be unlocked.",
                len(slots),
            ),
        )
    shares = tuple(map(Point.decode, content.shares))
    unlocked = _with_lock_off(state, due, slots, shares, content.proofs, proofs)
    after = evolve(unlocked, writers=state.writers[1:])
    if after.writers:
        return after
    # The last of the writers has written, so no lock is left on the cards that are turned up. A
    # card for a player still has that player's lock.
    turned_up = tuple(map(after.shown, due.order.turned_up))
    return evolve(after, match=after.match.deliver(turned_up)).with_next_writers()


def _opened(state: State, due: Due, content: OpenContent, proofs: _Proofs) -> State:
    assert isinstance(due.order, OpenHand)
    slots = due.order.slots
    if slots_of(content.cards) != slots:
        raise _Misfit(
            "R16",
            Sentence.counted(
                "The hand has {n} card, and it must be opened.",
                "The hand has {n} cards, and all of them must be opened.",
                len(slots),
            ),
        )
    after = _faced(state, due, content.cards, content.proofs, proofs)
    return evolve(after, match=state.match.deliver(content.cards)).with_next_writers()


def _closed(state: State, content: CloseContent) -> State:
    if content != state.closing:
        raise _Misfit(
            "R17", "All must sign {closing}, and nothing else.", closing=str(state.closing)
        )
    rest = state.writers[1:]
    if rest:
        return evolve(state, writers=rest)
    match = state.match.close_round()
    after = evolve(state, match=match, openers=None)
    if state.gone:  # the match ends with this round, whatever its points
        return evolve(after, match=match.ended(), writers=(), ended=not match.over)
    return after.with_next_writers()


def _faced(
    state: State, due: Due, shown: Sequence[Shown], given: tuple[bytes, ...], proofs: _Proofs
) -> State:
    """Return the state with the `shown` cards face up, after checking their faces.

    Cards that do not lie open yet are under the writer's lock only, and the proofs in `given` show
    that this lock was taken off. The rules have made sure that the writer may show these cards.
    """
    points = {}
    for card in shown:
        face, point = state.cards.face(card.slot), state.cards.point_of(card)
        # A card that lies open needs no proof, only its right face. If the slot's deal has no such
        # card, `point` is None, and the second branch refuses the card.
        if face is None and point is not None:
            points[card.slot] = point
        elif face != card.card.number:
            raise _Misfit(
                "R15",
                "The card in slot {slot} cannot be that {card}.",
                slot=card.slot,
                card=card.card,
            )
    return _with_lock_off(state, due, tuple(points), tuple(points.values()), given, proofs)


def _with_lock_off(
    state: State,
    due: Due,
    slots: Sequence[Slot],
    unlocked: Sequence[Point],
    given: tuple[bytes, ...],
    proofs: _Proofs,
) -> State:
    """Return the state with the writer's lock taken off `slots`, after checking the proofs.

    `unlocked` are the points without that lock. `given` has a proof for each deal of these slots.
    """
    groups = state.cards.by_deal(slots)
    if len(given) != len(groups):
        raise _Misfit(
            "unlock:length",
            Sentence.counted(
                "{n} proof is due, not {given}.",
                "{n} proofs are due, not {given}.",
                len(groups),
                given=len(given),
            ),
        )
    after = state.cards.unlocked(slots, unlocked)
    for (deal, group), proof in zip(groups, given, strict=True):
        context, key = state.context(due.player, deal.number), deal.keys[due.player]
        before, now = state.cards.locked(group), after.locked(group)
        try:
            # The proof is decoded now, even if its check comes later: bytes of a wrong form break
            # R9.
            proofs.see_to(
                partial(verify_unlock, context, key, before, now, UnlockProof.decode(proof))
            )
        except ProofFailed as error:
            raise _Misfit(f"unlock:{error.equation}", error.sentence) from error
    return evolve(state, cards=after)


def _points(data: bytes) -> tuple[Point, ...]:
    return tuple(Point.decode(data[i : i + SIZE]) for i in range(0, len(data), SIZE))
