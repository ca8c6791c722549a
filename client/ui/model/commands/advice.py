"""Advice for a player: hints during the match, and after it a review of their own game.

A hint is laid out on the table, and played if the player asks for a hint again. The search for a
hint runs in the background; its result is dropped if the table has moved on in the meantime.
"""

from functools import partial

from client.i18n.language import _
from client.session.display.pile_events import PileEvents
from client.ui.model.command_words import line_of, shown
from client.ui.model.commands.conditions import are_hints_off
from client.ui.model.controls import Controls
from client.ui.model.hint import Hint
from client.ui.model.pages import Page
from engine.moves import Discard, is_alike, plays_of
from engine.position import Position


def ask_hint(controls: Controls) -> None:
    """Lay out the move that the strongest level would make, and say why.

    If that move is laid out already, play it.
    """
    hand = controls.moving_hand
    if hand is None:
        controls.say_waiting()
        return
    lesson = controls.snapshot.lesson
    if are_hints_off(controls):
        controls.say(_("There are no hints: the settings say so."))
        return
    if is_hint_ready(controls):
        _play(controls)
        return
    if lesson is not None and lesson.move is not None:
        line = line_of(hand.view, lesson.move)
        why = _("The lesson asks for it.")
        _tell_hint(controls, controls.head, Hint(lesson.move, line, why))
        return
    controls.say(_("One moment…"))
    names = controls.snapshot.seat_names
    find = partial(_found, hand.view, controls.snapshot.events, names)
    controls.think(find, partial(_tell_hint, controls, controls.head))


def is_hint_ready(controls: Controls) -> bool:
    """Return True if the move of the last hint is laid out or selected, ready to be played."""
    hand, hinted = controls.hand, controls.hinted
    if hinted is None:
        return False
    assert hand is not None, "a hint is for a hand"
    staged = hand.staging.move
    if isinstance(hinted, Discard):
        codes = [card.card.code for card in hand.chosen]
        return staged is None and codes == [hinted.card.card.code]
    if plays_of(hinted):
        return staged is not None and is_alike(staged, hinted)
    return staged is None


def _play(controls: Controls) -> None:
    if controls.stages:
        controls.send_staged()
    elif controls.hinted is not None:
        controls.make(controls.hinted)


def _found(view: Position, events: PileEvents, names: tuple[str, ...]) -> Hint:
    # A lazy import: it loads all bots (0.8 MB), and few players ask for a hint.
    from client.ui.model.hint_reasons import hint  # noqa: PLC0415

    return hint(view, events, names)


def _tell_hint(controls: Controls, head: bytes, found: Hint) -> None:
    """Lay out the hint and show its reason, unless the table has moved on from `head`."""
    if head != controls.head:
        return
    assert controls.hand is not None, "no entry has come since"
    controls.undo_all()
    controls.unselect()
    controls.hinted = found.move
    if isinstance(found.move, Discard):
        controls.hand = controls.hand.with_selected((found.move.card,))
    elif plays_of(found.move):
        controls.lay_out(found.move)
    text = _("Hint: {line}. {why}").format(line=shown(found.line), why=found.reason)
    if found.second:
        text += " " + _("Next best: {line}.").format(line=shown(found.second))
    controls.say(text)


# -- the review of one's own game


def may_review(controls: Controls) -> bool:
    """Return True when the match is over, and this person played in it."""
    return controls.own_review is not None and controls.over


def open_review(controls: Controls, _text: str = "") -> None:
    """Open the page of the review; the first time, begin the review in the background."""
    review = controls.own_review
    if review is not None and controls.over and not review.begun:
        review.begun = True
        review.progress = _("Your decisions are being judged; that takes some seconds.")
        controls.think(review.judge, lambda _done: controls.open_page(Page.REVIEW))
        if review.found is not None:  # `think` did not run in the background: the page is open
            return
    controls.open_page(Page.REVIEW)
