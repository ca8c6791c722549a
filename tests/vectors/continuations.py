"""Records of several tables, in which matches go on or end without a player.

Some continuations are refused.
"""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve

from engine.games import GAMES
from protocol.charter import Charter, SignedCharter
from protocol.codec import encode
from protocol.entries import Body, CloseContent, MoveContent, ShuffleContent
from protocol.place import Place
from protocol.player import Player
from protocol.state import State
from tests.attacks import false_shuffles
from tests.protocol.continuing import (
    NEWCOMERS,
    PABLO,
    RITA,
    concluded,
    ended,
    follow,
    offered,
    replaced,
)
from tests.protocol.played import Moment
from tests.protocol.seeded import seeded
from tests.vectors.recorded import (
    UNSEEN,
    Forge,
    Record,
    WithoutRules,
    recorded_as,
    recorded_with_substitute,
)

Change = Callable[[Charter], Charter]


def forge() -> tuple[Forge, Moment]:
    """Return a forge for the match with a substitute, and the moment of its continuation."""
    one = Forge(recorded_with_substitute())
    return one, next(moment for moment in one.of.moments if not moment.is_entry)


def all_records() -> Iterator[Record]:
    one, leaving = forge()
    yield one.whole("sound", "A round counts as it lies, and a substitute plays the next one.")
    yield from _ends(one, leaving)
    yield from _tables(one, leaving)
    yield from _refused(one, leaving)
    yield from _signatures(one, leaving)
    yield from _late(one, leaving)
    yield from _substitutes(one, leaving)


def void_records() -> Iterator[Record]:
    """Return records of a table at which an interrupted round is dealt again."""
    one = Forge(recorded_as("void"))
    moment = evolve(one.of.moments[-1], state=one.of.table.state, number=len(one.of.entries))
    entry, shuffle = replaced_and_shuffled(moment)
    yield one.after(moment, "sound", "The round is dealt again.", entry, shuffle)
    yield one.after(moment, "ended", "The match ends, and the round does not count.", end(moment))
    counted = _with_results(offered(moment.state, [moment.writer]), ((0, 0, 0),))
    what = "The round is counted as it lies."
    yield one.after(moment, "R19-counted", what, _signed(moment, counted))
    what = "A hand is opened though the round is dealt again, and then the honest shuffle follows."
    opened = _opened_in_vain(moment, follow(moment.state, entry))
    nobody = WithoutRules("broken", "R6")
    yield one.after(moment, "R11-opened", what, entry, opened, shuffle, without=nobody)
    dealing = one.of.when("unlock", lambda moment: moment.state.match.round is not None)
    void = replaced(dealing.table, dealing.state, dealing.writer)
    what = "The round is interrupted while cards are dealt, and is dealt again."
    yield one.after(dealing, "dealing", what, void)


def end(moment: Moment, left: int | None = None) -> bytes:
    """Return a continuation that ends a match without the player `left`, by default the writer."""
    return ended(moment.table, moment.state, moment.writer if left is None else left)


def replaced_and_shuffled(moment: Moment, *before: bytes) -> tuple[bytes, bytes]:
    """Return a continuation that replaces the player due next after these parts, and a shuffle."""
    state = moment.state
    for part in before:
        state = follow(state, part)
    entry = replaced(moment.table, state, state.writers[0])
    return entry, shuffled(moment, follow(state, entry))


def shuffled(moment: Moment, state: State) -> bytes:
    """Return the first shuffle at the table of this state."""
    first = state.writers[0]
    signers = {newcomer.member.key: newcomer.sign for newcomer in NEWCOMERS}
    signer = signers.get(state.charter.key_of(first)) or moment.table.signers[first]
    return Player(first, signer).write(state, seeded("vector of a substitute")).entry


def _opened_in_vain(moment: Moment, state: State) -> bytes:
    """Return the opening of a hand as if the round were over, though it is to be dealt again."""
    table = state.undecided
    assert table is not None
    assert table.match.round is not None
    over = evolve(table.match, round=table.match.round.finishing(None))
    opening = evolve(table, match=over).with_next_writers()
    player = moment.table.players[opening.writers[0]]
    return player.write(opening, seeded("vector of an opening in vain")).entry


