"""The controls of a table: all that a person can do there, by key, click or typed line.

An illegal move is refused with the clause that forbids it, and is not sent. A legal move that may
be regretted brings a warning, and is sent when it is asked for a second time. All code here runs in
the thread of the display.
"""

from collections.abc import Callable, Sequence

from attrs import define

from client.i18n.card_letters import card_face
from client.i18n.language import _
from client.session.display.snapshot import AfterMatch, Snapshot, TableDecision
from client.ui.model.hand import Hand, Notice, Sorting
from client.ui.model.hint import Hints, Think, think_here
from client.ui.model.pages import Page
from client.ui.model.pile_advice import pile_advice
from client.ui.model.regrettable_moves import warning
from client.ui.model.review_at_table import OwnReview
from client.ui.model.staging import AmbiguousMeld, Staging, as_listed
from client.ui.model.table_view import TableView, table_view
from client.ui.model.table_words import waiting_sentence
from client.ui.model.ways_on import WayOn, ways_on
from engine.errors import IllegalMove
from engine.moves import (
    Cut,
    Discard,
    LayMelds,
    Move,
    ShowBonus,
    TakePile,
    TakeTop,
    is_alike,
    plays_of,
)
from engine.position_facts import Taking
from engine.slots import Shown, Slot
from engine.turn import Step
from protocol.errors import Refused

_BEGINNINGS = (Step.CUT, Step.OPEN, Step.DRAW, Step.ANSWER)
"""Steps at which the table begins to wait for somebody."""


Send = Callable[[*tuple[Move, ...]], None]
"""Function that sends moves, to be made one after the other."""


