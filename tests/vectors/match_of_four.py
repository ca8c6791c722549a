"""Records made from the beginning of a match of four.

In the draw for seats a card is drawn again, then a round is played, and the next one begins.
"""

from collections.abc import Iterator

from attrs import evolve

from engine.moves import Discard
from protocol.entries import Body, CloseContent, Entry, OpenContent, ShuffleContent, UnlockContent
from protocol.player import Player
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.continuing import OLGA, concluded, ended, follow, offered, replaced
from tests.protocol.played import Moment
from tests.protocol.seeded import seeded
from tests.vectors.continuations import replaced_and_shuffled, shuffled
from tests.vectors.recorded import UNSEEN, Forge, Record, WithoutRules, recorded_as


def all_records() -> Iterator[Record]:
    one = Forge(recorded_as("rounds"))
    yield one.whole("next-round", "A round is closed, and the next dealer begins the next one.")
    yield from _draw(one)
    yield from _hands(one)
    yield from _closed_hands(one)
    yield from _between(one)


def _draw(one: Forge) -> Iterator[Record]:
    """Return records in which a player has drawn a joker for the seats, and draws again."""
    first, drawing = one.of.moments[0], one.of.when("unlock")
    again = one.of.at(drawing.state.height + 5)  # after the unlockings by the four players
    all_again = drawing.the(UnlockContent)
    assert len(again.the(UnlockContent).gives) < len(all_again.gives)
    what = "Another card for everybody, when only one player needs another."
    yield one.after(again, "R14-redraw", what, again.signed(all_again))
    what = "The right unlocking, by the wrong player."
    yield one.after(again, "R11-redraw", what, again.signed(again.the(UnlockContent), again.other))
    entry, shuffle = replaced_and_shuffled(first)
    what = "A player leaves before the first shuffle: the draw begins again, and is still deal 0."
    yield one.after(first, "redrawn", what, entry, shuffle)
    ahead = evolve(follow(first.state, entry), deal_number=1).with_next_writers()
    what = "As in redrawn, but shuffled as deal 1."
    yield one.after(first, "shuffle-redrawn", what, entry, shuffled(first, ahead))


def _hands(one: Forge) -> Iterator[Record]:
    """Return records with entries out of turn while hands are opened."""
    opening = one.of.when("open")
    then = one.of.at(opening.state.height + 2)
    passed_over = opening.signed(then.the(OpenContent), then.writer)
    yield one.after(opening, "R11-open", "A hand is opened out of turn.", passed_over)
    counted = opening.signed(one.of.when("close").the(CloseContent))
    yield one.after(opening, "R11-close", "Closed before hands are opened.", counted)
    early = then.signed(one.of.when("close").the(CloseContent))
    yield one.after(then, "R11-close-early", "Closed before all hands are open.", early)


def _closed_hands(one: Forge) -> Iterator[Record]:
    """Return records in which players leave before they open their hands (X24)."""
    first = one.of.when("open")
    second = one.of.at(first.number + 2)
    table, gone = first.table, first.writer
    closed = ended(table, first.state, gone)
    rest = _to_the_end(first, closed)
    what = "A hand stays closed. All others count the worst for it, and the match ends."
    yield one.after(first, "closed", what, closed, *rest)
    what = "A hand stays closed, and one of the others has not signed the points."
    yield one.after(first, "closed-unsigned", what, closed, *rest[:-1])
    what = "A hand stays closed after the first hand was opened."
    seated = replaced(table, second.state, second.writer)
    yield one.after(second, "closed-second", what, seated, *_to_the_end(second, seated))
    what = "A substitute for the player who opens nothing signs the round."
    seated = replaced(table, first.state, gone)
    opened = _to_the_end(first, seated)
    yield one.after(first, "closed-replaced", what, seated, *opened)
    # The last four entries are the closings by the four players.
    *_, closing = _states(first, seated, *opened[: len(opened) - 4])
    substitute = closing.charter.key_of(gone)
    assert substitute == OLGA.member.key
    honest = closing.closing
    lie = evolve(honest, points=tuple(points + 5 for points in honest.points))
    writer = closing.writers[0]
    sign = OLGA.sign if writer == gone else table.signers[writer]
    false = Entry.sign(Body(closing.next_place, writer, lie).encode(), sign).encode()
    rest_unsigned = tuple(sorted({0, 1, 2, 3} - {writer}))
    what = "The first closing counts less for the closed hand than it costs."
    early = (seated, *opened[: len(opened) - 4], false)
    unseen = evolve(UNSEEN, unsigned=rest_unsigned)
    yield one.after(first, "R17-closed", what, *early, without=unseen)
    what = "A late entry in the continued place, by the player who has left."
    yield one.after(first, "R5-closed", what, closed, first.entry)
    *_, after = _states(first, closed)
    body = Body(after.next_place, gone, first.the(OpenContent)).encode()
    entry = Entry.sign(body, table.signers[gone]).encode()
    what = "The player who has left opens their hand all the same."
    yield one.after(first, "closed-opens", what, closed, entry)
    yield from _false_standings(one, first, second)