def _signed(moment: Moment, charter: Charter) -> bytes:
    return concluded(moment.table, moment.state, charter).encode()


def _with_results(charter: Charter, results: tuple[tuple[int, ...], ...]) -> Charter:
    return continuing(charter, results=results)


def continuing(charter: Charter, **changes: Any) -> Charter:
    """Return the charter with changed fields about the table that it continues."""
    assert charter.continues is not None
    return evolve(charter, continues=evolve(charter.continues, **changes))


def _ends(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records that end when entries of different kinds are due.

    Two of the three founders have to sign. So the last records end at a second table, where the
    substitute is the one who leaves.
    """
    seat = leaving.writer
    first, shuffling = one.of.moments[0], one.of.at(leaving.number + 3)
    dealing = one.of.when("unlock", lambda moment: moment.state.match.round is not None)
    yield one.after(first, "ended-draw", "Ended before the draw.", end(first))
    yield one.after(dealing, "ended-dealing", "Ended while cards are dealt.", end(dealing))
    yield one.after(leaving, "ended", "Ended in the middle of a round.", end(leaving))
    what = "Ended before cards are dealt."
    yield one.after(shuffling, "ended-shuffling", what, end(shuffling, seat))
    what = "One leaves when the last round is counted, and nobody has signed its points."
    closing, last = one.of.when("close"), one.of.last("close")
    unknown = WithoutRules("ended", "", ())
    yield one.after(closing, "sound-counted", what, end(closing, seat), without=unknown)
    what = "One leaves when the last round is counted, and the others have signed its points."
    yield one.after(last, "sound-closing", what, end(last, seat))


def _tables(one: Forge, leaving: Moment) -> Iterator[Record]:
    first = one.of.moments[0]
    entry, shuffle = replaced_and_shuffled(first)
    yield one.after(first, "redrawn", "The draw begins again with a substitute.", entry, shuffle)
    together = offered(leaving.state, ())
    state = follow(leaving.state, _signed(leaving, together))
    what = "All go on together."
    yield one.after(leaving, "together", what, _signed(leaving, together), shuffled(leaving, state))
    later = offered(leaving.state, [leaving.writer], attempt=7)
    state = follow(leaving.state, _signed(leaving, later))
    what = "A table with attempt 7, without entries, is continued by one with attempt 900."
    try_again = offered(state, [leaving.writer], attempt=900, seats=[RITA])
    yield one.after(
        leaving, "again", what, _signed(leaving, later), _of_newcomers(leaving, state, try_again)
    )
    far = Place(bytes(32), 1 << 40, bytes(32))
    places = {1: (evolve(far, height=9),), 2: (far, far)}
    signed = concluded(leaving.table, leaving.state, later, places)
    what = "Signatures that abandon places at other tables."
    yield one.after(leaving, "abandons", what, signed.encode())


def _of_newcomers(moment: Moment, state: State, charter: Charter) -> bytes:
    """Return a continuation of a state in which a newcomer already has a seat."""
    signers = {newcomer.member.key: newcomer.sign for newcomer in NEWCOMERS}
    members = moment.state.charter.members
    signers |= {m.key: sign for m, sign in zip(members, moment.table.signers, strict=True)}
    signatures = [charter.sign(signers[charter.key_of(player)]) for player in charter.signers]
    return SignedCharter(charter, tuple(signatures), len(signatures) * ((),)).encode()


# -- refused


def _member(player: int, **changes: Any) -> Change:
    def change(charter: Charter) -> Charter:
        members = list(charter.members)
        members[player] = evolve(members[player], **changes)
        return evolve(charter, members=tuple(members))

    return change


def _changes(state: State, left: int) -> Iterator[tuple[str, str, Change, WithoutRules | None]]:
    """Return changes of a sound continuation, each with a name and a sentence."""
    stays, other = sorted({0, 1, 2} - {left})
    place = state.place
    kanastic = GAMES["kanastic"]
    seated = state.charter.members
    for name, where in (
        ("table", evolve(place, table_id=bytes(32))),
        ("height", evolve(place, height=place.height - 2)),
        ("above", evolve(place, height=place.height + 1)),
        ("head", evolve(place, previous=bytes(32))),
    ):
        yield name, "Another place.", _placed(where), None
    yield "match", "Another match.", lambda c: continuing(c, match_id=bytes(32)), None
    what = "Another attempt for the table before."
    yield "parent", what, lambda c: continuing(c, parent_attempt=1, attempt=2), None
    what = "An attempt that is not higher than that of the table before."
    yield "attempt", what, lambda c: continuing(c, attempt=0), None
    yield "grace", "Another grace.", lambda c: evolve(c, grace=c.grace + 1), None
    yield "spectators", "Spectators are admitted.", lambda c: evolve(c, spectators=True), None
    what = "Other options."
    yield "options", what, lambda c: evolve(c, options=evolve(c.options, rounds=3)), None
    yield (
        "game",
        "Another game.",
        lambda c: evolve(c, game=kanastic, options=kanastic.options.from_pairs([("rounds", 2)])),
        None,
    )
    yield "seats", "One seat too few.", lambda c: continuing(_without_last(c), left=()), None
    yield "key", "Another key in a seat.", _member(stays, key=PABLO.member.key), None
    yield "name", "Another name in a seat.", _member(stays, signed_name="Bea"), None
    yield "nonce", "Another nonce in a seat.", _member(stays, nonce=bytes(32)), None
    yield "nobody", "Nobody has left.", lambda c: continuing(c, left=()), None
    yield "swapped", "Two have changed seats.", lambda c: _swapped(c, stays, other), None
    what = "The seat is given to the player who has left."
    yield "own", what, _member(left, key=seated[left].key), None
    what = "The seat is given to a player who has one."
    yield "seated", what, _member(left, key=seated[stays].key), None
    what = "The match ends, and a player is replaced."
    yield "gone", what, lambda c: continuing(c, ends=True), None
    both = tuple(sorted((left, stays)))
    friends = _member(stays, key=PABLO.member.key, signed_name="Pablo", nonce=bytes(32))
    what = "One of the three founders goes on with two friends."
    yield "friends", what, lambda c: continuing(friends(c), left=both), None
    yield "less", "The interrupted round is left out.", lambda c: _with_results(c, ()), UNSEEN
    richer = lambda c: _with_results(c, ((500, 0, 0),))  # noqa: E731
    yield "points", "Wrong points.", richer, UNSEEN
    more = lambda c: _with_results(c, (*c.continues.results, (0, 0, 0)))  # noqa: E731
    yield "more", "One round too many.", more, None
    sides = lambda c: _with_results(c, ((0, 0),))  # noqa: E731
    yield "sides", "A number of points that no round has.", sides, None
    what = "The same player has left twice."
    yield "order", what, lambda c: continuing(c, left=(left, left)), None
    what = "A player has left who does not exist."
    yield "player", what, lambda c: continuing(c, left=(5,)), None


def _placed(where: Place) -> Change:
    return lambda charter: continuing(charter, place=where)


def _without_last(charter: Charter) -> Charter:
    return evolve(charter, members=charter.members[:-1])


def _swapped(charter: Charter, one: int, other: int) -> Charter:
    members = list(charter.members)
    members[one], members[other] = members[other], members[one]
    return evolve(charter, members=tuple(members))


def _refused(one: Forge, leaving: Moment) -> Iterator[Record]:
    state, left = leaving.state, leaving.writer
    sound = offered(state, [left])
    for name, what, change, without in _changes(state, left):
        charter = change(sound)
        signed = _of_newcomers(leaving, state, charter)
        yield one.after(leaving, f"R19-{name}", what, signed, without=without)
    closing, last = one.of.when("close"), one.of.last("close")
    charter = offered(closing.state, [left])
    what = "A seat is taken when the last round is counted."
    friend = _member(left, key=RITA.member.key)(continuing(charter, ends=False))
    over = _of_newcomers(closing, closing.state, friend)
    yield one.after(closing, "R19-over", what, over, without=UNSEEN)
    charter = offered(last.state, [left])
    assert charter.continues is not None
    *before, _ = charter.continues.results
    what = "Other points than the others have signed."
    lie = _with_results(charter, (*before, (0, 0, 0)))
    yield one.after(last, "R19-closed", what, _of_newcomers(last, last.state, lie))
    what = "A round is left out that the others have signed."
    void = _with_results(charter, tuple(before))
    yield one.after(last, "R19-void", what, _of_newcomers(last, last.state, void))
    what = "A seat is taken when the others have signed that the match is over."
    friend = _member(left, key=RITA.member.key)(continuing(charter, ends=False))
    yield one.after(last, "R19-last", what, _of_newcomers(last, last.state, friend))
    over_state = one.of.table.state
    whole = continuing(charter, place=over_state.place)
    what = "The match is over, and signed by all."
    yield one.whole("R19-end", what, _of_newcomers(last, over_state, whole))
    again = end(leaving)
    what = "Two continuations of one place."
    yield one.after(leaving, "R19-again", what, leaving.entry, again)
    first = one.of.table.charter.encode()
    what = "The first charter once more."
    yield one.after(leaving, "R19-first", what, first)


def _signatures(one: Forge, leaving: Moment) -> Iterator[Record]:
    signed = concluded(leaving.table, leaving.state, offered(leaving.state, [leaving.writer]))
    place = leaving.state.place
    charter = signed.charter.encode()
    entries = tuple(sign(b"sobremesa/1/charter", charter) for sign in leaving.table.signers)
    for name, what, wrong in (
        (
            "missing",
            "A signature is missing.",
            evolve(signed, signatures=signed.signatures[:2], abandons=signed.abandons[:2]),
        ),
        (
            "swapped-signed",
            "Signatures in another order.",
            evolve(signed, signatures=signed.signatures[::-1]),
        ),
        ("use", "Signed with the label of first charters.", evolve(signed, signatures=entries)),
        (
            "places",
            "An abandoned place that nobody has signed.",
            evolve(signed, abandons=((place,), (), ())),
        ),
    ):
        yield one.after(leaving, f"R19-{name}", what, wrong.encode())
    what = "Signatures alone, as a first charter has them."
    yield one.after(leaving, "R19-bare", what, encode((charter, signed.signatures)))
    many = concluded(leaving.table, leaving.state, signed.charter, {0: 17 * (place,)}).encode()
    yield one.after(leaving, "R19-many", "Too many places that are abandoned.", many)


def _late(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records with late entries of a player without whom the others have gone on."""
    left = leaving.writer
    view = leaving.table.players[left].view(leaving.state)
    assert view is not None
    move = view.legal_moves(view.moving_seat)[0]
    late = leaving.table.players[left].write(leaving.state, seeded("vector late"), move).entry
    what = "A late entry in the continued place, by the player who was replaced."
    yield one.after(leaving, "R4-late", what, leaving.entry, late)
    what = "A late entry in the continued place, by the player without whom the match was ended."
    yield one.after(leaving, "R5-late", what, end(leaving), late)
    after = follow(leaving.state, end(leaving))
    body = Body(after.next_place, left, one.of.moments[0].the(ShuffleContent))
    more = leaving.signed_body(body, left)
    what = "An entry after the end, by the player without whom the match was ended."
    yield one.after(leaving, "gone-writes", what, end(leaving), more)


def _substitutes(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records in which a substitute cheats, and is exposed like anybody."""
    seat = leaving.writer
    after = one.of.moments[leaving.number + 1 :]
    shuffling = next(m for m in after if m.writer == seat)
    honest = shuffling.the(ShuffleContent)
    before = [m for m in one.of.moments[: leaving.number] if m.writer == seat]
    old = [m for m in before if m.body.content.kind == ShuffleContent.kind][-1]
    theirs = evolve(honest, unlock_key=old.the(ShuffleContent).unlock_key)
    what = "The substitute announces a key of the player who left."
    yield one.after(shuffling, "R13-substitute", what, shuffling.signed(theirs))
    replayed = evolve(honest, proof=old.the(ShuffleContent).proof)
    what = "The substitute replays a proof of the round that was interrupted."
    yield one.after(shuffling, "shuffle-substitute", what, shuffling.signed(replayed))
    marked = false_shuffles.marked(shuffling, seeded("vector marked by a substitute"))
    what = "The substitute marks two cards."
    yield one.after(shuffling, "shuffle-map", what, shuffling.signed(marked))
    moving = next(m for m in after if isinstance(m.body.content, MoveContent))
    kind = CloseContent(1, (0, 0, 0), last=True)
    what = "The substitute closes a round that is played."
    yield one.after(moving, "R11-substitute", what, moving.signed(kind, seat))
