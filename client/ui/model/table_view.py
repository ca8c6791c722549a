"""The table as one person sees it: plain values, made of the state and of the person's hand.

Nothing here knows of screens, keys or colours; the linear mode reads the same values.
"""

from collections.abc import Sequence
from typing import TypeVar

from attrs import evolve, frozen

from client.i18n.language import _
from client.i18n.sentences import said
from client.reports.score_sheet import side_members, side_names
from client.session.display.snapshot import CountedRound, LogLine, Snapshot
from client.ui.model.hand import Hand, Notice, Sorting
from client.ui.model.lesson_words import LessonView, lesson_view
from client.ui.model.staging import Staging
from client.ui.text.absence import awaited_sentence
from client.ui.text.events import NodeActivity, node_activity
from engine.cards import Card, Rank
from engine.melds import Meld
from engine.moves import DrawStock, Pass
from engine.position import Position
from engine.position_facts import MeldClass, Opening, PileState, Taking
from engine.score_sheet import ScoreSheet
from engine.sentences import Marked
from engine.slots import Seat, Side, Slot, cards_of
from engine.turn import Step

T = TypeVar("T")


@frozen
class SeatView:
    """A player at the table."""

    name: str
    cards: int
    """The number of cards in their hand."""
    turn: bool
    partner: bool
    dealer: bool


@frozen
class MeldView:
    """A meld on the table, or one that is laid out."""

    number: int
    rank: Rank | None
    """None for a sequence."""
    cards: tuple[Card, ...]
    """The cards in the order in which they lie."""
    mark: MeldClass | None
    """The class of a complete meld; None while the meld is not complete."""
    kind: Marked
    """The game's word for the meld (`RoundState.words_of`)."""
    staged: bool
    """True if the meld, or an addition to it, is laid out but not sent."""
    wanted: int
    """The number of cards that make a meld complete."""
    points: int = 0


@frozen
class SideView:
    """The cards before a side, with its players and points."""

    names: tuple[str, ...]
    mine: bool
    total: int
    """The side's points in the match so far."""
    melds: tuple[MeldView, ...]
    bonus: tuple[Card, ...]
    opening: Opening | None
    """The conditions for the side's first melds; None when the side has opened."""


@frozen
class PileView:
    """The discard pile."""

    count: int
    top: Card | None
    seen: tuple[Card, ...]
    """The cards below the top that may be looked at."""
    state: PileState
    until: str | None
    """The name of the player whose turn unblocks the pile; None for oneself, or if unknown."""
    offered: bool
    """True if the person may take the pile, provided that they have the cards for it."""
    watched: bool = False
    """True for a spectator, who has no hand."""


@frozen
class HandCard:
    """A card in one's own hand."""

    slot: Slot
    card: Card
    selected: bool
    cursor: bool
    fresh: bool


@frozen
class TableView:
    """All that the table shows to one person."""

    game: str
    round_number: int
    rounds: int
    """The number of rounds after which the match ends; 0 where points end it."""
    target: int
    """The points that end the match; 0 where a number of rounds does."""
    me: str
    own: SeatView | None = None
    others: tuple[SeatView, ...] = ()
    """The other seats, clockwise from one's left."""
    sides: tuple[SideView, ...] = ()
    stock: int = 0
    aside: str = ""
    """The number of hands that lie beside the stock, as a text; "" for none."""
    pile: PileView | None = None
    hand: tuple[HandCard, ...] = ()
    staged: Opening | None = None
    """The opening laid out so far; None if nothing is laid out, or if the side has opened."""
    reach: Opening | None = None
    """The opening with the selected cards added; None if no card is selected."""
    answer: bool | None = None
    """The partner's answer to "May I go out?"; None if it was not asked in this turn."""
    staging: bool = False
    sendable: bool = False
    """True if what is laid out may be sent."""
    my_move: bool = False
    step: Step | None = None
    """The step of the turn; None while nobody is to move."""
    may_draw: bool = False
    may_pass: bool = False
    mover: str = ""
    mover_gone: bool = False
    """True if the mover has left, or their machine cannot be reached."""
    doing: NodeActivity | None = None
    log: tuple[LogLine, ...] = ()
    notice: Notice | None = None
    awaited: str = ""
    """A sentence about the player for whom the others wait; "" for none."""
    closing: str = ""
    """A sentence about how the table has ended; "" while it goes on."""
    spectators: int = 0
    """The number of people who watch."""
    lesson: LessonView | None = None
    """The learner's current step in a lesson."""


