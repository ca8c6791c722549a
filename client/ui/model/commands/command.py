"""What a command of a person at a table is, and when one is offered."""

from collections.abc import Callable

from attrs import frozen

from client.session.display.snapshot import AfterMatch
from client.ui.model.command_words import spoken
from client.ui.model.controls import Controls
from client.ui.model.going_out import can_go_out
from client.ui.model.pages import Page
from engine.cards import Card
from engine.moves import Answer, Ask, Move
from engine.turn import Step

Face = Callable[[Card], str]
When = Callable[[Controls], bool]
Press = Callable[[Controls], None]


def never(_controls: Controls) -> bool:
    return False


def always(_controls: Controls) -> bool:
    return True


@frozen
class Command:
    """`word` begins a typed line, `key` is its short form and the key of the screen, `usage` an
    example where something follows the word. `press` is what the key does. A line is a `page`, a
    move of the notation, or what `typed` does with the rest of it.

    It `exists` at tables whose game has a use for it.

    The footer has `label` while it is `offered`, with `detail` added, and a mark of danger where
    it is `risky`; where it has no room, the command with the highest `yields` goes first.
    """

    word: str
    key: str
    meaning: str
    press: Press | None = None
    usage: str = ""
    page: Page | None = None
    typed: Callable[[Controls, str], None] | None = None
    label: str = ""
    offered: When = never
    detail: Callable[[Controls, Face], str] = lambda _controls, _face: ""
    risky: When = never
    yields: int = 0
    more_keys: tuple[str, ...] = ()
    exists: When = always

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys that it has."""
        return (*filter(None, [self.key]), *self.more_keys)

    @property
    def example(self) -> str:
        """How it is typed, in the person's language."""
        return spoken(self.usage or self.word) if self.word else ""


def at(*steps: Step) -> When:
    return lambda controls: controls.may(*steps)


def has(kind: type[Move]) -> When:
    """Return True at tables whose game has that kind of move, and partners where it is for two."""

    def there(controls: Controls) -> bool:
        if controls.snapshot is None:
            return True
        match = controls.snapshot.state.match
        for_partners = kind in (Ask, Answer)
        alone = match.game.sides(match.players) == match.players
        return kind not in match.game.position.lacking and not (for_partners and alone)

    return there


def allowed(move: Move) -> When:
    """Where the rules allow the move now: without a stock nobody draws (C87), and who must take
    the pile does not pass (C88).
    """
    return lambda controls: (
        controls.may_move and controls.hand is not None and controls.hand.view.allows(move)
    )


def may_take(controls: Controls) -> bool:
    hand = controls.hand
    return controls.may(Step.DRAW) and hand is not None and hand.pile_is_offered


def may_ask(controls: Controls) -> bool:
    """Return True where a yes would serve: one can go out in this turn."""
    hand = controls.hand
    if hand is None or not controls.may(Step.PLAY):
        return False
    return hand.view.may_ask and can_go_out(hand.view)


def may_be_advised(controls: Controls) -> bool:
    return controls.may_move and not controls.stages


def has_legend(controls: Controls) -> bool:
    return controls.snapshot is not None and bool(controls.snapshot.state.match.game.legend)


def has_hand(controls: Controls) -> bool:
    return controls.snapshot is None or not controls.snapshot.watching


def is_cited(controls: Controls) -> bool:
    return controls.notice is not None and controls.notice.clause is not None


def after(choice: AfterMatch) -> When:
    return lambda controls: controls.may_choose(choice)
