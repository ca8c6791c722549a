"""A step of a lesson in words: its idea, and how to make the move by keys or by a typed line."""

from collections.abc import Iterable, Iterator

from attrs import frozen

from client.i18n.card_letters import card_face
from client.i18n.language import _, capital
from client.i18n.sentences import said
from client.session.display.snapshot import Snapshot
from client.ui.model.command_words import line_of, own_key, spoken
from engine.moves import Discard, Move, Play, plays_of
from engine.position import Position
from engine.slots import Shown

_KEYS = {"draw": "d", "take": "t", "ask": "g", "yes": "y", "no": "n", "pass": "p"}
"""The keys of moves without cards, by the typed line of the move."""


@frozen
class LessonView:
    """A step as it is shown."""

    title: str
    idea: str
    keys: str = ""
    """The keys to press; "" while the learner has nothing to do."""
    line: str = ""
    """The line to type; "" while the learner has nothing to do."""


def lesson_view(snapshot: Snapshot) -> LessonView | None:
    """Return the learner's current step; None at a table that is no lesson."""
    note = snapshot.lesson
    if note is None:
        return None
    title = _("Step {number} of {steps}").format(number=note.number, steps=note.steps)
    idea = f"{said(note.idea)} [{note.clause}]"
    if note.move is None or snapshot.view is None:
        return LessonView(title, idea)
    return LessonView(
        title, idea, _by_keys(snapshot.view, note.move), _typed(snapshot.view, note.move)
    )


def _typed(view: Position, move: Move) -> str:
    """Return a sentence with the line to type."""
    line = spoken(line_of(view, move))
    if plays_of(move):
        return _("Type: {line}, and then: {send}.").format(line=line, send=spoken("send"))
    return _("Type: {line}.").format(line=line)


def _by_keys(view: Position, move: Move) -> str:
    """Return a sentence with the keys to press."""
    parts = list(_presses(view, move))
    if plays_of(move):
        parts.append(_("then Enter"))
    return capital("; ".join(parts)) + "."


def _presses(view: Position, move: Move) -> Iterator[str]:
    if isinstance(move, Discard):
        yield _select((move.card,), own_key("x"))
    elif plays := plays_of(move):
        for play in plays:
            yield _lay(play, view.pile[-1:])
    else:
        yield _press(_KEYS[line_of(view, move)])


def _lay(play: Play, top: tuple[Shown, ...]) -> str:
    """Return the keys that lay out a play; a play with the top of the pile takes the pile."""
    held = [shown for shown in play.cards if shown not in top]
    if len(held) == len(play.cards):
        return _select(held, own_key("m") if play.onto is None else f"{play.onto + 1}")
    return _select(held, own_key("t")) if held else _press("t")


def _press(key: str) -> str:
    return _("press {key}").format(key=own_key(key))


def _select(cards: Iterable[Shown], key: str) -> str:
    faces = " ".join(card_face(shown.card) for shown in cards)
    template = _("select {cards} (arrows, space), press {key}")
    return template.format(cards=faces, key=key)
