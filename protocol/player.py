"""The private side of a table: one player's locks, what he sees, and the entries he writes."""

from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from engine.cards import Card
from engine.moves import Move, shown_by
from engine.orders import OpenHand
from engine.places import Shown, Slot
from engine.position import Position
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
from protocol.errors import Refused
from protocol.group import Entropy, Point
from protocol.keys import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import Statement, prove
from protocol.signing import Signer
from protocol.state import Due, State
from protocol.unlock import prove_unlock, unlock


@frozen
class Written:
    """An entry and the secrets that must be on disk before it is sent, by name."""

    entry: bytes
    secrets: Mapping[str, bytes] = field(factory=dict, repr=False)


def _secret_name(deal_number: int) -> str:
    return f"lock/{deal_number:06}"


@define
class Player:
    """Player `me` of a table. Not a value: it remembers its locks and the cards it has seen."""

    me: int
    signer: Signer = field(repr=False)
    _locks: dict[int, LockKey] = field(factory=dict, repr=False)
    _faces: dict[tuple[int, Slot], Card] = field(factory=dict, repr=False)

    @classmethod
    def restored(cls, me: int, signer: Signer, secrets: Mapping[str, bytes]) -> "Player":
        """The player after a restart, with what `Written.secrets` had said.

        Raises Malformed for secrets that are damaged.
        """
        player = cls(me, signer)
        for name, secret in secrets.items():
            player._locks[int(name.removeprefix("lock/"))] = LockKey.decode(secret)
        return player

    def owes(self, state: State) -> bool:
        """Whether the table waits for this player."""
        return state.due is not None and state.due.player == self.me

    def chooses(self, state: State) -> bool:
        """Whether the table waits for this player to choose a move."""
        return self.owes(state) and state.match.mover == self.me

    def view(self, state: State) -> Position | None:
        """The round as this player sees it; None while seats are drawn."""
        round_ = state.match.round
        if round_ is None:
            return None
        return round_.seen({card.slot: card.card for card in self._hand(state) if card})

    def forget(self, state: State) -> tuple[str, ...]:
        """Drop the locks of deals that the table has left behind; the names of these secrets."""
        kept = {deal.number for deal in state.cards.deals}
        gone = [number for number in self._locks if number not in kept]
        for number in gone:
            del self._locks[number]
        self._faces = {place: card for place, card in self._faces.items() if place[0] in kept}
        return tuple(map(_secret_name, gone))

    def write(self, state: State, entropy: Entropy, move: Move | None = None) -> Written:
        """The entry that is due from this player; a `move` where he chooses one.

        Raises Refused when nothing is due from him or a move is missing, and IllegalMove.
        """
        due = state.due
        if due is None or due.player != self.me:
            raise Refused("It is not your turn to write in the record.")
        secrets: dict[str, bytes] = {}
        match due.kind:
            case ShuffleContent.kind:
                deal_number = state.cards.last.number
                key = self._locks[deal_number] = LockKey.generate(entropy)
                secrets[_secret_name(deal_number)] = key.encode()
                content: Content = self._shuffle(state, key, entropy)
            case UnlockContent.kind:
                content = self._unlock(state, due, entropy)
            case OpenContent.kind:
                content = self._open(state, due, entropy)
            case CloseContent.kind:
                sheet = state.match.round.sheet if state.match.round else None
                assert sheet is not None
                content = CloseContent(state.match.round_number, sheet.totals)
            case _:
                if move is None:
                    raise Refused("It is your turn to choose a move.")
                state.match.apply(move)
                content = MoveContent(move, self._show(state, shown_by(move), entropy))
        body = Body(state.table_id, state.height + 1, state.head, self.me, content)
        return Written(Entry.sign(body, self.signer).encode(), secrets)

    def _shuffle(self, state: State, key: LockKey, entropy: Entropy) -> ShuffleContent:
        deal = state.cards.last
        permutation = draw_permutation(len(deal.outputs), entropy)
        outputs = lock_and_shuffle(deal.outputs, key, permutation)
        context = state.context(self.me, deal.number)
        statement = Statement(context, key.unlock_key, deal.outputs, outputs)
        proof = prove(statement, key, permutation, entropy)
        encoded = b"".join(point.encode() for point in outputs)
        return ShuffleContent(encoded, key.unlock_key.encode(), proof.encode())

    def _unlock(self, state: State, due: Due, entropy: Entropy) -> UnlockContent:
        slots = state.owed_slots(due)
        shares: dict[Slot, Point] = {}
        for deal, group in state.cards.by_deal(slots):
            points = unlock(self._locks[deal.number], state.cards.locked(group))
            shares |= zip(group, points, strict=True)
        proofs = self._prove(state, slots, shares, entropy)
        return UnlockContent(tuple(shares[slot].encode() for slot in slots), proofs)

    def _open(self, state: State, due: Due, entropy: Entropy) -> OpenContent:
        assert isinstance(due.order, OpenHand)
        shown = self._hand(state)
        return OpenContent(
            tuple(card.card.number for card in shown), self._show(state, shown, entropy)
        )

    def _show(self, state: State, shown: Sequence[Shown], entropy: Entropy) -> tuple[bytes, ...]:
        """Proofs that the cards are what they are, for those that not everybody has seen."""
        hidden = state.hidden(shown)
        points = {card.slot: state.cards.point_of(card) for card in hidden}
        shares = {slot: point for slot, point in points.items() if point is not None}
        return self._prove(state, tuple(shares), shares, entropy)

    def _prove(
        self,
        state: State,
        slots: tuple[Slot, ...],
        shares: Mapping[Slot, Point],
        entropy: Entropy,
    ) -> tuple[bytes, ...]:
        return tuple(
            prove_unlock(
                state.context(self.me, deal.number),
                self._locks[deal.number],
                state.cards.locked(group),
                [shares[slot] for slot in group],
                entropy,
            ).encode()
            for deal, group in state.cards.by_deal(slots)
        )

    def _hand(self, state: State) -> tuple[Shown, ...]:
        """The cards of the own hand. Between the deal and its delivery there are none."""
        round_ = state.match.round
        if round_ is None:
            return ()
        seat = state.match.seat_of(self.me)
        return tuple(Shown(slot, self._face(state, slot)) for slot in round_.hands[seat])

    def _face(self, state: State, slot: Slot) -> Card:
        seen = state.seen.get(slot)
        if seen is not None:
            return seen
        ((deal, _),) = state.cards.by_deal([slot])
        place = (deal.number, slot)
        if place not in self._faces:
            (point,) = unlock(self._locks[deal.number], state.cards.locked([slot]))
            number = deal.deck.card_number(point)
            if number is None:
                raise Refused("A card of the own hand has a lock on it still; the table is broken.")
            self._faces[place] = state.match.game.deck[number]
        return self._faces[place]
