"""The fold: `advance(state, entry)` is the only way from one state of a table to the next.

The running node, a node that comes back, the replay and the auditor all use it. An entry that
does not fit is refused, and the error says whose fault it is: `Broken` when nobody can be blamed
(its bytes are signed by no member, or belong to another place), `Exposed` when a member has
signed what does not fit there. The clauses R1-R12 are those of `spec/record.md`.
"""

from collections.abc import Sequence

from attrs import evolve

from engine.decks import Deck as EngineDeck
from engine.errors import IllegalMove
from engine.moves import shown_by
from engine.orders import Deal, OpenHand
from engine.places import Shown, Slot
from protocol.charter import Charter
from protocol.entries import (
    Body,
    CloseContent,
    Entry,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.errors import Broken, Exposed, Malformed, ProofFailed
from protocol.group import SIZE, Point
from protocol.shuffle_proof import ShuffleProof, Statement, verify
from protocol.state import Due, State
from protocol.unlock import UnlockProof, verify_unlock


class _Misfit(Exception):
    """The content breaks a clause; `advance` says whose it is."""

    def __init__(self, cause: str, sentence: str) -> None:
        super().__init__(sentence)
        self.cause = cause


def advance(state: State, data: bytes) -> State:
    """The state after the entry in `data`.

    Raises Broken or Exposed; the state is a value and stays as it was.
    """
    entry, writer = _authenticated(state, data)
    try:
        body = Body.decode(entry.body, state.match.game.deck)
        due = _due(state, body, writer)
        after = _accepted(state, due, body)
    except Malformed as error:
        raise Exposed(writer, "R1", str(error), (data,)) from error
    except _Misfit as error:
        raise Exposed(writer, error.cause, str(error), (data,)) from error
    except IllegalMove as error:
        raise Exposed(writer, error.clause, str(error), (data,)) from error
    return evolve(after, height=state.height + 1, head=entry.head, last=body)


def _authenticated(state: State, data: bytes) -> tuple[Entry, int]:
    """The entry and the player who signed it. The one whose turn it is is tried first."""
    try:
        entry = Entry.decode(data)
    except Malformed as error:
        raise Broken("R1", str(error)) from error
    players = [*state.writers[:1], *range(len(state.charter.members))]
    for player in players:
        if entry.is_signed_by(state.charter.members[player].key):
            return entry, player
    raise Broken("R2", "Nobody at this table has signed these bytes; they were changed or forged.")


def _due(state: State, body: Body, writer: int) -> Due:
    """What is due, the entry being for this place and by this writer."""
    if body.table_id != state.table_id:
        raise Broken("R3", "The entry belongs to another table.")
    if body.height != state.height + 1:
        raise Broken("R4", f"The entry is number {body.height}; number {state.height + 1} is next.")
    if body.previous != state.head:
        raise Broken("R5", "The entry continues another record than this one.")
    if body.writer != writer:
        raise _Misfit("R6", "The entry is written in the name of another player.")
    due = state.due
    if due is None:
        raise _Misfit("R7", "The match is over and signed by all; nothing follows.")
    if due.player != writer:
        raise _Misfit("R7", f"It is {state.charter.name_of(due.player)} who writes next.")
    if due.kind != body.content.kind:
        raise _Misfit("R8", f"The next entry is of kind {due.kind}, not {body.content.kind}.")
    return due


def _accepted(state: State, due: Due, body: Body) -> State:
    match body.content:
        case ShuffleContent() as content:
            return _shuffled(state, due, content)
        case UnlockContent() as content:
            return _unlocked(state, due, content)
        case MoveContent() as content:
            match = state.match.apply(content.move)
            _check_faces(state, due, shown_by(content.move), content.proofs)
            return state.moved_on(match)
        case OpenContent() as content:
            return _opened(state, due, content)
        case CloseContent() as content:
            return _closed(state, content)


def _shuffled(state: State, due: Due, content: ShuffleContent) -> State:
    deal = state.cards.last
    size = len(deal.outputs)
    if len(content.outputs) != size * SIZE:
        raise _Misfit("shuffle:length", f"The shuffled deck does not have {size} cards.")
    if content.unlock_key in state.used_keys:
        raise _Misfit("R9", "The unlock key of the shuffle was used before.")
    try:
        outputs = _points(content.outputs)
        key = Point.decode(content.unlock_key)
        proof = ShuffleProof.decode(content.proof, size)
        verify(Statement(state.context(due.player, deal.number), key, deal.outputs, outputs), proof)
    except ProofFailed as error:
        raise _Misfit(f"shuffle:{error.equation}", str(error)) from error
    after = evolve(
        state,
        cards=state.cards.shuffled(due.player, key, outputs),
        used_keys=state.used_keys | {content.unlock_key},
        writers=state.writers[1:],
    )
    return after if after.writers else after.moved_on(after.match.deliver())


def _unlocked(state: State, due: Due, content: UnlockContent) -> State:
    assert isinstance(due.order, Deal)
    slots = state.owed_slots(due)
    if len(content.shares) != len(slots):
        raise _Misfit("unlock:length", f"{len(slots)} cards are to be unlocked, no more, no less.")
    shares = tuple(map(Point.decode, content.shares))
    _check_unlocking(state, due, slots, shares, content.proofs)
    cards = state.cards.unlocked(slots, shares)
    after = evolve(state, cards=cards, writers=state.writers[1:])
    if after.writers:
        return after
    return after.moved_on(after.match.deliver(_turned_up(after, due.order.to(None))))


def _turned_up(state: State, slots: tuple[Slot, ...]) -> tuple[Shown, ...]:
    """The cards whose locks are all off."""
    shown = []
    for slot in slots:
        card = state.cards.card_number(slot, state.cards.points[slot])
        if card is None:  # the shuffle proofs say that this does not happen
            raise Broken("R10", "A card without locks is no card of the deck.")
        shown.append(Shown(slot, state.match.game.deck[card]))
    return tuple(shown)


def _opened(state: State, due: Due, content: OpenContent) -> State:
    assert isinstance(due.order, OpenHand)
    slots = due.order.slots
    if len(content.cards) != len(slots):
        raise _Misfit("R11", f"The hand has {len(slots)} cards, and all of them are opened.")
    deck = state.match.game.deck
    shown = tuple(Shown(s, deck[card]) for s, card in zip(slots, content.cards, strict=True))
    if any(state.seen.get(card.slot, card.card) != card.card for card in shown):
        raise _Misfit("R11", "A card of the hand was seen before, and it was another one.")
    _check_faces(state, due, shown, content.proofs)
    return state.moved_on(state.match.deliver(shown))


def _closed(state: State, content: CloseContent) -> State:
    sheet = state.match.round.sheet if state.match.round else None
    assert sheet is not None
    expected = CloseContent(state.match.round_number, sheet.totals)
    if content != expected:
        raise _Misfit(
            "R12", f"Round {expected.round_number} counts {expected.points} by side, no other way."
        )
    rest = state.writers[1:]
    if rest:
        return evolve(state, writers=rest)
    return state.moved_on(state.match.close_round())


def _check_faces(state: State, due: Due, shown: Sequence[Shown], proofs: tuple[bytes, ...]) -> None:
    """The cards shown are what they are said to be: the writer's lock is the last on them."""
    hidden = state.hidden(shown)
    points = []
    for card in hidden:
        point = state.cards.point_of(card)
        if point is None:
            raise _Misfit("R11", f"There is no {card.card} in the deal that this card is from.")
        points.append(point)
    _check_unlocking(state, due, [card.slot for card in hidden], points, proofs)


def _check_unlocking(
    state: State,
    due: Due,
    slots: Sequence[Slot],
    unlocked: Sequence[Point],
    proofs: tuple[bytes, ...],
) -> None:
    """The writer's lock, taken off `slots`, leaves `unlocked`: one proof for each deal."""
    groups = state.cards.by_deal(slots)
    if len(proofs) != len(groups):
        raise _Misfit("unlock:length", f"{len(groups)} proofs are due, not {len(proofs)}.")
    after = dict(zip(slots, unlocked, strict=True))
    for (deal, group), proof in zip(groups, proofs, strict=True):
        try:
            verify_unlock(
                state.context(due.player, deal.number),
                deal.keys[due.player],
                state.cards.locked(group),
                [after[slot] for slot in group],
                UnlockProof.decode(proof),
            )
        except ProofFailed as error:
            raise _Misfit(f"unlock:{error.equation}", str(error)) from error


def _points(data: bytes) -> tuple[Point, ...]:
    return tuple(Point.decode(data[i : i + SIZE]) for i in range(0, len(data), SIZE))


def check_same(charter: Charter, deck: EngineDeck, ours: bytes, theirs: bytes) -> None:
    """Two versions of the entry at one height: the same, or evidence against who signed both.

    Raises Exposed (R15), and Broken for bytes that are no entry at all.
    """
    if ours == theirs:
        return
    try:
        first, second = Entry.decode(ours), Entry.decode(theirs)
    except Malformed as error:
        raise Broken("R1", str(error)) from error
    if first.body == second.body:
        return  # signed twice, said once
    for player, member in enumerate(charter.members):
        if not (first.is_signed_by(member.key) and second.is_signed_by(member.key)):
            continue
        try:
            place = [_place(Body.decode(entry.body, deck)) for entry in (first, second)]
        except Malformed as error:
            raise Exposed(player, "R1", str(error), (theirs,)) from error
        if place[0] == place[1]:
            sentence = f"{member.name} has written two different entries in one place."
            raise Exposed(player, "R15", sentence, (ours, theirs))
    raise Broken("R2", "That entry is not the one that this record has, and proves nothing.")


def _place(body: Body) -> tuple[bytes, int]:
    return body.table_id, body.height
