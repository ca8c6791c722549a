"""Words for the pile, melds, openings and turns of a table."""

from collections.abc import Mapping

from client.i18n.language import _, _n, qualified
from client.session.display.snapshot import Snapshot
from client.ui.model.table_view import MeldView, PileView, TableView
from engine.position_facts import Opening, PileState
from engine.sentences import N_
from engine.turn import Step


def pile_state(pile: PileView) -> str:
    """Return a word or two on whether the pile may be taken."""
    match pile.state:
        case PileState.FROZEN:
            return _("frozen")
        case PileState.UNOPENED:
            watched = _("frozen for a side that has not opened")
            return watched if pile.watched else _("frozen until you open")
        case PileState.BLOCKED if pile.until:
            return _("blocked until {name} plays").format(name=pile.until)
        case PileState.BLOCKED:
            return _("blocked until you play")
        case _:
            return _("free")


def mark_word(meld: MeldView) -> str:
    """Return the game's own word for the class of the meld, such as "clean"."""
    return qualified(meld.kind)


def opening_wanted(opening: Opening) -> str:
    """Return what a side needs for its first melds."""
    if opening.need is None:
        return _("opens with a canasta")
    return _("opens with {points}").format(points=opening.need)


def opening_selected(opening: Opening) -> str:
    """Return how near the selected cards come to an opening: "Selected: 30 of 50: 20 short."."""
    reached = opening_reached(opening)
    if opening.need is None or opening.points >= opening.need:
        return _("Selected: {reached}.").format(reached=reached)
    short = opening.need - opening.points
    return _("Selected: {reached}: {points} short.").format(reached=reached, points=short)


def opening_reached(opening: Opening) -> str:
    """Return how near the staged melds come to an opening: "65 of 90, 1 wild card at most"."""
    if opening.need is None:
        text = _("{points} points; a canasta is needed").format(points=opening.points)
    else:
        text = _("{points} of {need}").format(points=opening.points, need=opening.need)
    if opening.most_wilds is None:
        return text
    most = _n("{n} wild card at most", "{n} wild cards at most", opening.most_wilds)
    return f"{text}, {most}"


def status_sentence(view: TableView) -> str:
    """Return a sentence on what the table waits for."""
    if view.closing:
        return view.closing
    if view.mover_gone:
        return _("The table waits for {name}.").format(name=view.mover)
    if view.my_move and view.step is Step.DRAW:
        return _beginning(view)
    if view.my_move and view.answer is not None:
        return _(_ANSWERED[view.answer])
    if view.may_pass:
        return _("Your turn: your last card cannot be discarded, go no further.")
    sentences = _YOURS if view.my_move else _WAITING
    return _(sentences.get(view.step, _NEXT)).format(name=view.mover)


def _beginning(view: TableView) -> str:
    """Return what one can do at the beginning of one's turn: draw, take the pile or pass."""
    assert view.pile is not None
    offered = view.pile.offered
    if view.may_draw:
        return _("Your turn: draw, or take the pile.") if offered else _("Your turn: draw a card.")
    if not offered:
        return _("Your turn: nothing is left to draw, go no further.")
    if view.may_pass:
        return _("Your turn: take the pile, or go no further.")
    return _("Your turn: you must take the pile.")


def pause_sentence(view: TableView, number: int, *, last: bool = False, signed: bool) -> str:
    """Return a sentence for the pause after a round, in which a person looks at the last layout.

    After the `last` round the sentence says that all sign the end of the match. After any other
    round it says that all sign the round. Once all have `signed` that round, it says whether the
    others wait for this person.
    """
    if last:
        template = _("Round {number} is counted. All sign the end of the match.")
    elif not signed:
        template = _("Round {number} is counted. All sign it.")
    elif view.my_move:
        template = _("Round {number} is counted. The others wait for you.")
    else:
        template = _("Round {number} is counted. Nobody waits for you yet.")
    return template.format(number=number)


_NEXT = N_("{name} is next.")

_ANSWERED: Mapping[bool, str] = {
    True: N_("Your partner says yes: you may go out in this turn."),
    False: N_("Your partner says no: you may not go out in this turn."),
}

_WAITING: Mapping[Step | None, str] = {
    Step.CUT: N_("{name} is to cut the deck."),
    Step.SHOW: N_("{name} is to lay dealt bonus cards."),
    Step.OPEN: N_("{name} is to make the first discard."),
    Step.DRAW: N_("{name} is to draw."),
    Step.PLAY: N_("{name} is playing."),
    Step.ANSWER: N_("{name} was asked: May I go out?"),
}

_YOURS: Mapping[Step | None, str] = {
    Step.CUT: N_("You are to cut the deck."),
    Step.OPEN: N_("Your turn: make the first discard of the round."),
    Step.PLAY: N_("Your turn: meld, or discard a card."),
    Step.ANSWER: N_("Your partner asks: May I go out?"),
}


def waiting_sentence(snapshot: Snapshot) -> str:
    """Return a sentence on why this person can do nothing now."""
    due = snapshot.state.due
    if due is None:
        return _("There is nothing to do now.")
    if snapshot.watching:
        return _("You are only watching.")
    if due.player == snapshot.me:
        return _("One moment: your last move is on its way.")
    name = snapshot.state.charter.name_of(due.player)
    return _("It is not your turn: {name} is next.").format(name=name)
