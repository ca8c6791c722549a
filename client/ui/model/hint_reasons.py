"""A hint: the move that the strongest level would make, the reason, and the second-best move."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

from attrs import define

from client.bots.best_moves import BestMoves, best_moves
from client.bots.chooser import Budget
from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_of
from client.bots.one_move_ahead import throw_worth
from client.bots.weights import Tuning
from client.i18n.card_letters import card_face
from client.i18n.language import _, _n, capital, with_and
from client.i18n.sentences import said
from client.session.display.pile_events import NOTHING_SEEN, PileEvents
from client.ui.model.command_words import line_of
from client.ui.model.hint import Hint
from client.ui.model.regrettable_moves import is_gift
from engine import moves
from engine.cards import Rank
from engine.moves import Move, is_alike
from engine.notation.position_writer import game_of
from engine.position import Position
from engine.position_facts import PileState, Taking
from engine.slots import Seat, Side
from engine.turn import Step

_SAFE = 1.0
"""The maximum danger of a discard that is called safe, in points."""

_FEW_CARDS = 4
"""The maximum number of cards in the hand of a player who seems about to go out."""

RANK_COUNTS: Mapping[Rank, Callable[[int], str]] = {
    Rank.TWO: lambda n: _n("{n} two", "{n} twos", n),
    Rank.THREE: lambda n: _n("{n} three", "{n} threes", n),
    Rank.FOUR: lambda n: _n("{n} four", "{n} fours", n),
    Rank.FIVE: lambda n: _n("{n} five", "{n} fives", n),
    Rank.SIX: lambda n: _n("{n} six", "{n} sixes", n),
    Rank.SEVEN: lambda n: _n("{n} seven", "{n} sevens", n),
    Rank.EIGHT: lambda n: _n("{n} eight", "{n} eights", n),
    Rank.NINE: lambda n: _n("{n} nine", "{n} nines", n),
    Rank.TEN: lambda n: _n("{n} ten", "{n} tens", n),
    Rank.JACK: lambda n: _n("{n} jack", "{n} jacks", n),
    Rank.QUEEN: lambda n: _n("{n} queen", "{n} queens", n),
    Rank.KING: lambda n: _n("{n} king", "{n} kings", n),
    Rank.ACE: lambda n: _n("{n} ace", "{n} aces", n),
}
"""Functions that put a number of cards of a rank in words, such as "2 kings"."""


def hint(view: Position, events: PileEvents = NOTHING_SEEN, names: Sequence[str] = ()) -> Hint:
    """Return a hint for the seat to move, from its view and the public events of this round.

    `names` are the players' names by seat. The same arguments give the same hint. Raises ValueError
    if nobody is to move.
    """
    game = game_of(view)
    found = best_moves(view, game, random.Random(0), Budget())
    move, *others = found.moves
    # Moves that differ only in copies of equal cards are the same line.
    second = next((line_of(view, other) for other in others if not is_alike(move, other)), "")
    evaluator = evaluator_of(game, Tuning.LEARNT)
    return Hint(move, line_of(view, move), reason(view, found, evaluator, events, names), second)


def reason(
    view: Position,
    found: BestMoves,
    evaluator: Evaluator,
    events: PileEvents,
    names: Sequence[str] = (),
) -> str:
    """Return the reason for the best move that was found."""
    seat = view.moving_seat
    return _Reasons(view, seat, found, evaluator, events, names).of(found.moves[0])


@define
class _Reasons:
    """The reasons for moves of `seat` in a view."""

    view: Position
    seat: Seat
    found: BestMoves
    evaluator: Evaluator
    events: PileEvents
    names: Sequence[str]

    def name(self, seat: Seat) -> str:
        """Return the name of the player in a seat."""
        if self.names:
            return self.names[seat]
        return self.events.name(seat) or _("the next player")

    def of(self, move: Move) -> str:
        """Return a reason that fits any game, followed by the remark of this game's evaluator."""
        remark = self.evaluator.remark(self.view, move)
        return " ".join(filter(None, (self._general(move), said(remark) if remark else "")))

    def _general(self, move: Move) -> str:
        view = self.view
        match move:
            case moves.Cut():
                return _("One cut is as good as another.")
            case moves.ShowBonus():
                return _("Bonus cards are laid on the table at once.")
            case moves.DrawStock():
                return self._draw()
            case moves.TakePile():
                return _n(
                    "The pile has {n} card for you, and then nobody else has it.",
                    "The pile has {n} cards for you, and then nobody else has them.",
                    len(view.takes),
                )
            case moves.TakeTop():
                return _("With the top card your side can open.")
            case moves.LayMelds():
                return self._meld(move)
            case moves.Discard():
                return self._discard(move)
            case moves.Ask():
                return self._ask()
            case moves.Answer(yes):
                return self._answer(yes=yes)
            case moves.Pass():
                return _("Nothing is gained by going on.")

    def _draw(self) -> str:
        view = self.view
        if any(
            isinstance(move, moves.TakePile | moves.TakeTop) for move in view.legal_moves(self.seat)
        ):
            if len(view.takes) < len(view.pile):
                return _n(
                    "The {n} card that you would get is not worth what taking it would cost you.",
                    "The {n} cards that you would get are not worth what taking them would cost "
                    "you.",
                    len(view.takes),
                )
            return _("The pile of {cards} is not worth what taking it would cost you.").format(
                cards=_cards(len(view.pile))
            )
        if not view.pile:
            return _("There is no pile to take.")
        if view.pile_status(view.side_of(self.seat)).state is PileState.BLOCKED:
            return _("The pile is blocked.")
        # In a view without the person's own cards, `may_take_pile` returns False only if no hand
        # at all could take the pile.
        if not view.seen(()).may_take_pile():
            return _("Whatever you hold, the pile cannot be taken now.")
        return _("The pile cannot be taken with the cards you hold.")

    def _meld(self, move: moves.LayMelds) -> str:
        view, side = self.view, self.view.side_of(self.seat)
        after = view.apply(move)
        if after.turn.step is Step.OVER:
            return self._out()
        opening = view.opening(side, move.plays)
        if opening is not None:
            return _("It opens your side with {points} points, and leaves you {cards}.").format(
                points=opening.points, cards=_cards(len(after.hands[self.seat]))
            )
        if after.may_go_out(side) and not view.may_go_out(side):
            return _("It gives your side all that is needed to go out.")
        points = _points(after.table_points(side) - view.table_points(side))
        text = _("On the table these cards count {points} for your side at once.")
        text = text.format(points=points)
        return " ".join(filter(None, (self._completed(after), text, capital(self._near()))))

    def _completed(self, after: Position) -> str:
        """Return a sentence about the melds that the move completes; "" if there are none."""
        side = self.view.side_of(self.seat)
        before = map(self.view.meld_class, self.view.laid[side].melds)
        found = [
            after.words_of(meld).completes
            # A new meld has no class before: `zip_longest` gives None, as for a meld that was not
            # complete.
            for meld, old in zip_longest(after.laid[side].melds, before)
            if after.meld_class(meld) is not None and old is None
        ]
        words = [_(completes) for completes in dict.fromkeys(found)]
        return _("It {completes}.").format(completes=with_and(words)) if words else ""

    def _opponents(self) -> list[Seat]:
        """Return the seats of the other sides, clockwise."""
        own = self.view.side_of(self.seat)
        return [seat for seat in self.view.clockwise(self.seat) if self.view.side_of(seat) != own]

    def _near(self) -> str:
        """Return a sentence about the opponent who may go out soon; "" if there is none."""
        view = self.view
        able = [
            seat
            for seat in self._opponents()
            if view.may_go_out(view.side_of(seat)) and not view.gets_more(seat)
        ]
        nearest = min(able, key=lambda seat: len(view.hands[seat]), default=None)
        if nearest is None or len(view.hands[nearest]) > _FEW_CARDS:
            return ""
        return _("{name} may go out soon, with {cards}.").format(
            name=self.name(nearest), cards=_cards(len(view.hands[nearest]))
        )

    def _out(self) -> str:
        view = self.view
        fullest = max(self._opponents(), key=lambda seat: len(view.hands[seat]))
        return _(
            "Going out now leaves your side better off than going on: {name} holds {cards}."
        ).format(name=self.name(fullest), cards=_cards(len(view.hands[fullest])))

    def _ask(self) -> str:
        partner = self.view.partner_of(self.seat)
        assert partner is not None
        return _("Going out seems to pay, but {name} still holds {cards}.").format(
            name=self.name(partner) if self.names else _("your partner"),
            cards=_cards(len(self.view.hands[partner])),
        )

    def _discard(self, move: moves.Discard) -> str:
        view, seat = self.view, self.seat
        if view.hands[seat] == (move.card.slot,) and not view.gets_more(seat):
            return self._out()
        seen = _seen(view, seat, move, self.events)
        return " ".join(filter(None, (capital(self._safety(move)), seen)))

    def _safety(self, move: moves.Discard) -> str:
        view, evaluator, seat = self.view, self.evaluator, self.seat
        taker = view.left_of(seat)
        name, count = self.name(taker), len(view.hands[taker])
        offer = view.pile_offer(move.card)
        danger = evaluator.danger(view, seat, move.card.card)
        # From here on the strongest reason comes first.
        if is_gift(view, move.card):
            return _("{name} can take the pile with it, but you can spare nothing better.").format(
                name=name
            )
        if text := self._pile(move, taker):
            return text
        if offer is None or offer.taking is Taking.NOTHING:
            return _("You need it little, and {name} cannot take the pile with it.").format(
                name=name
            )
        if danger <= _SAFE and not offer.certain:
            return self._hardly(move, name)
        throws = [other for other in view.legal_moves(seat) if isinstance(other, moves.Discard)]
        safest = min(throws, key=lambda other: evaluator.danger(view, seat, other.card.card))
        if danger <= evaluator.danger(view, seat, safest.card.card):
            return _("Of all you can throw, it gives least to {name}, who holds {cards}.").format(
                name=name, cards=_cards(count)
            )
        worth = throw_worth(view, seat, evaluator)
        if worth(move) >= worth(safest):
            return _("The {card} would be safer, but is worth more in your hand.").format(
                card=card_face(safest.card.card)
            )
        return self._tried()

    def _pile(self, move: moves.Discard, taker: Seat) -> str:
        """Return a sentence if the discard blocks or freezes the pile; "" if it does neither."""
        view = self.view
        side = Side(view.side_of(taker))
        before, after = view.pile_status(side).state, view.play(move).pile_status(side).state
        count, text = len(view.hands[taker]), ""
        if after is PileState.BLOCKED:
            text = _("It blocks the pile for {name}, who has {cards}.")
        elif after is PileState.FROZEN and before is not PileState.FROZEN:
            text = _("It freezes the pile: {name} has {cards}.")
        elif after is PileState.FROZEN and count <= _FEW_CARDS:
            text = _("It keeps the pile frozen: {name} has {cards}.")
        return text.format(name=self.name(taker), cards=_cards(count))

    def _hardly(self, move: moves.Discard, name: str) -> str:
        """Return a sentence about a discard with which `name` can hardly take the pile."""
        rank = move.card.card.rank
        total = sum(card.rank is rank for card in self.view.deck)
        seen = total - sum(card.rank is rank for card in self.view.unseen())
        ranks_count = self.view.melds_like_cards and rank in RANK_COUNTS
        if not ranks_count or seen < total / 2:
            return _(
                "You need it little, and {name} hardly has the cards to take the pile with it."
            ).format(name=name)
        return _(
            "You see {seen} of {all}: {name} hardly has the cards to take the pile with it."
        ).format(seen=seen, all=_counted(rank, total), name=name)

    def _tried(self) -> str:
        """Return how much better the best move did than the second-best in simulated deals."""
        gain = round(self.found.gain)
        if gain < 1:
            return _n(
                "In {n} deal that fits what you see, it came off as well as the next best.",
                "In {n} deals that fit what you see, it came off as well as the next best.",
                self.found.worlds,
            )
        return _(
            "In {worlds} deals that fit what you see, it brings {points} more than the next best."
        ).format(points=_points(gain), worlds=self.found.worlds)

    def _answer(self, *, yes: bool) -> str:
        cost = round(self.evaluator.cost(self.view, self.view.hand_cards(self.seat)))
        text = _("Your hand would cost {points}, and your side may still gain more by going on.")
        if yes:
            text = _("Your hand would cost {points}, but going on is the greater risk.")
        return text.format(points=_points(cost))


