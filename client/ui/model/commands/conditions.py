"""Conditions for commands: that they exist at a table, and that the footer offers them."""

from collections.abc import Callable

from client.session.display.snapshot import AfterMatch
from client.ui.model.controls import Controls
from client.ui.model.hint import Hints
from engine.moves import Answer, Ask, LayMelds, Move
from engine.position import Position
from engine.turn import Step

When = Callable[[Controls], bool]


def never(_controls: Controls) -> bool:
    """Return False, for a command that never stands in the footer."""
    return False


def always(_controls: Controls) -> bool:
    """Return True, for a command that can always be used."""
    return True


def at(*steps: Step) -> When:
    """Return the condition that the person is to move, at one of these steps of the turn."""
    return lambda controls: controls.may(*steps)


def has(kind: type[Move]) -> When:
    """Return the condition that the game has that kind of move.

    The question "May I go out?" and its answer exist only if there are partners.
    """

    def there(controls: Controls) -> bool:
        match = controls.snapshot.state.match
        for_partners = kind in (Ask, Answer)
        alone = match.game.sides(match.players) == match.players
        return kind not in match.game.position.lacking and not (for_partners and alone)

    return there


def takes_bare(controls: Controls) -> bool:
    """Return True if players of this game take the pile without melding, and meld afterwards."""
    return controls.snapshot.state.match.game.position.takes_pile_bare


def has_two_ends(controls: Controls) -> bool:
    """Return True if players of this game choose at which end cards are added to a meld."""
    return controls.snapshot.state.match.game.position.melds_have_two_ends


def allowed(move: Move) -> When:
    """Return the condition that the rules allow the move now.

    For example, nobody draws without a stock (C87), and a player who must take the pile does not
    pass (C88).
    """
    return lambda controls: (hand := controls.moving_hand) is not None and hand.view.allows(move)


def may_take(controls: Controls) -> bool:
    """Return True if the person may take the pile now, provided they have the cards for it."""
    hand = controls.hand_at(Step.DRAW)
    return hand is not None and hand.pile_is_offered


def may_ask(controls: Controls) -> bool:
    """Return True if the person may ask their partner, and could go out now after a "yes"."""
    hand = controls.hand_at(Step.PLAY)
    return hand is not None and hand.view.may_ask and _can_go_out(hand.view)


def _can_go_out(view: Position) -> bool:
    """Return True if the player to move can go out in this turn.

    They must be able to lay all cards of their hand, or all but one, which they discard. Then their
    side must fulfil the conditions for going out. The search is greedy: it always makes the move
    that lays the most cards. So it can miss a way to go out.
    """
    seat, side = view.turn.seat, view.side
    position = view
    while len(position.hands[seat]) > 1:
        layings = [move for move in position.legal_moves(seat) if isinstance(move, LayMelds)]
        if not layings:
            return False
        most = max(layings, key=lambda move: sum(len(play.cards) for play in move.plays))
        position = position.apply(most)
        if position.closer == seat:
            return True
    return position.may_go_out(side) and not position.gets_more(seat)


def may_be_advised(controls: Controls) -> bool:
    """Return True if the person can ask for a hint.

    They must be to move, want hints, and have nothing laid out but a hint.
    """
    if are_hints_off(controls):
        return False
    return controls.may_move and (not controls.stages or controls.hinted is not None)


def are_hints_off(controls: Controls) -> bool:
    """Return True if the person wants no hints; a lesson gives them all the same."""
    return controls.hints is Hints.NEVER and controls.snapshot.lesson is None


def has_legend(controls: Controls) -> bool:
    """Return True if the game has special cards to explain."""
    return bool(controls.snapshot.state.match.game.legend)


def cited(controls: Controls) -> str:
    """Return the clause of the notice or, in a lesson, the clause of the step; "" for none."""
    if controls.notice is not None and controls.notice.clause is not None:
        return controls.notice.clause
    lesson = controls.snapshot.lesson
    return lesson.clause if lesson is not None else ""


def after(choice: AfterMatch) -> When:
    """Return the condition that the match is over and `choice` can follow it."""
    return lambda controls: controls.may_choose(choice)
