"""The keys that do something at the moment, for the line at the bottom of the table."""

from collections.abc import Callable

from attrs import frozen

from client.i18n.language import _
from client.session.snapshot import AfterMatch
from client.ui.tui.table.conditions import melds_are_staged
from client.ui.tui.table.overlay import TableWindow
from engine.sentences import N_
from engine.turn import Step

When = Callable[[TableWindow], bool]


@frozen
class KeyHint:
    """A key that does something now, and what."""

    key: str
    label: str


def _may(*steps: Step) -> When:
    return lambda window: window.controls.may(*steps)


def _may_draw(window: TableWindow) -> bool:
    view = window.view
    return window.controls.may(Step.DRAW) and view is not None and view.stock > 0


def _may_pass(window: TableWindow) -> bool:
    view = window.view
    return window.controls.may(Step.DRAW) and view is not None and not view.stock


def _may_take(window: TableWindow) -> bool:
    view = window.view
    offered = view is not None and view.pile is not None and view.pile.offered
    return window.controls.may(Step.DRAW) and offered


def _may_ask(window: TableWindow) -> bool:
    hand = window.controls.hand
    asks = hand is not None and hand.view.may_ask
    return window.controls.may(Step.PLAY) and asks


def _may_be_advised(window: TableWindow) -> bool:
    return window.controls.may_move and not melds_are_staged(window)()


_HINTS: tuple[tuple[str, str, When], ...] = (
    ("c", N_("cut"), _may(Step.CUT)),
    ("d", N_("draw"), _may_draw),
    ("t", N_("take the pile"), _may_take),
    ("p", N_("go no further"), _may_pass),
    ("y", N_("yes"), _may(Step.ANSWER)),
    ("n", N_("no"), _may(Step.ANSWER)),
    ("m", N_("meld"), _may(Step.PLAY)),
    ("x", N_("discard"), _may(Step.OPEN, Step.PLAY)),
    ("g", N_("ask"), _may_ask),
    ("h", N_("hint"), _may_be_advised),
)


_AFTER_MATCH = (
    ("a", N_("rematch"), AfterMatch.AGAIN),
    ("n", N_("rematch, seats changed"), AfterMatch.OTHER_SEATS),
    ("q", N_("leave"), AfterMatch.LEAVE),
)


def key_hints(window: TableWindow) -> tuple[KeyHint, ...]:
    """The keys for the line at the bottom: those of the moment, then those that always work."""
    hints = [KeyHint(key, _(label)) for key, label, when in _HINTS if when(window)]
    if melds_are_staged(window)():
        hints += [KeyHint("Enter", _("send")), KeyHint("u", _("undo"))]
    hints += [
        KeyHint(key, _(label)) for key, label, choice in _AFTER_MATCH if window.may_choose(choice)
    ]
    choices = window.controls.absence_options
    if any(option.proposed for option in choices):
        hints.append(KeyHint("a", _("agree")))
    if choices:
        hints.append(KeyHint("w", _("what can be done")))
    hints += [KeyHint("s", _("sort"))]
    if window.clause:
        hints.append(KeyHint("F1", _("rule")))
    hints += [KeyHint("?", _("keys")), KeyHint(":", _("command"))]
    return tuple(hints)