def _cards(count: int) -> str:
    return _n("{n} card", "{n} cards", count)


def _points(count: int) -> str:
    return _n("{n} point", "{n} points", count)


def _seen(view: Position, seat: Seat, move: moves.Discard, events: PileEvents) -> str:
    """Return a sentence about an action of another player that speaks for this discard.

    For example: "Bo has thrown 2 kings." Return "" if there was no such action, or in a game of
    sequences alone: there the next player may still take a king of another suit.
    """
    taker, rank = view.left_of(seat), move.card.card.rank
    name = events.name(taker)
    held = {shown.card.rank for shown in view.hand(seat)} - {rank}
    kept = [other for other in RANK_COUNTS if other in held and events.taken(taker, other)]
    if rank not in RANK_COUNTS or not view.melds_like_cards:
        return ""
    if kept:
        most = max(kept, key=lambda other: events.taken(taker, other))
        return _("{name} has taken {cards} with the pile: keep yours.").format(
            name=name, cards=_counted(most, events.taken(taker, most))
        )
    if left := events.left(taker, rank):
        return _("{name} has left {cards} lying.").format(name=name, cards=_counted(rank, left))
    others = [other for other in view.clockwise(taker) if other != seat]
    thrower = max(others, key=lambda other: events.thrown(other, rank))
    if not (thrown := events.thrown(thrower, rank)):
        return ""
    return _("{name} has thrown {cards}.").format(
        name=events.name(thrower), cards=_counted(rank, thrown)
    )


def _counted(rank: Rank, count: int) -> str:
    """Return a number of cards of a rank in words: "1 king", "2 kings"."""
    return RANK_COUNTS[rank](count)
