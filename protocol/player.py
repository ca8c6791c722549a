"""The private side of a table: one player's locks, what they see, and the entries they write.

Only a shuffle has random parts: each time a shuffle is written, its lock, the lock's seed
(`protocol.lock_key`) and the order of the cards are drawn anew. So the journal has the entry with
its lock before the entry is sent, and a restart cannot put another entry in its place. An unlocking
is different: it follows from the record before it, the lock and the seed. Written again it has the
same bytes, signature included (Ed25519 is deterministic), so it need not be on disk before it is
sent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from attrs import define, field, frozen

from engine.cards import Card
from engine.moves import Move, shown_by
from engine.orders import Deal, OpenHand
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Shown, Slot
from protocol.deal_of_the_day import DayTable
from protocol.entries import (
    Body,
    CloseContent,
    Content,
    Entry,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.errors import Malformed, Miscalculated, ProofFailed, Refused
from protocol.group import Entropy
from protocol.lock_key import LockKey
from protocol.lock_state import LockedDeal
from protocol.parallel import ParallelMap
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleStatement, prove, verify_in_part
from protocol.signatures import Signer
from protocol.state import Due, State
from protocol.unlock import prove_unlock, unlock, verify_unlock

LOST_LOCK = Sentence(
    "This machine does not have your lock for these cards. The round can go on only with a "
    "newer copy of this journal, or if the others go on without you."
)


@frozen
class Written:
    """An entry, and the secrets (by name) that must be on disk before it is sent."""

    entry: bytes
    secrets: Mapping[str, bytes] = field(factory=dict, repr=False)


def _secret_name(deal_number: int) -> str:
    return f"lock/{deal_number:06}"


def _deal_number(secret_name: str) -> int:
    try:
        number = int(secret_name.removeprefix("lock/"))
    except ValueError:
        number = -1
    # `int` also reads “+00001” and “0_0001”.
    if number < 0 or _secret_name(number) != secret_name:
        raise Malformed(
            "“{secret_name}” is not the name of a player's secret.", secret_name=secret_name
        )
    return number


@contextmanager
def _no_faults() -> Iterator[None]:
    """Raise Miscalculated if a proof that this machine has made fails in this block."""
    try:
        yield
    except ProofFailed as error:
        raise Miscalculated(
            "This machine has computed a proof wrongly; it was not sent. Start again: if that "
            "happens once more, the memory or the processor is faulty, and another machine has to "
            "take over. ({error})",
            error=error,
        ) from error


@define
class Player:
    """Player `me` of a table, with the locks and the cards seen so far. It is mutable."""

    me: int
    signer: Signer = field(repr=False)
    _locks: dict[int, LockKey] = field(factory=dict, repr=False)
    """The locks, by the numbers of their deals."""
    _faces: dict[tuple[int, Slot], Card] = field(factory=dict, repr=False)
    """A cache of the cards under this player's own lock, by deal and slot."""
    _viewed: tuple[State, Position] | None = field(default=None, repr=False)
    """The state for which `view` was last asked, and the answer."""

    @classmethod
    def restored(cls, me: int, signer: Signer, secrets: Mapping[str, bytes]) -> "Player":
        """Return the player after a restart, with the secrets that the journal has.

        `secrets` has them by the names that they have in `Written.secrets`. A damaged lock counts
        as lost: then the player can only look on until the round is over.
        """
        locks: dict[int, LockKey] = {}
        for name, secret in secrets.items():
            with suppress(Malformed):
                locks[_deal_number(name)] = LockKey.decode(secret)
        return cls(me, signer, locks)

    def owes(self, state: State) -> bool:
        """Return True if the table waits for this player."""
        return state.due is not None and state.due.player == self.me

    def chooses(self, state: State) -> bool:
        """Return True if the table waits for this player to choose a move."""
        return state.match.mover == self.me

    def shuffles(self, state: State, *, after_others: int = 0) -> bool:
        """Return True if this player's shuffle is due after `after_others` shuffles of others.

        With 0 it is due now; with 1 it comes next.
        """
        due = state.due
        is_shuffle = due is not None and due.kind == ShuffleContent.kind
        return is_shuffle and state.writers[after_others : after_others + 1] == (self.me,)

    def has_lost_a_lock(self, state: State) -> bool:
        """Return True if the record has a lock of this player that is not on this machine.

        Until the round is over they can neither see their cards nor write entries that need it.
        """
        if state.complete or state.match.round_over:
            return False  # all cards lie open, and signing the round needs no lock
        return any(self.me in deal.keys and not self._holds(deal) for deal in state.cards.deals)

    def view(self, state: State) -> Position | None:
        """Return the round as this player sees it; None if no round is played.

        That is so during the draw for seats, and after the match. Raises Refused when the lock on
        their hand is lost.
        """
        if self._viewed is not None and self._viewed[0] is state:
            return self._viewed[1]
        round_ = state.match.round
        if round_ is None:
            return None
        hand = round_.hands[state.match.seat_of(self.me)]
        view = round_.seen(Shown(slot, self._face(state, slot)) for slot in hand)
        self._viewed = state, view
        return view

    def forget(self, state: State) -> tuple[str, ...]:
        """Drop the locks of deals that are over, or all locks when the match is over.

        Return the names of these secrets.
        """
        kept = set[int]() if state.complete else {deal.number for deal in state.cards.deals}
        gone = [number for number in self._locks if number not in kept]
        for number in gone:
            del self._locks[number]
        self._faces = {place: card for place, card in self._faces.items() if place[0] in kept}
        return tuple(map(_secret_name, gone))

    def forget_unannounced(self, state: State) -> tuple[str, ...]:
        """Drop the locks of deals in which the record has no shuffle by this player.

        Such a shuffle was lost before anybody heard of it, and is made anew with another lock.
        Return the names of these secrets.
        """
        deals = (deal.number for deal in state.cards.deals if self.me not in deal.keys)
        gone = [number for number in deals if self._locks.pop(number, None) is not None]
        return tuple(map(_secret_name, gone))

    def write(
        self,
        state: State,
        entropy: Entropy,
        move: Move | None = None,
        *,
        parallel_map: ParallelMap = map,
    ) -> Written:
        """Return the entry that is due from this player, with their `move` if one is due.

        The move has to be legal: it is not judged here (`state.match.apply` does that). A shuffle
        is made and proven with `parallel_map`, and only a shuffle needs `entropy`.

        Raises Refused if no entry is due from them, if a move is due and none is given, or if a
        lock that the entry needs is lost. Raises Miscalculated if a proof that this machine has
        made does not hold.
        """
        due = state.due
        if due is None or due.player != self.me:
            raise Refused("It is not your turn to write in the record.")
        secrets: dict[str, bytes] = {}
        match due.kind:
            case ShuffleContent.kind:
                deal = state.cards.last
                # The new lock replaces that of an early shuffle that is not used
                # (`OwnPlayer.write_early`).
                key = self._locks[deal.number] = LockKey.generate(entropy)
                secrets[_secret_name(deal.number)] = key.encode()
                content: Content = self._shuffle(state, deal, key, entropy, parallel_map)
            case UnlockContent.kind:
                content = self._unlock(state, due)
            case OpenContent.kind:
                content = self._open(state, due)
            case CloseContent.kind:
                content = state.closing
            case _:
                if move is None:
                    raise Refused("It is your turn to choose a move.")
                content = MoveContent(move, self._show(state, shown_by(move)))
        body = Body(state.next_place, self.me, content)
        return Written(Entry.sign(body.encode(), self.signer).encode(), secrets)

    def _shuffle(
        self,
        state: State,
        deal: LockedDeal,
        key: LockKey,
        entropy: Entropy,
        parallel_map: ParallelMap,
    ) -> ShuffleContent:
        size, day = len(deal.outputs), DayTable.of(state.charter)
        permutation = (
            draw_permutation(size, entropy)
            if day is None
            else day.permutation(deal.number, self.me, size)
        )
        outputs = lock_and_shuffle(deal.outputs, key, permutation, parallel_map=parallel_map)
        context = state.context(self.me, deal.number)
        statement = ShuffleStatement(context, key.unlock_key, deal.outputs, outputs)
        proof = prove(statement, key, permutation, parallel_map=parallel_map)
        with _no_faults():  # takes 1.3 ms, after 24 ms for the proof of 108 cards
            verify_in_part(statement, proof)
        return ShuffleContent(
            deal.first,
            deal.deck.card_numbers,
            b"".join(point.encode() for point in outputs),
            key.unlock_key.encode(),
            proof.encode(),
        )

    def _unlock(self, state: State, due: Due) -> UnlockContent:
        slots = state.owed_slots(due)
        shares, proofs = self._take_off(state, slots)
        assert isinstance(due.order, Deal)
        return UnlockContent(state.gives(due.order), tuple(shares[slot] for slot in slots), proofs)

    def _open(self, state: State, due: Due) -> OpenContent:
        assert isinstance(due.order, OpenHand)
        cards = tuple(Shown(slot, self._face(state, slot)) for slot in due.order.slots)
        return OpenContent(cards, self._show(state, cards))

    def _show(self, state: State, shown: Sequence[Shown]) -> tuple[bytes, ...]:
        """Return proofs of the faces of the cards that do not lie open yet."""
        hidden = [card.slot for card in shown if state.cards.face(card.slot) is None]
        return self._take_off(state, hidden)[1]

    def _take_off(
        self, state: State, slots: Iterable[Slot]
    ) -> tuple[Mapping[Slot, bytes], tuple[bytes, ...]]:
        """Take this player's lock off the slots. Return the shares, and one proof for each deal."""
        shares: dict[Slot, bytes] = {}
        proofs = []
        for deal, group in state.cards.by_deal(slots):
            key, locked = self._lock(deal), state.cards.locked(group)
            unlocked = unlock(key, locked)
            context = state.context(self.me, deal.number)
            proof = prove_unlock(context, key, locked, unlocked)
            with _no_faults():
                verify_unlock(context, key.unlock_key, locked, unlocked, proof)
            proofs.append(proof.encode())
            shares |= zip(group, (point.encode() for point in unlocked), strict=True)
        return shares, tuple(proofs)

    def _face(self, state: State, slot: Slot) -> Card:
        """Return the card in a slot of this player's hand."""
        if state.cards.face(slot) is not None:
            return state.shown(slot).card
        deal = state.cards.deal_of(slot)
        # Slots are numbered from 0 in each round, so a slot alone names no card of the match.
        place = (deal.number, slot)
        if place not in self._faces:
            (point,) = unlock(self._lock(deal), state.cards.locked([slot]))
            number = deal.deck.card_number(point)
            assert number is not None, "the proofs say that nobody else's lock is on it"
            self._faces[place] = state.match.deck[number]
        return self._faces[place]

    def _lock(self, deal: LockedDeal) -> LockKey:
        """Return this player's lock of a deal. Raises Refused if it is not the one in the record.

        Another lock would make false proofs.
        """
        if not self._holds(deal):
            raise Refused(LOST_LOCK)
        return self._locks[deal.number]

    def _holds(self, deal: LockedDeal) -> bool:
        """Return True if this machine has the lock whose unlock key the player has announced."""
        key = self._locks.get(deal.number)
        return key is not None and key.unlock_key == deal.keys.get(self.me)