def _false_standings(one: Forge, first: Moment, second: Moment) -> Iterator[Record]:
    """Return records of continuations with wrong results."""

    def said(moment: Moment, *results: tuple[int, ...], ends: bool = True) -> bytes:
        charter = offered(moment.state, [moment.writer], ends=ends)
        assert charter.continues is not None
        lie = evolve(charter, continues=evolve(charter.continues, results=results))
        return concluded(moment.table, moment.state, lie).encode()

    counted = one.of.when("close").the(CloseContent).points
    over = WithoutRules("ended", "", ())
    what = "A round is said to be counted, but its hands are still to be opened."
    yield one.after(first, "R19-early", what, said(first, counted), without=over)
    yield one.after(second, "R19-known", what, said(second, counted))
    playing = one.of.moving(Discard)
    what = "A round that is interrupted in play is not counted, as if its hands were to be opened."
    unseen = evolve(UNSEEN, unsigned=tuple(sorted({0, 1, 2, 3} - {playing.writer})))
    yield one.after(playing, "R19-playing", what, said(playing), without=unseen)
    closing, last = one.of.when("close"), one.of.last("close")
    what = "A counted round is left out."
    yield one.after(closing, "R19-counted", what, said(closing))
    yield one.after(last, "R19-closing", what, said(last))
    what = "Other points than some have signed."
    richer = (counted[0] + 100, *counted[1:])
    yield one.after(last, "R19-points", what, said(last, richer))


def _states(moment: Moment, *parts: bytes) -> Iterator[State]:
    state = moment.state
    for part in parts:
        state = follow(state, part)
        yield state


def _to_the_end(moment: Moment, agreed: bytes) -> tuple[bytes, ...]:
    """Return all entries after the continuation `agreed`, until the round is closed."""
    state, entries = follow(moment.state, agreed), list[bytes]()
    players = list(moment.table.players)
    if state.charter.members != moment.state.charter.members:
        players[moment.writer] = Player(moment.writer, OLGA.sign)
    while state.due is not None and state.due.kind in {"open", "close"}:
        writer = players[state.due.player]
        entries.append(writer.write(state, seeded("vector of closed hands")).entry)
        state = advance(state, entries[-1])
    return tuple(entries)


def _between(one: Forge) -> Iterator[Record]:
    """Return records that are continued between the count of a round and the next deal."""
    counted, half = one.of.when("close"), one.of.last("close")
    entry, shuffle = replaced_and_shuffled(half)
    what = "One player has not signed the round: it counts, and the next one is shuffled."
    yield one.after(half, "half-closed", what, entry, shuffle)
    what = "The match ends when the round is counted, and nobody has signed it."
    gone = counted.writer
    yield one.after(counted, "ended-counted", what, ended(counted.table, counted.state, gone))
    first = one.of.when("shuffle", lambda moment: moment.state.match.round_number == 2)
    entry, shuffle = replaced_and_shuffled(first)
    what = "A player leaves between two rounds: the second one begins again, as another deal."
    yield one.after(first, "between", what, entry, shuffle)
    end = ended(first.table, first.state, first.writer)
    yield one.after(first, "ended-between", "The match ends between two rounds.", end)
    points = one.of.last("close").the(CloseContent).points
    charter = offered(first.state, [first.writer])
    assert charter.continues is not None
    again = evolve(charter, continues=evolve(charter.continues, results=(points, points)))
    what = "The last round is said to be counted once more."
    signed = concluded(first.table, first.state, again).encode()
    yield one.after(first, "R19-between", what, signed)
    honest = first.the(ShuffleContent)
    before = (first.state.match.dealer - 1) % 4
    dealer = first.state.match.seating[before]
    what = "The dealer of the last round shuffles first again."
    yield one.after(first, "R11-dealer", what, first.signed(honest, dealer))
    then = evolve(first, state=one.of.table.state, number=len(one.of.entries))
    entry = replaced(then.table, then.state, then.state.writers[0])
    again_announced = evolve(then, state=follow(then.state, entry)).signed(honest, first.writer)
    what = "The dealer announces the key of the interrupted round again."
    yield one.after(then, "R13-again", what, entry, again_announced)
