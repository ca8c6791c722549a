"""The keys that do something at the moment, for the line at the bottom of the table."""

from attrs import frozen

from client.language import _, later
from client.table.conditions import melds_are_staged
from client.table.window import TableWindow
from engine.position import Step


@frozen
class KeyHint:
    """A key that does something now, and what."""

    key: str
    label: str


_HINTS: tuple[tuple[str, str, tuple[Step, ...]], ...] = (
    ("c", later("cut"), (Step.CUT,)),
    ("d", later("draw"), (Step.DRAW,)),
    ("t", later("take the pile"), (Step.DRAW,)),
    ("y", later("yes"), (Step.ANSWER,)),
    ("n", later("no"), (Step.ANSWER,)),
    ("m", later("meld"), (Step.DRAW, Step.PLAY)),
    ("x", later("discard"), (Step.OPEN, Step.PLAY)),
    ("g", later("ask"), (Step.PLAY,)),
)


def key_hints(window: TableWindow) -> tuple[KeyHint, ...]:
    """The keys for the line at the bottom: those of the moment, then those that always work."""
    hints = [KeyHint(key, _(label)) for key, label, steps in _HINTS if window.controls.may(*steps)]
    if melds_are_staged(window)():
        hints += [KeyHint("Enter", _("send")), KeyHint("u", _("undo"))]
    choices = window.controls.remedies
    if any(remedy.proposed for remedy in choices):
        hints.append(KeyHint("a", _("agree")))
    if choices:
        hints.append(KeyHint("w", _("what can be done")))
    hints += [KeyHint("s", _("sort"))]
    if window.clause:
        hints.append(KeyHint("F1", _("rule")))
    hints += [KeyHint("?", _("keys")), KeyHint(":", _("command"))]
    return tuple(hints)
