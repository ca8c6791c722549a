"""A lobby as one person sees it, for the screen and for the linear mode."""

import unicodedata
from collections.abc import Sequence

from attrs import frozen

from client.i18n.language import _, _n, with_and
from client.i18n.rulebook.text import clause_sentence, option_value
from client.session.display.lobby_interface import (
    LobbySnapshot,
    News,
)
from p2p.transport.lobby_messages import Terms
from protocol.charter import USUAL_GRACE
from protocol.words_for_keys import words


@frozen
class SitterView:
    """A player in the lobby."""

    key: bytes
    name: str
    words: str
    """The words of the key."""
    ready: bool
    mine: bool
    """True for the person whose screen this is."""
    about: str
    """A few words about the player: "you", "opened the table"; or ""."""
    seat: int = 0
    """The number by which the host can send the player away; 0 if the host cannot."""


@frozen
class KnockView:
    """Somebody who wants to be let in."""

    key: bytes
    name: str
    words: str
    """The words of the key."""
    sentence: str
    """A sentence that tells the host of this player."""
    marked: bool = False
    """True for the player to whom the host's keys for "let in" and "send away" apply."""


@frozen
class LobbyView:
    """All that a lobby shows."""

    title: str
    """The name of the table; "" until the host has told it."""
    game: str
    seats: int
    sitters: tuple[SitterView, ...]
    """The players who sit at the table, in the order of the charter."""
    couples: str
    """A sentence on who plays with whom; "" where everybody plays alone."""
    rules: tuple[str, ...]
    joining: tuple[str, ...]
    """Commands by which others can come to this table."""
    news: News
    waits_for: str
    """A sentence about what the lobby waits for."""
    hosting: bool
    ready: bool
    may_add: bool
    may_send_away: bool
    knocking: tuple[KnockView, ...] = ()

    @property
    def free(self) -> int:
        """The number of seats that nobody has taken."""
        return self.seats - len(self.sitters)

    @property
    def marked(self) -> KnockView | None:
        """The knocking player who is marked: the first one, unless the host has marked another."""
        return next((knock for knock in self.knocking if knock.marked), None)


def lobby_view(snapshot: LobbySnapshot, marked: bytes = b"") -> LobbyView:
    """Return the view of a snapshot; `marked` is the key of the knocking player to mark."""
    lobby_state = snapshot.lobby_state
    terms = lobby_state.terms if lobby_state else None
    sitters = _sitters(snapshot)
    free = lobby_state.free if lobby_state else 0
    return LobbyView(
        title=terms.title if terms else "",
        game=terms.game.title if terms else "",
        seats=terms.seats if terms else 0,
        sitters=sitters,
        couples=_couples(terms, sitters) if terms else "",
        rules=rule_lines(terms) if terms else (),
        joining=tuple(f"sobremesa join {address}" for address in snapshot.addresses),
        news=snapshot.news,
        waits_for=_waits_for(snapshot),
        hosting=snapshot.hosting,
        ready=snapshot.ready,
        may_add=snapshot.hosting and free > 0,
        may_send_away=snapshot.hosting and bool(snapshot.opponents),
        knocking=_knocking(snapshot, marked),
    )


def in_a_row(name: str) -> str:
    """Return a name for a list of names, in quotation marks if it could look like two names.

    "Ana, Bo" gets the marks, for example. A name of letters, numbers, spaces and .-'’ needs none.
    """
    plain = all(unicodedata.category(c)[0] in "LMN" or c in " .-'’" for c in name)
    return name if plain else _("“{name}”").format(name=name)


def _couples(terms: Terms, sitters: Sequence[SitterView]) -> str:
    """Return a sentence on the couples; "" where everybody plays alone.

    The order of the players decides who plays with whom, unless seats are drawn by cards.
    """
    sides = terms.game.sides(terms.seats)
    if sides == terms.seats:
        return ""
    if terms.game.draws_seats:
        return _("Couples: who plays with whom is drawn by cards.")
    names = [in_a_row(sitter.name) for sitter in sitters]
    names += [_("a free seat")] * (terms.seats - len(names))
    couples = [
        _("{one} with {other}").format(one=names[side], other=names[side + sides])
        for side in range(sides)
    ]
    return _("Couples: {couples}.").format(couples="; ".join(couples))


