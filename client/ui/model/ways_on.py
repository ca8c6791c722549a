"""The ways to go on when a player is missing; each way has its own letter."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from client.i18n.language import _, bare, own_letter, with_and
from client.i18n.sentences import said
from client.session.display.absence import Absence
from client.session.display.snapshot import Resolve, Snapshot
from client.ui.text.absence import taking
from engine.sentences import N_
from protocol.match.messages import Wish, WishKind

WAY_KEYS = "opetjwg"
_LETTERS = N_("opetjwg")
"""The keys of the ways: opponent, person, end, together, join, wait, give up.

A translation may use other letters, none twice.
"""

_WORDS: Mapping[str, str] = {
    "o": N_("opponent"),
    "p": N_("person"),
    "e": N_("end"),
    "t": N_("together"),
    "j": N_("join"),
    "w": N_("wait"),
    "g": N_("give up"),
}
"""The word that a person types for each way, by the key of the way."""


@frozen
class WayOn:
    """A way to go on without the missing player."""

    key: str
    text: str
    """The meaning of the way or, if it is not open now, the reason why not."""
    decision: Wish | Resolve | None
    """The decision to send when the way is chosen; None if the way is not open now."""
    question: str = ""
    """The question to ask first, if the way ends the match; otherwise ""."""
    chosen: bool = False
    """True if the way is the person's present wish.

    If several people could take the seat, the way "person" proposes the next of them, who is not
    the person's present wish.
    """

    @property
    def word(self) -> str:
        """The word of the way in the person's language."""
        return _(_WORDS[self.key])


def way_key(key: str) -> str:
    """Return the key of a way in the language of the screen."""
    return own_letter(key, _LETTERS)


def ways_on(snapshot: Snapshot) -> tuple[WayOn, ...]:
    """Return the ways to show now, open or not, always in the same order."""
    absence = snapshot.absence
    if absence is None:
        return ()
    if absence.may_decide:
        return tuple(_ways(absence, snapshot))
    if absence.rests and absence.awaited != snapshot.me:
        text = _("give up this match for good")
        question = _("Give up this match for good? Nobody can continue it then.")
        return (WayOn("g", text, Resolve.GIVE_UP, question),)
    return ()


def _ways(absence: Absence, snapshot: Snapshot) -> Iterator[WayOn]:
    names, mine = snapshot.names, absence.wish_of(snapshot.me)
    gone = with_and(names[player] for player in absence.missing)
    if absence.missing:
        template = _("an opponent of this program takes the seat of {name}")
        text = with_and(template.format(name=names[player]) for player in absence.missing)
        wish = Wish(WishKind.OPPONENT)
        yield WayOn("o", text, wish, chosen=mine == wish)
        yield _person(absence, names, mine)
        wish = Wish(WishKind.END)
        ends = _("the match ends here without {name}").format(name=gone)
        question = _("End the match for good, without {name}?").format(name=gone)
        yield WayOn("e", ends, wish, question, mine == wish)
    else:
        wish = Wish(WishKind.TOGETHER)
        yield WayOn("t", _("all go on together"), wish, chosen=mine == wish)
    yield _joining(absence, snapshot)
    wait = _("wait for {name}").format(name=gone) if absence.missing else _("wait")
    yield WayOn("w", wait, Wish(WishKind.WAIT), chosen=mine.kind is WishKind.WAIT)


def _person(absence: Absence, names: Sequence[str], mine: Wish) -> WayOn:
    """Return the way to go on with a person in the seat.

    Each press of its key proposes the next candidate. Candidates with an objection are skipped.
    """
    if len(absence.missing) > 1:
        return WayOn("p", _("a person can take one seat only, and several are vacant"), None)
    name = names[absence.missing[0]]
    fit = [candidate for candidate in absence.candidates if candidate.objection is None]
    if not fit and absence.candidates:
        objection = absence.candidates[0].objection
        assert objection is not None, "a candidate without an objection is in `fit`"
        text = taking(absence.candidates[0].member, name)
        return WayOn("p", f"{text} — {said(objection.sentence)}", None)
    if not fit:
        template = _("a person takes the seat of {name}: nobody asks for it yet (sobremesa join)")
        return WayOn("p", template.format(name=name), None)
    # With Eva and Filip as candidates, the first press proposes Eva, the next one Filip, then Eva.
    keys = [candidate.key for candidate in fit]
    chosen = mine.person in keys
    place = (keys.index(mine.person) + 1) % len(fit) if chosen else 0
    text = taking(fit[place].member, name)
    only = chosen and len(fit) == 1
    return WayOn("p", text, Wish(WishKind.PERSON, fit[place].key), chosen=only)


def _joining(absence: Absence, snapshot: Snapshot) -> WayOn:
    proposed = absence.proposed
    if proposed is None or proposed.by == snapshot.me:
        return WayOn("j", _("join what is proposed: nobody else proposes anything yet"), None)
    name = snapshot.names[proposed.by]
    text = _("join what {name} proposes").format(name=name)
    question = ""
    if proposed.ends:
        gone = with_and(snapshot.names[player] for player in proposed.missing)
        question = _("End the match for good, without {name}?").format(name=gone)
    return WayOn("j", text, Resolve.JOIN, question, snapshot.me in proposed.accepted)


def named_way(snapshot: Snapshot, text: str) -> WayOn | None:
    """Return the way that a typed line names; None if it names none.

    A line is the word of a way in English or in the person's language, such as "opponent" or
    "person NAME", or the letter of a way in the person's language.
    """
    rest = text.strip().partition(" ")[2]
    way = next((way for way in ways_on(snapshot) if way.key == key_named(text)), None)
    if way is not None and way.key == "p" and rest:
        assert snapshot.absence is not None, "otherwise there are no ways"
        return _named_person(snapshot.absence, snapshot.names, rest)
    return way


def key_named(text: str) -> str | None:
    """Return the key of the way that a typed line names, whether the way is open or not."""
    first = bare(text).strip().partition(" ")[0]
    for key, word in _WORDS.items():
        # For "give up" the first word is enough.
        forms = (bare(form).partition(" ")[0] for form in (word, _(word)))
        if first in (way_key(key), *forms):
            return key
    return None


def _named_person(absence: Absence, names: Sequence[str], name: str) -> WayOn | None:
    for candidate in absence.candidates:
        is_named = bare(candidate.name).startswith(bare(name).strip())
        if is_named and candidate.objection is None and len(absence.missing) == 1:
            text = taking(candidate.member, names[absence.missing[0]])
            return WayOn("p", text, Wish(WishKind.PERSON, candidate.key))
    return None