def table_view(
    snapshot: Snapshot, hand: Hand | None, notice: Notice | None = None, *, may_move: bool = False
) -> TableView:
    """Return the table of `snapshot` with the person's own hand as they have laid it out."""
    state = snapshot.state
    match = state.match
    due = state.due
    view = TableView(
        game=match.game.title,
        # After the match there is no round in progress, so the last one is named.
        round_number=match.round_number or len(match.sheets),
        rounds=match.options.rounds,
        target=0 if match.options.rounds else match.options.match_target or 0,
        me=snapshot.names[snapshot.me],
        my_move=may_move,
        mover="" if due is None else state.charter.name_of(due.player),
        mover_gone=(gone := _is_mover_gone(snapshot)),
        doing=None if gone else node_activity(state),
        log=snapshot.log,
        notice=notice,
        awaited=_awaited(snapshot),
        closing=_closing_sentence(snapshot),
        spectators=len(snapshot.spectators),
        lesson=lesson_view(snapshot),
    )
    if hand is None:
        return view
    position, seat = hand.view, hand.seat
    # All seats from the left on; the last one is the person's own.
    aside = position.aside_text if position.set_aside else None
    clockwise = list(position.clockwise(position.left_of(seat)))[:-1]
    return evolve(
        view,
        own=evolve(_seat_view(snapshot, position, seat, seat), partner=False),
        others=tuple(_seat_view(snapshot, position, other, seat) for other in clockwise),
        sides=_sides(snapshot, hand),
        stock=len(position.stock),
        aside="" if aside is None else said(aside),
        pile=_pile(snapshot, hand),
        hand=() if snapshot.watching else _hand(hand),
        staged=hand.staging.opening if hand.staging.plays else None,
        staging=hand.staging.move is not None,
        sendable=may_move and hand.staging.refusal is None,
        reach=hand.reach if hand.chosen else None,
        answer=position.turn.answer,
        step=None if position.to_move is None else position.turn.step,
        may_draw=may_move and position.allows(DrawStock()),
        may_pass=may_move and position.allows(Pass()),
    )


def _is_mover_gone(snapshot: Snapshot) -> bool:
    """Return True if the player for whom the table waits is known to be away."""
    absence = snapshot.absence
    if absence is None or absence.awaited in (None, snapshot.me):
        return False
    return absence.left or not absence.linked


def last_layout(snapshot: Snapshot) -> TableView:
    """Return the table as it was when the last counted round ended, with the points after it."""
    counted = snapshot.last_counted
    assert counted is not None, "a round was counted"
    position = counted.position
    hand = Hand.before(position, snapshot.state.match.seat_of(snapshot.me), Sorting.RANK)
    view = table_view(evolve(snapshot, view=position), hand)
    sides = tuple(
        evolve(side, total=total, opening=None)
        for side, total in zip(view.sides, own_first(snapshot, counted.totals), strict=True)
    )
    return evolve(
        view, round_number=counted.number, sides=sides, doing=None, awaited="", mover_gone=False
    )


def log_of_round(log: tuple[LogLine, ...], later: int) -> tuple[LogLine, ...]:
    """Return the log without the newest `later` rounds, but with what people said during them."""
    headings = [place for place, line in enumerate(log) if line.heading]
    if not later or len(headings) < later:
        return log
    end = headings[-later]
    return (*log[:end], *(line for line in log[end:] if line.aside))


def own_first(snapshot: Snapshot, by_side: Sequence[T]) -> tuple[T, ...]:
    """Return the sides' values in the order of the screen: the own side first, then clockwise."""
    mine = snapshot.state.match.seat_of(snapshot.me) % len(by_side)
    return (*by_side[mine:], *by_side[:mine])


def own_sheet(
    snapshot: Snapshot, counted: CountedRound
) -> tuple[ScoreSheet, tuple[int, ...], tuple[str, ...]]:
    """Return a score sheet, the match points after it, and the sides' names, the own side first."""
    sheet = evolve(counted.sheet, sides=own_first(snapshot, counted.sheet.sides))
    names = side_names(snapshot.state.match, snapshot.names)
    return sheet, own_first(snapshot, counted.totals), own_first(snapshot, names)


