"""Cards, melds and the turn of a round: all facts that the rules of a game look at.

`engine.position` adds the moves. A state is a value, and each player's program has a copy of it,
called a replica. Cards in hands and in the stock are only slots here. Two mappings have the faces
that are known: `known` those that everybody has seen (cards taken with the pile), `private` those
that only this replica knows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

from attrs import Factory, evolve, frozen

from engine.cards import Card
from engine.decks import Deck, Decks
from engine.melds import Laid, Meld
from engine.moves import Ask, Move, Play
from engine.options import Options
from engine.orders import Deal, Give, Order
from engine.own_lines import OwnLine, UnstatedFact
from engine.position_facts import Duty, MeldClass, MeldWords, Opening, PileStatus, Taking
from engine.score_sheet import Item, ScoreSheet
from engine.seating import Seating
from engine.sentences import N_, Marked, Sentence
from engine.slots import Seat, Shown, Side, Slot, slots_of, without
from engine.turn import Step, Turn


@frozen(kw_only=True, slots=False)
class RoundState(Seating, ABC):
    """The round as all replicas agree on it, plus the cards that only this replica sees."""

    decks: ClassVar[Decks]
    bonus_duty: ClassVar[str] = ""
    """The clause by which bonus cards are laid at once; "" in a game without them."""
    takes_pile_bare: ClassVar[bool] = False
    """True if the pile is taken first, and cards of it are melded afterwards."""
    melds_like_cards: ClassVar[bool] = True
    """True if a meld can be of one rank; False in a game whose melds are all sequences."""
    one_meld_of_a_rank: ClassVar[bool] = False
    """True if a side has at most one meld of a rank."""
    melds_have_two_ends: ClassVar[bool] = False
    """True if the player chooses at which end of a meld cards are added (`Play.low`)."""
    out_by_discard: ClassVar[str] = ""
    """The clause by which going out always ends with a discard; "" if there is none."""
    draws_without_stock: ClassVar[bool] = False
    """True if a turn may begin with an empty stock."""
    steps: ClassVar[tuple[Step, ...]]
    """Steps that a turn may wait for once the cards are dealt."""
    lacking: ClassVar[tuple[type[Move], ...]] = ()
    """Kinds of moves that other games have and this one does not."""
    turn_clause: ClassVar[str] = ""
    """The clause for the moves of a turn. The refusal of a move that the game lacks names it."""
    no_such_move: ClassVar[Marked] = N_("This game does not have that move.")
    """The refusal of a move that the game lacks."""
    closing_clauses: ClassVar[frozenset[str]] = frozenset()
    """Clauses that refuse a meld which may be legal if more cards are laid in the same move."""
    cut_clause: ClassVar[str] = ""
    """The clause for the cut; "" in a game without one."""
    hands_cost_by_number: ClassVar[bool] = False
    """True if only the number of cards in a hand matters when it is counted."""
    complete_size: ClassVar[int] = 7
    """Number of cards that make a meld complete."""
    meld_words: ClassVar[Mapping[MeldClass, MeldWords]] = {
        MeldClass.CLEAN: MeldWords(N_("clean"), N_("completes a clean meld")),
        MeldClass.DIRTY: MeldWords(N_("dirty"), N_("completes a dirty meld")),
    }
    """The game's words for each class of its melds."""
    counts_set_aside: ClassVar[bool] = False
    """True if each hand set aside has an owner, and counts with the owner's hand in the end."""
    letter: ClassVar[str]
    """First letter of the game's clauses."""
    sheet_lines: ClassVar[tuple[str, ...]] = ()
    """Names of the items that can stand on a sheet of the game, in the order of its lines."""
    own_lines: ClassVar[tuple[OwnLine, ...]] = ()
    """Lines of the notation for the fields that this game has beside the common ones."""

    options: Options
    number: int = 1
    """The number of the round in the match, from 1 on."""
    stock: tuple[Slot, ...] = ()
    """Slots of the stock; `stock[0]` is the next card to be drawn."""
    pile: tuple[Shown, ...] = ()
    """Cards of the discard pile; `pile[-1]` is its top."""
    hands: tuple[tuple[Slot, ...], ...] = ()
    """Slots in the hand of each seat."""
    laid: tuple[Laid, ...] = ()
    """Melds and bonus cards by side."""
    known: Mapping[Slot, Shown] = Factory(dict)
    """Cards in hands that everybody has seen, by slot."""
    private: Mapping[Slot, Shown] = Factory(dict)
    """Cards in hands that only this replica knows, by slot."""
    turn: Turn
    orders: tuple[Order, ...] = ()
    """Orders to be delivered; while there are any, nobody moves."""
    closer: Seat | None = None
    """The seat that went out; None if nobody did."""
    closed: frozenset[Seat] = frozenset()
    """Seats whose hands stay closed when the round is counted."""
    sheet: ScoreSheet | None = None
    """The score sheet; None until the round is counted."""

    # -- what is seen

    @property
    def deck(self) -> Deck:
        """All cards of this table, in the order of the fresh deck."""
        return self.decks.at(self.options, self.seats)

    @property
    def to_move(self) -> Seat | None:
        """The seat that moves next; None while cards are being dealt and when all is counted."""
        if self.orders or self.sheet:
            return None
        if self.turn.step is Step.ANSWER:
            return self.partner_of(self.turn.seat)
        return self.turn.seat

    @property
    def side(self) -> Side:
        """The side whose turn it is."""
        return self.side_of(self.turn.seat)

    def face(self, slot: Slot) -> Card | None:
        """Return the card in a slot of a hand or the stock; None if not known to this replica."""
        shown = self.known.get(slot) or self.private.get(slot)
        return shown.card if shown else None

    def hand(self, seat: Seat) -> tuple[Shown, ...]:
        """Return the cards of a hand, as far as this replica knows their faces."""
        seen = self._seen
        return tuple([seen[slot] for slot in self.hands[seat] if slot in seen])

    def hand_cards(self, seat: Seat) -> tuple[Card, ...]:
        """Return the faces of `hand`, without their slots."""
        seen = self._seen
        return tuple([seen[slot].card for slot in self.hands[seat] if slot in seen])

    @property
    def _seen(self) -> Mapping[Slot, Shown]:
        """All cards that this replica knows."""
        return {**self.private, **self.known} if self.known else self.private

    def seen(self, cards: Iterable[Shown]) -> Self:
        """Return this position with `cards` as the only private cards of this replica."""
        return self.changed(private={shown.slot: shown for shown in cards})

    # -- what the table shows

    @classmethod
    @abstractmethod
    def is_wild(cls, card: Card) -> bool:
        """Return True if the card may stand for another one in a meld."""

    @classmethod
    def is_bonus(cls, card: Card) -> bool:
        """Return True if the card is laid on the table at once, for its own points."""
        del card
        return False

    @classmethod
    @abstractmethod
    def card_points(cls, card: Card) -> int:
        """Return the points of a card in a meld; 0 for one that is never melded."""

    @classmethod
    def opens_with(cls, card: Card) -> bool:
        """Return True if the card may lie in the first melds of a side that does not go out."""
        return cls.card_points(card) > 0

    @property
    def opened(self) -> bool:
        """True if the side whose turn it is has melded in this round."""
        return bool(self.laid[self.side].melds)

    @abstractmethod
    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        """Return the melds of a side after the plays are laid.

        Raises IllegalMove for a play that is no meld.
        """

    @abstractmethod
    def meld_class(self, meld: Meld) -> MeldClass | None:
        """Return the class of a meld; None while it is not complete."""

    def has_wild(self, meld: Meld) -> bool:
        """Return True if a card of the meld stands for another one."""
        return any(self.is_wild(shown.card) for shown in meld.cards)

    def words_of(self, meld: Meld) -> MeldWords:
        """Return the game's words for a meld: those of its class.

        A meld that is not complete has the class that it gets if no further wild card joins it. A
        game with several kinds of melds in one class gives each kind its words here.
        """
        growing = MeldClass.DIRTY if self.has_wild(meld) else MeldClass.CLEAN
        return self.meld_words[self.meld_class(meld) or growing]

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        """Return the cards of a meld in the order in which they lie."""
        return meld.cards

    @abstractmethod
    def pile_status(self, side: Side) -> PileStatus:
        """Return the state of the pile for a side."""

    @property
    def pile_seen(self) -> tuple[Shown, ...]:
        """Cards of the pile below the top that players may look at."""
        return ()

    @property
    def set_aside(self) -> tuple[tuple[Slot, ...], ...]:
        """Hands that lie face down beside the stock."""
        return ()

    @property
    def aside_text(self) -> Sentence | None:
        """The number of hands set aside, as a text; None in a game without such hands."""
        return None

    @property
    def set_aside_of(self) -> tuple[tuple[Seat, tuple[Slot, ...]], ...]:
        """Hands set aside that count when the round is over, each with its owner."""
        return ()

    @property
    def may_hold_bonus(self) -> bool:
        """True if hands may hold bonus cards that their owners could not lay yet."""
        return self.turn.step is Step.SHOW

    def opening(self, side: Side, plays: tuple[Play, ...] = ()) -> Opening | None:
        """Return the points and wild cards of `plays` as first melds; None if the side melded."""
        del side, plays
        return None

    @property
    def taking(self) -> Taking:
        """The part of the pile that the side whose turn it is would take."""
        return Taking.PILE

    @property
    def takes(self) -> tuple[Shown, ...]:
        """The cards of the pile that the side whose turn it is would take, the top last."""
        return self.pile if self.taking is Taking.PILE else self.pile[-1:]

    @property
    def draws(self) -> int:
        """Number of cards drawn from the stock in a turn, replacements not counted."""
        return 1

    @property
    def may_ask(self) -> bool:
        """True if the seat whose turn it is has a partner to ask before it goes out.

        False in a game that lacks the question.
        """
        partner = self.partner_of(self.turn.seat)
        return Ask not in self.lacking and partner is not None and not self.turn.asked

    @property
    def duty(self) -> Duty | None:
        """Bonus cards that the seat to move must lay now, as far as this replica sees its hand.

        At the step SHOW these are the bonus cards dealt, possibly none. Later they are the bonus
        cards drawn in this turn or, if `may_hold_bonus`, all bonus cards in the hand. None if there
        is no such duty.
        """
        if not self.bonus_duty or self.turn.step not in (Step.SHOW, Step.PLAY):
            return None
        every, drawn = self.may_hold_bonus, self.turn.drawn
        # Only a shortcut: searches ask for the duty everywhere, and most draws bring no bonus card.
        if not every and not any(map(self._sees_bonus, drawn)):
            return None
        hand = self.hand(self.turn.seat)
        held = [shown for shown in hand if every or shown.slot in drawn]
        cards = tuple([shown for shown in held if self.is_bonus(shown.card)])
        return Duty(cards, self.bonus_duty) if cards or self.turn.step is Step.SHOW else None

    def _sees_bonus(self, slot: Slot) -> bool:
        card = self.face(slot)
        return card is not None and self.is_bonus(card)

    @abstractmethod
    def may_take_pile(self) -> bool:
        """Return True if the seat to draw could take from the pile, with cards that it may hold.

        False is certain. True may still be wrong: hidden cards count as any card that this replica
        has not seen, and an opening may need more.
        """

    def may_hold(self, seat: Seat, fits: Callable[[Card], bool]) -> int:
        """Return the largest number of cards accepted by `fits` that `seat` can hold.

        Hidden cards of the hand count as any cards that this replica has not seen. A hand of 2 seen
        kings and 3 hidden cards has at most 5 kings, or 4 if only 2 are unseen.
        """
        faces = [self.face(slot) for slot in self.hands[seat]]
        seen = sum(card is not None and fits(card) for card in faces)
        return seen + min(faces.count(None), sum(map(fits, self.unseen())))

    def unseen(self) -> tuple[Card, ...]:
        """Return the cards of the deck whose face this replica does not see.

        It sees cards that lie face up, and cards of hands as far as it knows them. Cards of a pile
        that was shuffled into a new stock are unseen again.
        """
        seen = {shown.card.number for shown in self.face_up()}
        for hand in self.hands:
            faces = (self.face(slot) for slot in hand)
            seen |= {card.number for card in faces if card is not None}
        return tuple(card for card in self.deck if card.number not in seen)

    def face_up(self) -> Iterator[Shown]:
        """Return all cards that lie face up: the discard pile, melds and bonus cards."""
        yield from self.pile
        for laid in self.laid:
            yield from laid.bonus
            for meld in laid.melds:
                yield from meld.cards

    @abstractmethod
    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        """Return the meld that these cards form on the table, or raise IllegalMove."""

    @abstractmethod
    def may_go_out(self, side: Side) -> bool:
        """Return True if the side's melds, and the options, let the side go out."""

    def gets_more(self, seat: Seat) -> bool:
        """Return True if `seat` receives cards when it has laid or discarded its whole hand."""
        del seat
        return False

    @abstractmethod
    def table_items(self, side: Side) -> Iterator[Item]:
        """Return the items for the cards before a side, counted as if the round ended now."""

    def table_points(self, side: Side) -> int:
        """Return the sum of `table_items`."""
        return sum(item.points for item in self.table_items(side))

    @abstractmethod
    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        """Return the items for cards that stay in a hand, mostly negative.

        A card costs the same, whatever else is in the hand.
        """

    def hand_points(self, cards: tuple[Card, ...]) -> int:
        """Return the sum of `hand_items`."""
        return sum(item.points for item in self.hand_items(cards))

    def inferred(self) -> Self:
        """Return this state with further facts, which follow from the lines that state it.

        The reader of the notation calls this hook when it has read the lines. In Canasta, for
        example, the word `no` in the line `turn` implies that the seat has asked once. Raises
        NotationError for contradictions.
        """
        return self

    def unstated_facts(self, stated: frozenset[str]) -> Iterator[UnstatedFact]:
        """Return questions about facts that the lines of a text leave open.

        `stated` has the first word of each line, and each further word of the line `turn` in the
        form "turn drew". The referee calls this hook for each position. For example, a hand of
        hidden cards may hold a bonus card drawn in this turn, unless "turn drew" is stated.
        """
        draw_stated = not stated.isdisjoint(("turn drew", "turn took"))
        if not self.bonus_duty or draw_stated or self.may_hold_bonus:
            return
        if self.turn.step not in (Step.PLAY, Step.ANSWER):
            return
        hand = self.hands[self.turn.seat]
        bonus = [shown.slot for shown in self.hand(self.turn.seat) if self.is_bonus(shown.card)]
        # Hidden cards are all alike: the last one, where new cards are, stands for all of them.
        hidden = [slot for slot in hand if self.face(slot) is None]
        if drawn := (*bonus, *hidden[-1:]):
            say = Sentence(
                "turn {seat} {step} drew, with the number of cards drawn",
                seat=self.turn.seat + 1,
                step=self.turn.step.name.lower(),
            )
            yield UnstatedFact(say, ({}, {"turn": evolve(self.turn, drawn=drawn)}))

    # -- what changes

    def losing(self, seat: Seat, cards: Iterable[Shown], **changes: Any) -> Self:
        """Return the position without these cards in the hand of `seat`, and with other changes."""
        gone = {shown.slot for shown in cards}
        left = tuple([slot for slot in self.hands[seat] if slot not in gone])
        return self.changed(
            hands=(*self.hands[:seat], left, *self.hands[seat + 1 :]),
            known=without(self.known, gone),
            private=without(self.private, gone),
            **changes,
        )

    def gaining(self, seat: Seat, cards: tuple[Shown, ...], **changes: Any) -> Self:
        """Return the position with cards that everybody has seen added to the hand of `seat`."""
        more = self.hands[seat] + slots_of(cards)
        return self.changed(
            hands=(*self.hands[:seat], more, *self.hands[seat + 1 :]),
            known={**self.known, **{shown.slot: shown for shown in cards}},
            **changes,
        )

    def laying(
        self, side: Side, melds: tuple[Meld, ...] | None = None, bonus: tuple[Shown, ...] = ()
    ) -> Self:
        """Return the position with the table that `laid_with` returns."""
        return self.changed(laid=self.laid_with(side, melds, bonus))

    def laid_with(
        self, side: Side, melds: tuple[Meld, ...] | None = None, bonus: tuple[Shown, ...] = ()
    ) -> tuple[Laid, ...]:
        """Return the cards before each side after changes to those of one side.

        `melds` replace all melds of that side; None leaves them as they are. `bonus` cards are
        added to its bonus cards.
        """
        before = self.laid[side]
        after = Laid(before.melds if melds is None else melds, before.bonus + bonus)
        return (*self.laid[:side], after, *self.laid[side + 1 :])

    def turning(self, **changes: Any) -> Self:
        """Return the position with changes to the turn."""
        return self.changed(turn=self.turn.changed(**changes))

    def drawing(self, count: int, **changes: Any) -> Self:
        """Return the position with the order to give the mover `count` cards of the stock.

        If the stock has fewer cards, the mover gets all of them. `changes` are changes to the turn.
        """
        turn, slots = self.turn, self.stock[:count]
        order = Deal(tuple([Give(slot, turn.seat) for slot in slots]))
        return self.changed(
            orders=(*self.orders, order), turn=turn.changed(drawn=turn.drawn + slots, **changes)
        )

    def passing_to(self, seat: Seat, step: Step = Step.DRAW) -> Self:
        """Return the position with a new turn for `seat`."""
        return self.changed(turn=self.turn_of(seat, step))

    def turn_of(self, seat: Seat, step: Step = Step.DRAW) -> Turn:
        """Return a new turn of `seat`."""
        return Turn(seat, step, fresh=not self.laid[self.side_of(seat)].melds)