@define
class Controls:
    """All that a person can do at a table, and the state that this needs."""

    send: Send
    hand: Hand | None = None
    """The person's hand; None while no cards are dealt."""
    notice: Notice | None = None
    """The answer to the last action."""
    sorting: Sorting = Sorting.RANK
    on_turn: Callable[[], None] = lambda: None
    think: Think = think_here
    decide: Callable[[TableDecision], None] = lambda _decision: None
    """Callback that takes each decision that is not a move."""
    speaks: bool = False
    """True if the person can say phrases.

    A spectator cannot, nor can a person who plays alone against bots.
    """
    open_page: Callable[[Page], None] = lambda _page: None
    leave: Callable[[AfterMatch], None] = lambda _choice: None
    choices: Sequence[AfterMatch] = ()
    """The choices that are offered after the match, such as a rematch."""
    rules_about: str = ""
    hinted: Move | None = None
    """The move of the last hint; it is sent without a warning."""
    hints: Hints = Hints.ON_REQUEST
    own_review: OwnReview | None = None
    """The review of the person's own game; None for a spectator."""
    _snapshot: Snapshot | None = None
    _warned: tuple[Move, ...] | None = None
    _question: Notice | None = None
    _waiting: Notice | None = None
    _sent_at: bytes | None = None
    _asked_about: str = ""
    _announced_at: bytes | None = None
    _round: tuple[bytes, int] = (b"", 0)

    # -- what comes from the table

    def show(self, snapshot: Snapshot) -> None:
        """Take a newer snapshot."""
        before, self._snapshot = self._snapshot, snapshot
        if before is not None and before.absence and not snapshot.absence:
            self.notice = None  # the notice was about the player who was away
        if before is not None and snapshot.state is before.state:
            return  # no new entry: only a phrase, a spectator or an absence is new
        if self.notice is self._waiting:
            self.notice = None  # somebody else is next now, or the match is over
        view = snapshot.view
        if view is None:
            self.hand = None
            return
        # A round that is dealt again has the same number, but at a new table.
        round_ = snapshot.state.table_id, snapshot.state.match.round_number
        hand = self.hand if round_ == self._round else None
        if hand is None:
            seat = snapshot.state.match.seat_of(snapshot.me)
            hand, self._round = Hand.before(view, seat, self.sorting), round_
        elif view is not hand.view:
            hand = hand.over(view)
        self.hand = hand
        # The last warning and the last hint were about the table before this entry.
        self._warned = self.hinted = None
        if self.may_move:
            self._begin(hand)

    def _begin(self, hand: Hand) -> None:
        """Begin the person's turn: make a move that needs no choice, or call `on_turn` once."""
        if (duty := hand.view.duty) is not None:
            self._dispatch(ShowBonus(duty.cards))
        elif hand.view.turn.step is Step.CUT and self.snapshot.has_day:
            self.cut()  # the deal of a day is cut in the middle, so that all get the same cards
        elif hand.view.turn.step in _BEGINNINGS and self._announced_at != self.head:
            self._announced_at, self.notice = self.head, None
            self.on_turn()

    def refuse(self, error: IllegalMove | Refused) -> None:
        """Show why the table refused what was sent."""
        self._sent_at = None
        self.notice = Notice.refusing(error)

    # -- what the person sees, and may do

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot; `show` must have been called before."""
        assert self._snapshot is not None
        return self._snapshot

    @property
    def head(self) -> bytes:
        """The digest of the newest entry."""
        return self.snapshot.state.head

    @property
    def moving_hand(self) -> Hand | None:
        """The hand while the person may move, or else None."""
        return self.hand if self.may_move else None

    @property
    def may_move(self) -> bool:
        """True while the table waits for this person, and no move of theirs is on its way."""
        return self.snapshot.chooses and self._sent_at != self.head

    def hand_at(self, *steps: Step) -> Hand | None:
        """Return the hand if the person may move, at one of these steps of the turn; else None."""
        hand = self.moving_hand
        return hand if hand is not None and hand.view.turn.step in steps else None

    def may(self, *steps: Step) -> bool:
        """Return True if the person is to move and the turn is at one of these steps."""
        return self.hand_at(*steps) is not None

    @property
    def view(self) -> TableView:
        """The table as the person sees it."""
        return table_view(self.snapshot, self.hand, self.notice, may_move=self.may_move)

    @property
    def stages(self) -> bool:
        """True while melds are laid out and not sent."""
        return self.hand is not None and self.hand.staging.move is not None

    # -- after the match

    @property
    def over(self) -> bool:
        """True if all have signed the end of the match, or if it is over for this player."""
        now = self.snapshot
        return now.state.complete or now.left_out or now.given_up

    def may_choose(self, choice: AfterMatch) -> bool:
        """Return True if the person can make this choice now."""
        if choice is AfterMatch.LEAVE:
            return self.over
        return self.snapshot.state.complete and choice in self.choices

    def part(self, choice: AfterMatch) -> None:
        """Leave the table of a match that is over, with the choice of what follows."""
        if self.may_choose(choice):
            self.leave(choice)
        elif choice is AfterMatch.LEAVE:
            self.say(_("The match is not over yet; Ctrl-C leaves the table."))
        else:
            self.say(_("The match is not over yet."))

    # -- cards in front of oneself

    def move_cursor(self, by: int) -> None:
        self._rearrange(lambda hand: hand.placed(hand.cursor + by))

    def toggle(self, slot: Slot | None = None) -> None:
        """Select the card of a slot, or the one under the cursor; unselect it if it is selected."""
        self._rearrange(lambda hand: hand.toggled(slot))

    def unselect(self) -> None:
        self.notice = None
        self._rearrange(lambda hand: hand.with_selected(()))

    def sort(self, sorting: Sorting | None = None) -> None:
        """Sort the hand by `sorting`; without it, change between rank and suit."""
        other = Sorting.SUIT if self.sorting is Sorting.RANK else Sorting.RANK
        self._rearrange(lambda hand: hand.sorted(sorting or other))

    def shift(self, by: int) -> None:
        """Move the card under the cursor one place to the right (`by` = 1) or to the left (-1)."""
        self._rearrange(lambda hand: hand.shifted(by))

    def _rearrange(self, change: Callable[[Hand], Hand]) -> None:
        """Change the order, the cursor or the selection of the hand, and withdraw a question."""
        if self.notice is self._question:
            self.notice = None
        if self.hand:
            self.hand = change(self.hand)
            self.sorting = self.hand.sorting

    # -- melds laid out

    def meld(self) -> None:
        """Lay out the selected cards."""
        if self.hand and (cards := self.hand.chosen):
            self._stage(lambda staging: staging.melding(cards))
        else:
            self._say_to_select()

    def add(self, number: int) -> None:
        """Add the selected cards to the meld with that number, counted from 1.

        If no card is selected, the cards that were just added to that meld go to its other end.
        """
        hand = self.hand
        if hand is None or not hand.chosen:
            turned = hand and hand.staging.turned(number - 1)
            if turned:
                self._stage(lambda _staging: turned)
            else:
                self._say_to_select()
        elif number > len(hand.staging.melds):
            self.say(_("There is no meld {number} on your side.").format(number=number))
        # Before the draw nothing can be added but the pile's top, so the number means: take the
        # pile onto this meld.
        elif self.may(Step.DRAW) and hand.staging.taking is Taking.NOTHING:
            self.take(number - 1)
        else:
            self._stage(lambda staging: staging.adding(hand.chosen, number - 1))

    def _say_to_select(self) -> None:
        self.say(_("Select cards first, with the arrows and space."))

    def take(self, onto: int | None = None) -> None:
        """Take the pile, or its top, with the selected cards.

        The cards make a new meld, or go onto the meld with the number `onto`, counted from 0.
        """
        if (hand := self._hand_to_draw()) is None:
            return
        chosen = hand.chosen
        if not chosen and (advice := pile_advice(hand)):
            self.notice = advice
            return
        self._stage(lambda staging: staging.taking_pile(chosen, onto))
        assert self.hand is not None
        staging = self.hand.staging
        # In Canastra the pile is taken without a meld: nothing is left to lay out, so the move is
        # complete.
        if staging.taking is not Taking.NOTHING and not staging.plays:
            self.send_staged()

    def lay_out(self, move: Move) -> None:
        """Lay out the melds of a move, in addition to those laid out already."""
        if self.hand is None:
            return
        plays = plays_of(move)
        # Melds that the same move begins have numbers, too: with one meld on the table, `meld 7h 7d
        # 7s + 7c to 2` adds to the new one.
        count = len(self.hand.staging.melds) + sum(play.onto is None for play in plays)
        missing = [play.onto for play in plays if play.onto is not None and play.onto >= count]
        if missing:
            self.say(_("There is no meld {number} on your side.").format(number=missing[0] + 1))
        elif isinstance(move, TakePile) and not move.plays:
            self.take()
        elif not isinstance(move, TakePile | TakeTop) or self._hand_to_draw():
            self._stage(lambda staging: staging.with_move(move))

    def undo(self) -> None:
        """Take back what was laid out last; its cards are selected again."""
        self.notice = None
        if self.hand:
            laid = self.hand.staging.slots
            self.hand = self.hand.laid_out(self.hand.staging.undone())
            back = laid - self.hand.staging.slots
            cards = tuple(shown for shown in self.hand.cards if shown.slot in back)
            self.hand = self.hand.with_selected(cards)

    def undo_all(self) -> None:
        """Take back all that is laid out."""
        while self.hand and self.hand.staging.move:
            self.undo()

    def _stage(self, lay: Callable[[Staging], Staging]) -> None:
        if self.hand is None:
            return
        self.notice = None
        try:
            staging = lay(self.hand.staging)
        except IllegalMove as error:
            self.notice = Notice.refusing(error)
        except AmbiguousMeld as error:
            numbers = ", ".join(str(number + 1) for number in error.numbers)
            self.say(_("Which meld? Press its number: {numbers}.").format(numbers=numbers))
        else:
            self.hand = self.hand.laid_out(staging)
            if refusal := staging.refusal:
                self.notice = Notice.refusing(refusal)

    # -- moves

    def send_staged(self) -> None:
        """Send what is laid out."""
        if self.hand and self.hand.staging.move:
            self._submit(self.hand.staging.move)
        elif self.notice is None or self.notice.clause is None:  # a refusal remains on the screen
            self.say(_("Nothing is laid out. Select cards, and meld them."))

    def make(self, move: Move) -> None:
        """Do what the move says; melds are laid out, not sent."""
        match move:
            case TakePile() | TakeTop() | LayMelds():
                self.lay_out(move)
            case Discard(card):
                self.discard(card)
            case _:
                self._submit(move)

    def discard(self, card: Shown | None = None) -> None:
        """Discard `card`, or else the selected card. Melds that are laid out are sent first.

        If no card is given or selected, discard the card under the cursor. Then the person is asked
        first, unless it is the last card of the hand.
        """
        if self.hand is None:
            return
        doubt = ""
        if card is None:
            card = self.hand.discard_target
            if card is None:
                self.say(_("Select the one card to discard."))
                return
            if not self.hand.chosen and len(self.hand.cards) > 1:
                doubt = _("Discard the {card}, which is not selected?").format(
                    card=card_face(card.card)
                )
        staged = self.hand.staging.move
        self._submit(*((staged,) if staged else ()), Discard(card), doubt=doubt)

    def cut(self) -> None:
        """Cut the deck in the middle."""
        if self.hand:
            self._submit(Cut(len(self.hand.view.stock) // 2))

    # -- what is done about a player who stays away

    @property
    def ways_on(self) -> tuple[WayOn, ...]:
        """The ways to go on without the player who is missing."""
        return ways_on(self.snapshot)

    def confirms(self, question: str, about: str) -> bool:
        """Return True if the question on the screen has the same `about`; if not, ask."""
        if self.notice is self._question and self._asked_about == about:
            return True
        self._asked_about = about
        self.notice = self._question = Notice(question)
        return False

    # -- notices and sending

    def say(self, text: str) -> None:
        """Show a sentence that cites no clause of the rules."""
        self.notice = Notice(text)

    def _submit(self, *moves: Move, doubt: str = "") -> None:
        """Send the moves if they are legal; first ask once if there is a warning or a `doubt`."""
        # Compared by identity: a later notice may have the same text, and is another question.
        asked = self.notice is self._question
        self.notice = None
        hand = self.moving_hand
        if hand is None:
            self.say_waiting()
            return
        warnings = []
        views = [hand.view]
        taught = self.snapshot.lesson is not None
        try:
            for move in moves:  # each move is judged in the position after the moves before it
                hinted = self.hinted is not None and is_alike(move, self.hinted)
                warnings.append(None if taught or hinted else warning(views[-1], move, self.hints))
                views.append(views[-1].apply(move))
        except IllegalMove as error:
            self.notice = Notice.refusing(error)
            return
        # The first press shows the question. A second press sends the moves, if they are the same
        # and the question is still shown.
        text = next(filter(None, warnings), None) or doubt
        if text and not (asked and self._warned == moves):
            self._warned = moves
            self.notice = self._question = Notice(text + " " + _("Once more to confirm."))
            return
        # `views` has one position more than there are moves; `map` leaves it out.
        self._dispatch(*map(as_listed, views, moves))

    def _dispatch(self, *moves: Move) -> None:
        self._sent_at = self.head
        self._warned = None
        self.send(*moves)

    def _hand_to_draw(self) -> Hand | None:
        """Return the hand if the person is to draw or take the pile now; otherwise show why not."""
        hand = self.moving_hand
        if hand is None:
            self.say_waiting()
        elif hand.view.turn.step is not Step.DRAW:
            self.say(_("It is the moment to {0}.").format(_(hand.view.turn.step.value)))
            return None
        return hand

    def say_waiting(self) -> None:
        """Show why the person can do nothing now, for example that another player is next."""
        self.notice = self._waiting = Notice(waiting_sentence(self.snapshot))