def _awaited(snapshot: Snapshot) -> str:
    if snapshot.trouble is not None:
        return said(snapshot.trouble)
    if (absence := snapshot.absence) is None:
        return ""
    return awaited_sentence(absence, snapshot.names, snapshot.me, snapshot.exposed)


def _closing_sentence(snapshot: Snapshot) -> str:
    """Return a sentence on how the table has ended for this seat; "" while it goes on."""
    if snapshot.left_out:
        return _("You were away for too long: the others have gone on without you.")
    if snapshot.given_up:
        return _("You have given up this match.")
    if snapshot.state.ended:
        return _("The match ended before its time: all who were there have agreed.")
    return _("The end.") if snapshot.state.due is None else ""


def _name_at(snapshot: Snapshot, seat: Seat) -> str:
    return snapshot.names[snapshot.state.match.player_at(seat)]


def _seat_view(snapshot: Snapshot, position: Position, seat: Seat, me: Seat) -> SeatView:
    return SeatView(
        name=_name_at(snapshot, seat),
        cards=len(position.hands[seat]),
        turn=position.to_move == seat,
        partner=position.side_of(seat) == position.side_of(me) and not snapshot.watching,
        dealer=position.dealer == seat,
    )


def _sides(snapshot: Snapshot, hand: Hand) -> tuple[SideView, ...]:
    """Return the sides, the person's own first."""
    position = hand.view
    names = side_members(snapshot.state.match, snapshot.names)
    mine = hand.staging.side
    order = own_first(snapshot, [Side(side) for side in range(position.sides)])
    return tuple(
        SideView(
            names=names[side],
            mine=side == mine,
            total=position.totals[side],
            melds=_own_melds(hand.staging)
            if side == mine
            else tuple(
                _meld(position, number, meld)
                for number, meld in enumerate(position.laid[side].melds, 1)
            ),
            bonus=cards_of(position.laid[side].bonus),
            opening=position.opening(side),
        )
        for side in order
    )


def _own_melds(staging: Staging) -> tuple[MeldView, ...]:
    there = len(staging.view.laid[staging.side].melds)
    # New melds come after those on the table, so their numbers are `there` or higher.
    touched = {play.onto for play in staging.plays}
    return tuple(
        _meld(staging.view, number + 1, meld, staged=number >= there or number in touched)
        for number, meld in enumerate(staging.melds)
    )


def _meld(position: Position, number: int, meld: Meld, *, staged: bool = False) -> MeldView:
    cards = cards_of(position.in_order(meld))
    return MeldView(
        number=number,
        rank=meld.rank,
        cards=cards,
        mark=position.meld_class(meld),
        kind=position.words_of(meld).word,
        staged=staged,
        wanted=position.complete_size,
        points=sum(position.card_points(card) for card in cards),
    )


def _pile(snapshot: Snapshot, hand: Hand) -> PileView:
    position, taken, me = hand.view, hand.staging.taking, hand.seat
    side = hand.staging.side
    status = position.pile_status(side)
    # Cards that the person has taken, but not sent yet, are shown as taken.
    pile = () if taken is Taking.PILE else position.pile
    pile = pile[:-1] if taken is Taking.TOP else pile
    seen = position.pile_seen if taken is Taking.NOTHING else ()
    return PileView(
        count=len(pile),
        top=pile[-1].card if pile else None,
        seen=cards_of(seen),
        state=status.state,
        until=_until(snapshot, status.until, me),
        offered=hand.pile_is_offered,
        watched=snapshot.watching,
    )


def _until(snapshot: Snapshot, seat: Seat | None, me: Seat) -> str | None:
    """Return the name of the player whose turn unblocks the pile, as in `PileView.until`."""
    if seat is None or (seat == me and not snapshot.watching):
        return None
    return _name_at(snapshot, seat)


def _hand(hand: Hand) -> tuple[HandCard, ...]:
    here = hand.under_cursor
    return tuple(
        HandCard(
            slot=shown.slot,
            card=shown.card,
            selected=shown.slot in hand.selected,
            cursor=shown == here,
            fresh=shown.slot in hand.fresh,
        )
        for shown in hand.cards
    )
