"""Records of several tables, in which matches go on or end without a player.

Some continuations are refused.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from engine.games import GAMES
from protocol.charter import Charter
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


def forge() -> tuple[Forge, Moment]:
    """Return a forge for the match with a substitute, and the moment of its continuation."""
    one = Forge(recorded_with_substitute())
    return one, next(moment for moment in one.of.moments if not moment.is_entry)


def all_records() -> Iterator[Record]:
    one, leaving = forge()
    what = "The round is counted as the cards lie, and a substitute plays the next one."
    yield one.whole("sound", what)
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
    counted = continuing(offered(moment.state, [moment.writer]), results=((0, 0, 0),))
    what = "The round is counted as the cards lie."
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
    """Return a continuation, and the first shuffle at its table.

    After the moment and the parts `before`, the continuation replaces the player who is due.
    """
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


def continuing(charter: Charter, **changes: Any) -> Charter:
    """Return the charter with changed fields about the table that it continues."""
    assert charter.continues is not None
    return evolve(charter, continues=evolve(charter.continues, **changes))


def _ends(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records that end when entries of different kinds are due.

    Two of the three founders have to sign. At the second table only two are left, so there it is
    the substitute who leaves.
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
    again = _signed(leaving, try_again)
    yield one.after(leaving, "again", what, _signed(leaving, later), again)
    far = Place(bytes(32), 1 << 40, bytes(32))
    places = {1: (evolve(far, height=9),), 2: (far, far)}
    signed = concluded(leaving.table, leaving.state, later, places)
    what = "Signatures that abandon places at other tables."
    yield one.after(leaving, "abandons", what, signed.encode())


# -- refused


def changed(sound: Charter, state: State, left: int) -> Iterator[tuple[str, str, Charter]]:
    """Return changed copies of a sound continuation, each with a name and a sentence."""
    stays, other = sorted({0, 1, 2} - {left})
    place, kanastic, seated = state.place, GAMES["kanastic"], state.charter.members

    def put(**changes: Any) -> Charter:
        return continuing(sound, **changes)

    for name, where in (
        ("table", evolve(place, table_id=bytes(32))),
        ("height", evolve(place, height=place.height - 2)),
        ("above", evolve(place, height=place.height + 1)),
        ("head", evolve(place, previous=bytes(32))),
    ):
        yield name, "Another place.", put(place=where)
    yield "match", "Another match.", put(match_id=bytes(32))
    yield "parent", "Another attempt for the table before.", put(parent_attempt=1, attempt=2)
    yield "attempt", "An attempt that is not higher than that of the table before.", put(attempt=0)
    yield "grace", "Another grace.", evolve(sound, grace=sound.grace + 1)
    yield "spectators", "Spectators are admitted.", evolve(sound, spectators=True)
    yield "options", "Other options.", evolve(sound, options=evolve(sound.options, rounds=3))
    options = kanastic.options.from_pairs([("rounds", 2)])
    yield "game", "Another game.", evolve(sound, game=kanastic, options=options)
    yield "seats", "One seat too few.", evolve(put(left=()), members=sound.members[:-1])
    yield "key", "Another key in a seat.", _with(sound, stays, key=PABLO.member.key)
    yield "name", "Another name in a seat.", _with(sound, stays, signed_name="Bea")
    yield "nonce", "Another nonce in a seat.", _with(sound, stays, nonce=bytes(32))
    yield "nobody", "Nobody has left.", put(left=())
    swapped = list(sound.members)
    swapped[stays], swapped[other] = swapped[other], swapped[stays]
    yield "swapped", "Two have changed seats.", evolve(sound, members=tuple(swapped))
    what = "The seat is given to the player who has left."
    yield "own", what, _with(sound, left, key=seated[left].key)
    what = "The seat is given to a player who has one."
    yield "seated", what, _with(sound, left, key=seated[stays].key)
    yield "gone", "The match ends, and a player is replaced.", put(ends=True)
    two_left = put(left=tuple(sorted((left, stays))))
    friends = _with(two_left, stays, key=PABLO.member.key, signed_name="Pablo", nonce=bytes(32))
    yield "friends", "One of the three founders goes on with two friends.", friends
    yield "less", "The interrupted round is left out.", put(results=())
    yield "points", "Wrong points.", put(results=((500, 0, 0),))
    assert sound.continues is not None
    more = (*sound.continues.results, (0, 0, 0))
    yield "more", "One round too many.", put(results=more)
    yield "sides", "Points for two sides, in a game with three.", put(results=((0, 0),))
    yield "order", "The same player has left twice.", put(left=(left, left))
    yield "player", "A player has left who does not exist.", put(left=(5,))


def _with(charter: Charter, player: int, **changes: Any) -> Charter:
    """Return the charter with changes to one of its members."""
    members = list(charter.members)
    members[player] = evolve(members[player], **changes)
    return evolve(charter, members=tuple(members))


def _refused(one: Forge, leaving: Moment) -> Iterator[Record]:
    left = leaving.writer
    for name, what, charter in changed(offered(leaving.state, [left]), leaving.state, left):
        without = UNSEEN if name in {"less", "points"} else None
        signed = _signed(leaving, charter)
        yield one.after(leaving, f"R19-{name}", what, signed, without=without)
    closing, last = one.of.when("close"), one.of.last("close")

    def seated(charter: Charter) -> Charter:
        return _with(continuing(charter, ends=False), left, key=RITA.member.key)

    what = "A seat is taken when the last round is counted."
    over = _signed(closing, seated(offered(closing.state, [left])))
    yield one.after(closing, "R19-over", what, over, without=UNSEEN)
    charter = offered(last.state, [left])
    assert charter.continues is not None
    *before, _ = charter.continues.results

    def closed(name: str, what: str, wrong: Charter) -> Record:
        return one.after(last, f"R19-{name}", what, _signed(last, wrong))

    lie, void = (continuing(charter, results=(*before, *more)) for more in ([(0, 0, 0)], []))
    yield closed("closed", "Other points than the others have signed.", lie)
    yield closed("void", "A round is left out that the others have signed.", void)
    what = "A seat is taken when the others have signed that the match is over."
    yield closed("last", what, seated(charter))
    whole = continuing(charter, place=one.of.table.state.place)
    yield one.whole("R19-end", "A continuation after the end.", _signed(last, whole))
    what = "Two continuations of one place."
    yield one.after(leaving, "R19-again", what, leaving.entry, end(leaving))
    first = one.of.table.charter.encode()
    yield one.after(leaving, "R19-first", "The first charter once more.", first)


def _signatures(one: Forge, leaving: Moment) -> Iterator[Record]:
    signed = concluded(leaving.table, leaving.state, offered(leaving.state, [leaving.writer]))
    place, charter = leaving.state.place, signed.charter.encode()
    entries = tuple(sign(b"sobremesa/1/charter", charter) for sign in leaving.table.signers)

    def wrong(name: str, what: str, **changes: Any) -> Record:
        return one.after(leaving, f"R19-{name}", what, evolve(signed, **changes).encode())

    two = signed.signatures[:2]
    yield wrong("missing", "A signature is missing.", signatures=two, abandons=((), ()))
    turned = signed.signatures[::-1]
    yield wrong("swapped-signed", "Signatures in another order.", signatures=turned)
    yield wrong("use", "Signed with the label of first charters.", signatures=entries)
    what = "An abandoned place that nobody has signed."
    yield wrong("places", what, abandons=((place,), (), ()))
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
    closing = CloseContent(1, (0, 0, 0), last=True)
    what = "The substitute closes a round that is played."
    yield one.after(moving, "R11-substitute", what, moving.signed(closing, seat))
