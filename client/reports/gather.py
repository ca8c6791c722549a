"""The gatherer of a report: it watches the states of an audit, and sums up each round."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from attrs import define, evolve, field

from client.reports import model
from client.reports.rounds_on_disk import KeptRounds
from client.reports.score_sheet import side_names
from client.reports.words import GOES_OUT, OPENS
from engine import moves as made
from engine.hands_set_aside import taken_up
from engine.match import Match
from engine.moves import Move, TakePile, TakeTop
from engine.position import Position
from engine.sentences import N_
from engine.slots import Slot, slot_range
from engine.turn import Step
from protocol.audit import Tally
from protocol.charter import Charter, Member
from protocol.entries import CloseContent, MoveContent, ShuffleContent, UnlockContent
from protocol.group import SIZE
from protocol.lock_state import LockedDeal, LockState
from protocol.state import State
from protocol.words_for_keys import words

_MOVE_NAMES: Mapping[type[Move], str] = {
    made.Cut: N_("cut"),
    made.ShowBonus: N_("bonus"),
    made.DrawStock: N_("draw"),
    made.TakePile: N_("take pile"),
    made.TakeTop: N_("take top"),
    made.LayMelds: N_("meld"),
    made.Discard: N_("discard"),
    made.Ask: N_("ask"),
    made.Answer: N_("answer"),
    made.Pass: N_("pass"),
}


@define
class Gatherer:
    """A gatherer of rounds, to be fed with every step of an audit."""

    rounds: KeptRounds = field(factory=KeptRounds)
    """Reports on the rounds that have ended."""
    _round: "_Round | None" = field(default=None, init=False)

    def feed(self, before: State, after: State, number: int) -> None:
        """Note part `number` of the record, which led from `before` to `after`."""
        if self._round is None:
            self._round = _Round(before, number)
        self._round.feed(before, after, number)
        if not _in_one_round(before, after):
            self.rounds.append(self._round.report(before, after))
            self._round = None

    def finish(self, state: State) -> None:
        """Note that the record ends in `state`, perhaps within a round."""
        if self._round is not None:
            self.rounds.append(self._round.report(state, state))
            self._round = None


def _in_one_round(before: State, after: State) -> bool:
    """Return True if the round of `before` goes on in `after`.

    In that case both states have the same first deal, and the match is not over. After a
    continuation a new deal begins, unless hands were being opened.
    """
    if after.table_id != before.table_id and not before.match.opening:
        return False
    deals = after.cards.deals
    return bool(deals) and deals[0].number == before.cards.deals[0].number and not after.complete


@define
class _Round:
    """Facts about the round (or the draw) that is being audited."""

    start: State
    """The state in which the round began."""
    first: int
    """The number of the part of the record with which the round began."""
    _tally: Tally = field(factory=Tally, init=False)
    _shuffles: list[tuple[int, model.ShuffleReport]] = field(factory=list, init=False)
    _given: list[model.CardGiven] = field(factory=list, init=False)
    _moves: list[Counter[str]] = field(init=False)
    _highlights: list[model.Highlight] = field(factory=list, init=False)
    _taken: list[model.PileTaken] = field(factory=list, init=False)
    _signed: list[tuple[int, int]] = field(factory=list, init=False)
    _continuations: list[model.Continuation] = field(factory=list, init=False)
    _last: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._moves = [Counter() for _ in self.start.charter.members]

    def feed(self, before: State, after: State, number: int) -> None:
        self._last = number
        body = after.last
        if body is None:
            self._tally.signatures += len(after.charter.signers)
            self._tally.continuations += 1
            self._continuations.append(_continuation(before, after, number))
            return
        self._tally.count(body.content)
        match body.content:
            case ShuffleContent() as content:
                traces = _traces(content.outputs)
                link = model.ShuffleReport(number, body.writer, content.unlock_key, traces)
                self._shuffles.append((before.cards.last.number, link))
            case UnlockContent() as content:
                # All players unlock the same cards in turn, and the last unlocking gives the cards.
                if len(before.writers) == 1:
                    self._give(content, number, before.match.round)
            case MoveContent() as content:
                self._moves[body.writer][_MOVE_NAMES[type(content.move)]] += 1
                self._highlights += _highlights(before.match, after.match, body.writer, number)
                self._taken += _taken(before.match, body.writer, content.move, number)
            case CloseContent():
                self._signed.append((body.writer, number))

    def _give(self, content: UnlockContent, entry: int, position: Position | None) -> None:
        # The first unlocking that gives cards to players deals the hands; later ones are draws.
        hands_are_dealt = any(given.dealt for given in self._given)
        aside = set(chain(*position.set_aside)) if position else set()
        self._given += [
            model.CardGiven(
                g.slot,
                g.player,
                dealt=not hands_are_dealt and g.player is not None,
                entry=entry,
                aside=g.player is not None and g.slot in aside,
            )
            for g in content.gives
        ]

    def report(self, end: State, after: State) -> model.RoundReport:
        """Return the report on the round.

        `end` is the last state of the round, and `after` the state that followed.
        """
        number, match, cards = self.start.match.round_number, end.match, end.cards
        position = match.round
        drawn = after.match.draw.drawn if number == 0 and not self._continuations else ()
        faces = {shown.slot: shown.card.number for shown in drawn if shown}
        players = seated_players(self.start.charter, after.match if number == 0 else match)
        return model.RoundReport(
            number=number,
            first=self.first,
            last=self._last,
            players=players,
            sides=side_names(match, [p.name for p in players]) if match.seating else (),
            dealer=None if position is None else match.player_at(position.dealer),
            deals=tuple(self._deal(deal, cards, faces) for deal in cards.deals),
            checked=self._tally,
            moves=tuple(dict(moves) for moves in self._moves),
            highlights=tuple(self._highlights),
            taken=tuple(self._taken),
            drawn=tuple(shown.card.number if shown else None for shown in drawn),
            count=card_count(position, cards) if match.round_over and position else None,
            sheet=model.SheetReport(after.match.sheets[-1], after.match.totals)
            if self._is_interrupted
            else _sheet(match),
            signed=tuple(self._signed),
            continuations=tuple(self._continuations),
            void=self._is_void(match),
        )

    @property
    def _is_interrupted(self) -> bool:
        return bool(self._continuations) and self._continuations[-1].counted

    def _is_void(self, match: Match) -> bool:
        """Return True if the last continuation has ended the round without counting it."""
        last = self._continuations[-1] if self._continuations else None
        return last is not None and not (last.closed or last.counted or match.round_over)

    def _deal(
        self, deal: LockedDeal, cards: LockState, faces: Mapping[Slot, int]
    ) -> model.DealReport:
        def face(slot: Slot) -> int | None:
            return faces[slot] if slot in faces else cards.face(slot)

        return model.DealReport(
            number=deal.number,
            first=deal.first,
            cards=deal.deck.card_numbers,
            traces=_traces(b"".join(point.encode() for point in deal.deck.points)),
            shuffles=tuple(link for number, link in self._shuffles if number == deal.number),
            given=tuple(
                evolve(given, card=face(Slot(given.slot)))
                for given in self._given
                if Slot(given.slot) in deal
            ),
        )


def _continuation(before: State, after: State, number: int) -> model.Continuation:
    old, new, continues = before.charter, after.charter, after.charter.continues
    assert continues is not None, "a part that is no entry is a continuation"
    return model.Continuation(
        number,
        continues.left,
        tuple(_player(old.members[player]) for player in continues.left),
        tuple(_player(new.members[player]) for player in new.signers),
        () if continues.ends else tuple(_player(new.members[p]) for p in continues.left),
        continues.ends,
        closed=before.match.opening,
        counted=len(after.match.sheets) > len(before.match.sheets) and not before.match.round_over,
    )


def _player(member: Member, seat: int | None = None, side: int | None = None) -> model.PlayerReport:
    return model.PlayerReport(member.name, member.key, words(member.key), seat, side)


def seated_players(charter: Charter, match: Match) -> tuple[model.PlayerReport, ...]:
    """Return the players with their keys; they have seats once the draw is done."""

    def seat(player: int) -> int | None:
        return match.seat_of(player) if match.seating else None

    sides = match.game.sides(match.players)
    return tuple(
        _player(member, at := seat(player), None if at is None else at % sides)
        for player, member in enumerate(charter.members)
    )


def _traces(points: bytes) -> bytes:
    """Return the second byte of each encoded point, for a picture of the deck.

    The second byte can have any value, while the first is always even.
    """
    return points[1::SIZE]


def card_count(position: Position, cards: LockState) -> model.CardCount:
    """Count the cards in each place; unseen cards lie in slots under locks."""
    melded = [s.card for laid in position.laid for meld in laid.melds for s in meld.cards]
    bonus = [s.card for laid in position.laid for s in laid.bonus]
    pile = [s.card for s in position.pile]
    in_hands = [slot for hand in position.hands for slot in hand]
    held = [position.known[slot].card for slot in in_hands if slot in position.known]
    seen = Counter(card.number for card in (*melded, *bonus, *pile, *held))
    # A card is seen somewhere, or lies unseen in a slot. With 108 cards, 60 seen and 47 unseen
    # slots, one is missing; and a card that is seen in two places is a fault too.
    slots = (slot for deal in cards.deals for slot in slot_range(deal.first, len(deal.outputs)))
    unseen = sum(cards.face(slot) is None for slot in slots)
    return model.CardCount(
        melded=len(melded),
        bonus=len(bonus),
        discarded=len(pile),
        held=len(held),
        unseen=unseen,
        missing=len(position.deck) - seen.total() - unseen,
        twice=tuple(number for number, count in seen.items() if count > 1),
        closed=len(in_hands) - len(held),
    )


def _sheet(match: Match) -> model.SheetReport | None:
    """Return the sheet of a counted round."""
    if match.round is None or match.round.sheet is None:
        return None
    return model.SheetReport(match.round.sheet, match.close_round().totals)


def _highlights(before: Match, after: Match, writer: int, number: int) -> Iterator[model.Highlight]:
    """Return the rare events of a round that a move has brought about."""
    old, new = before.round, after.round
    assert old is not None
    assert new is not None
    side = old.side
    was, is_ = old.laid[side].melds, new.laid[side].melds
    # Melds keep their places on the table and new ones come last. So the classes of a meld before
    # and after the move are at the same index.
    done = [old.meld_class(meld) for meld in was] + [None] * (len(is_) - len(was))
    if is_ and not was and old.opening(side) is not None:
        yield model.Highlight(number, writer, OPENS)
    for meld, done_before in zip(is_, done, strict=True):
        if old.meld_class(meld) and not done_before:
            yield model.Highlight(number, writer, old.words_of(meld).completes, completes=True)
    if taking := taken_up(old, new):
        yield model.Highlight(number, writer, taking)
    if new.turn.step is Step.OVER and new.closer == old.turn.seat:
        yield model.Highlight(number, writer, GOES_OUT)


def _taken(before: Match, writer: int, move: Move, number: int) -> Iterator[model.PileTaken]:
    """Return the cards that a move takes from the pile, if any."""
    assert before.round is not None
    cards = tuple(shown.card.number for shown in before.round.pile)
    if isinstance(move, TakePile):
        yield model.PileTaken(number, writer, cards)
    elif isinstance(move, TakeTop):
        yield model.PileTaken(number, writer, cards[-1:])
