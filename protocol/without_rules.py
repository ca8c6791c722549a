"""The judgement of an entry by somebody who does not know the rules (`spec/audit.md`, 7 to 12).

If an entry passes here and is refused all the same, its writer is not exposed as a cheat: only the
rules of play speak against the entry.
"""

from collections.abc import Iterable
from itertools import chain, takewhile

from engine.orders import Deal, Shuffle
from engine.slots import Slot
from protocol.entries import (
    Body,
    CloseContent,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.state import Due, State


def passes_without_rules(state: State, body: Body) -> bool:
    """Return True if only the rules of play can forbid this entry here. Proofs are not checked."""
    if state.undecided is not None:
        # After a continuation that can mean two things, the next entry tells which (audit.md, 13):
        # a shuffle deals the round again, an opening or a closing goes on with the hands.
        if isinstance(body.content, ShuffleContent):
            return _begins_anew(state, body.writer, body.content)
        if not isinstance(body.content, OpenContent | CloseContent):
            return False
        state = state.undecided
    elif state.due is None or not state.match.seating:  # the draw of seats needs no rules
        return False
    phase, owing = _phase(state)
    match body.content:
        case OpenContent() as content if phase in (None, OpenContent.kind):
            return _is_hand(state, body.writer, content) and not _hidden_before(
                state, owing, body.writer
            )
        case CloseContent() as content if phase in (None, OpenContent.kind):
            begins = body.writer == state.closers[0]
            return begins and not _hidden_before(state, owing) and _is_count(state, content)
        case CloseContent() as content if owing == state.closers and phase == CloseContent.kind:
            return body.writer == owing[0] and _is_count(state, content)
        # While entries of a known kind are owed, no other kind can be written.
        case _ if phase is not None:
            return False
        case MoveContent():
            return True
        case ShuffleContent() as content:
            dealer = state.match.player_at(state.match.dealer)
            return body.writer == dealer and _is_rebuilt(state, content)
        case UnlockContent(gives=gives):
            return bool(gives) and _begins(state, body.writer, gives[0]) and _is_new(state, gives)
        case _:
            return False


def is_known_due(state: State) -> bool:
    """Return True if the writer of the next entry is known even without the rules."""
    if not state.match.seating:
        return True
    if state.undecided is not None:
        # Only the rules tell if a hand is to be opened, or the round to be shuffled anew.
        return False
    phase, owing = _phase(state)
    opens = phase == OpenContent.kind
    # An opening may pass over a player without hidden cards, so that player is not known to be due.
    return phase is not None and (not opens or bool(_hidden(state, owing[0])))


def openers(state: State) -> tuple[int, ...] | None:
    """Return the players who may have a hand to open next; None if no hand is opened next."""
    if not state.match.seating:
        return None
    if _turns_up(state):
        return _from_dealers_left(state)
    phase, owing = _phase(state)
    return owing if phase in (None, OpenContent.kind) else None


def is_undecided(state: State) -> bool:
    """Return True if only the rules tell what a continuation does with the round at this point.

    With the option `void_interrupted` the round is dealt again, unless it is over: then hands are
    opened. And only the rules tell if it is over.
    """
    match = state.match
    if not match.seating or match.round is None or not match.options.void_interrupted:
        return False
    return (_phase(state)[0] is None or _turns_up(state)) and match.round.has_hands


def _begins_anew(state: State, writer: int, content: ShuffleContent) -> bool:
    """Return True if that shuffle can be the first one of the round, dealt again."""
    continues, cards = state.charter.continues, state.match.deck
    assert continues is not None, "only a continuation leaves a round undecided"
    whole = (content.first, content.cards) == (0, tuple(range(len(cards))))
    return not continues.ends and whole and writer == state.match.player_at(state.match.dealer)


def _phase(state: State) -> tuple[str | None, tuple[int, ...]]:
    """Return the kind of the entries that are known to be due, and the players who owe one.

    The kind is None if it is not known: then any player may move, and the players returned are
    those who may have a hand to open.
    """
    due, last = state.due, state.last
    if due is not None and _is_known(state, due):
        return due.kind, state.writers
    owing = _from_dealers_left(state) if state.openers is None else state.openers
    if last is not None and isinstance(last.content, OpenContent):
        # Whoever sits before the last writer has opened, or had no hidden cards.
        owing = owing[owing.index(last.writer) + 1 :]
    elif state.openers is None:
        return None, owing
    return (OpenContent.kind, owing) if owing else (CloseContent.kind, state.writers)


def _is_known(state: State, due: Due) -> bool:
    """Return True if it is known without the rules that this is due.

    Return False for the opening of a hand: `_phase` judges that.
    """
    if isinstance(due.order, Shuffle):
        # The shuffle of a round, whose first slot is 0, comes by itself. A shuffle within a round
        # is known once somebody has written one.
        return due.order.first == 0 or bool(state.cards.last.keys)
    if isinstance(due.order, Deal):
        return _is_under_way(state, due.order)
    return due.kind == CloseContent.kind and len(state.writers) < len(state.closers)


def _turns_up(state: State) -> bool:
    """Return True if an unlocking that turns cards up has begun, after hands were dealt.

    The cards may be hands set aside, which are turned up because the round is over. So if a
    continuation interrupts the unlocking, players may have to open their hands next.
    """
    assert state.match.round is not None
    match state.due:
        case Due(order=Deal(gives) as order) if any(state.match.round.hands):
            return all(give.seat is None for give in gives) and _is_under_way(state, order)
    return False


def _is_under_way(state: State, order: Deal) -> bool:
    """Return True if somebody has written an unlocking for that order."""
    content = None if state.last is None else state.last.content
    return isinstance(content, UnlockContent) and content.gives == state.gives(order)


def _from_dealers_left(state: State) -> tuple[int, ...]:
    dealer, *others = state.clockwise(state.match.dealer)
    return (*others, dealer)


def _hidden(state: State, player: int) -> tuple[Slot, ...]:
    """Return the slots in a player's hand whose cards only they know, in the order they came."""
    assert state.match.round is not None
    hand = state.match.round.hands[state.match.seat_of(player)]
    return tuple(slot for slot in hand if state.cards.face(slot) is None)


def _hidden_before(state: State, owing: Iterable[int], writer: int | None = None) -> bool:
    """Return True if a player has to open a hand before the writer may open theirs.

    `owing` are the players who may have to open a hand, in their order. Return True also if the
    writer is not one of them. If `writer` is None, return True if any of them has to open a hand.
    """
    players = tuple(owing)
    passed = takewhile(lambda player: player != writer, players)
    return (writer is not None and writer not in players) or any(
        _hidden(state, player) for player in passed
    )


def _is_hand(state: State, writer: int, content: OpenContent) -> bool:
    slots = [shown.slot for shown in content.cards]
    dealt = state.cards.points
    if len(set(slots)) < len(slots) or not all(slot in dealt for slot in slots):
        return False
    # All hidden cards of the hand are named, in the order in which they came. Open ones may be
    # named, too.
    hidden = tuple(slot for slot in slots if state.cards.face(slot) is None)
    lying = _lying_open(state)
    return (
        bool(slots)
        and hidden == _hidden(state, writer)
        and all(slot in hidden or slot in lying.values() for slot in slots)
    )


def _is_count(state: State, content: CloseContent) -> bool:
    match = state.match
    sides = match.game.sides(match.players)
    return (content.round_number, len(content.points)) == (match.round_number, sides)


def _is_rebuilt(state: State, content: ShuffleContent) -> bool:
    cards = content.cards
    # The state has begun the deal of a pending shuffle already; its slots do not count yet.
    deals = state.cards.deals
    match state.due:
        case Due(order=Shuffle()):
            deals = deals[:-1]
    comes_next = sum(len(deal.outputs) for deal in deals)
    lying = _lying_open(state)
    unique = 0 < len(cards) == len(set(cards))
    return content.first == comes_next and unique and all(card in lying for card in cards)


def _lying_open(state: State) -> dict[int, Slot]:
    """Return the slot of each card that lies open, and was not shuffled again since."""
    lying: dict[int, Slot] = {}
    for deal in state.cards.deals:
        if not deal.keys:
            break  # it is the last one, and nobody has shuffled its cards yet
        for card in deal.deck.card_numbers:
            # A later deal takes its cards from where they lay: an open slot of card 5 counts no
            # more.
            lying.pop(card, None)
        for slot in map(Slot, range(deal.first, deal.first + len(deal.outputs))):
            card_number = state.cards.face(slot)
            if card_number is not None:
                lying[card_number] = slot
    return lying


def _begins(state: State, writer: int, first: Given) -> bool:
    match = state.match
    if first.player is not None and first.player >= match.players:
        return False
    seat = match.dealer if first.player is None else match.seat_of(first.player)
    # The first to unlock sits at the left of the first receiver, or of the dealer.
    return state.clockwise(seat)[1] == writer


def _is_new(state: State, gives: tuple[Given, ...]) -> bool:
    """Return True if the slots lie in the stock or aside, each once, and the receivers exist."""
    match = state.match
    assert match.round is not None
    # Only the rules know when a hand set aside is taken up.
    hidden = {*match.round.stock, *chain(*match.round.set_aside)}
    slots = [given.slot for given in gives]
    there = all(given.player is None or given.player < match.players for given in gives)
    return there and len(set(slots)) == len(slots) and hidden.issuperset(slots)