def _knocking(snapshot: LobbySnapshot, marked: bytes) -> tuple[KnockView, ...]:
    """Return the players who knock, except the person whose screen this is."""
    everybody = snapshot.lobby_state.knocking if snapshot.lobby_state else ()
    knocking = [player for player in everybody if player.key != snapshot.me]
    # The marked player may have gone, or been let in.
    if marked not in {player.key for player in knocking}:
        marked = knocking[0].key if knocking else b""
    views = []
    for player in knocking:
        template = _("“{name}” ({words}) knocks. You have not met them before.")
        if player.key in snapshot.known:
            template = _("“{name}” ({words}) knocks. You have played with them before.")
        key = " ".join(words(player.key))
        sentence = template.format(name=player.name, words=key)
        is_marked = snapshot.hosting and player.key == marked
        views.append(KnockView(player.key, player.name, key, sentence, is_marked))
    return tuple(views)


def rule_lines(terms: Terms) -> tuple[str, ...]:
    """Return a line for everything unusual in the terms, or "The usual rules."."""
    usual = dict(terms.game.options().pairs())
    lines = []
    for name, value in terms.options.pairs():
        if value != usual[name]:
            lines.append(
                _("{option}: {value}, usually {usual}. {about}").format(
                    option=name,
                    value=option_value(value),
                    usual=option_value(usual[name]),
                    about=_option_text(terms, name, value),
                )
            )
    if terms.grace != USUAL_GRACE:
        lines.append(_("The others wait {n} s for a silent player.").format(n=terms.grace))
    if terms.spectators:
        lines.append(
            _(
                "Spectators may watch: they see the open cards and the phrases that are said, but "
                "no hands. Each player can bar them."
            )
        )
    return tuple(lines) or (_("The usual rules."),)


def _option_text(terms: Terms, name: str, value: bool | int) -> str:
    """Return a text on what an option does; if it is off, the clause that holds instead."""
    about = terms.game.options.describe()[name]
    if value is False:
        return clause_sentence(terms.game, terms.options, about["clause"])
    doc: str = about["doc"]
    return _(doc)


def _sitters(snapshot: LobbySnapshot) -> tuple[SitterView, ...]:
    present = snapshot.lobby_state.present if snapshot.lobby_state else ()
    # Only the host can send somebody away, and only guests. `kept` has the keys of the players whom
    # this person cannot send away.
    own = {snapshot.me, *snapshot.opponents}
    kept = own if snapshot.hosting else {sitter.key for sitter in present}
    return tuple(
        SitterView(
            key=sitter.key,
            name=sitter.name,
            words=" ".join(words(sitter.key)),
            ready=sitter.ready,
            mine=sitter.key == snapshot.me,
            about=_about(snapshot, sitter.key, hosts=seat == 1),
            seat=seat if sitter.key not in kept else 0,
        )
        for seat, sitter in enumerate(present, 1)
    )


def _about(snapshot: LobbySnapshot, key: bytes, *, hosts: bool) -> str:
    if key == snapshot.me:
        return _("you")
    if key in snapshot.opponents:
        return _("plays for the program")
    return _("opened the table") if hosts else ""


def _waits_for(snapshot: LobbySnapshot) -> str:
    lobby_state = snapshot.lobby_state
    if snapshot.candidate:
        return _("Waiting until the others have decided.")
    if lobby_state is None and snapshot.host:
        return _("Waiting until {name} opens the table again.").format(name=snapshot.host)
    if lobby_state is None:
        return snapshot.delay or _("Looking for the table…")
    knocking = [player.key for player in lobby_state.knocking]
    if snapshot.me in knocking:
        template = _("You have knocked: {name} decides whether you may sit down.")
        if len(knocking) > 1:
            template = _("You are number {n} of {all} at the door: {name} decides who sits down.")
        place = knocking.index(snapshot.me) + 1
        return template.format(name=lobby_state.names[0], n=place, all=len(knocking))
    if lobby_state.free:
        return _n("Waiting for {n} more player.", "Waiting for {n} more players.", lobby_state.free)
    waiting = [in_a_row(sitter.name) for sitter in lobby_state.present if not sitter.ready]
    # Whoever is not ready themselves is asked first, even if others are not ready either.
    if not snapshot.ready:
        return _("All are here: say that you are ready.")
    if waiting:
        return _("Not ready yet: {names}.").format(names=with_and(waiting))
    return _("All are ready: the charter is being signed.")
