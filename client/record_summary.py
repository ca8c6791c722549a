"""The standing of a match, as its record states it: the game, the players, and the score.

The score is not checked here: only an audit can tell if it is true.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from attrs import frozen

from client.i18n.language import _, number, with_and
from client.record_files import RecordError
from p2p.error_reasons import reason_of
from protocol.charter import Charter, SignedCharter
from protocol.continuation import open_table
from protocol.entries import Body, CloseContent, Entry
from protocol.errors import Malformed, RemoteError, Unattributable
from protocol.record_file import PartKind, RecordReader, kind_of
from protocol.reducer import advance
from protocol.state import State

_PORTION = 1 << 20
_CLOSE = CloseContent.kind.encode()


@frozen
class Standing:
    """The score of a match, and its players."""

    charter: Charter
    """The newest charter in the record."""
    seating: tuple[int, ...]
    """The number of the player at each seat; () before the draw for seats."""
    totals: tuple[int, ...] | None
    """The match points of the sides; None before the first counted round. A round counts here as
    soon as one player has signed its score.
    """

    @property
    def line(self) -> str:
        """Return the game, the players by seat, and the match points of the sides.

        The first player belongs to the side whose points come first.
        """
        players = self.seating or range(len(self.charter.members))
        score = _("no round counted yet")
        if self.totals is not None:
            score = " : ".join(map(number, self.totals))
        return _("{game} with {names}: {score}").format(
            game=self.charter.game.title,
            names=with_and(self.charter.members[player].name for player in players),
            score=score,
        )


def record_line(path: Path) -> str:
    """Return a line about a record file: its time, and the standing of its match.

    Raises RecordError if the file cannot be read as a record.
    """
    try:
        written = datetime.fromtimestamp(path.stat().st_mtime)
        standing = standing_after(_parts(path))
    except OSError as error:
        raise RecordError(
            "{path} cannot be read: {reason}.", path=path.name, reason=reason_of(error)
        ) from error
    except (Malformed, Unattributable) as error:
        raise RecordError(
            "{path} cannot be read: {reason}", path=path.name, reason=error
        ) from error
    if standing is None:
        raise RecordError("{path} holds no record.", path=path.name)
    return f"{written:%Y-%m-%d %H:%M}  {standing.line}"


def standing_after(parts: Iterable[bytes]) -> Standing | None:
    """Return the standing of a match from the parts of its record; None if there are no parts.

    Raises Malformed for a part that cannot be read.
    """
    parts = iter(parts)
    first = next(parts, None)
    if first is None:
        return None
    signed = SignedCharter.decode(first)
    charter = signed.charter
    counted = _results(charter)
    draw = None if charter.continues is not None else open_table(None, signed)
    game = charter.game.name.encode()
    for data in parts:
        if draw is not None and not draw.match.seating:
            draw = _drawn(draw, data)
        if _CLOSE not in data and game not in data:
            continue  # neither a signed score ("close") nor a charter, which names the game
        if kind_of(data) is PartKind.CHARTER:
            charter = SignedCharter.decode(data).charter
            counted = _results(charter)
        elif kind_of(data) is PartKind.ENTRY:
            content = Body.decode(Entry.decode(data).body, charter.deck).content
            sides = charter.game.sides(len(charter.members))
            if isinstance(content, CloseContent) and len(content.points) == sides:
                counted[content.round_number] = content.points
    totals = tuple(map(sum, zip(*counted.values(), strict=True))) or None
    return Standing(charter, () if draw is None else draw.match.seating, totals)


def _drawn(state: State, part: bytes) -> State:
    """Return the state of the draw for seats after one more part of a record.

    If the part is not valid, the state stays the same. Proofs are not verified.
    """
    try:
        if kind_of(part) is PartKind.CHARTER:
            return open_table(state, SignedCharter.decode(part))
        return advance(state, part, later=[])
    except RemoteError:
        return state


def _results(charter: Charter) -> dict[int, tuple[int, ...]]:
    """Return the points that a continuation states for earlier rounds, by number of the round."""
    results = () if charter.continues is None else charter.continues.results
    return dict(enumerate(results, start=1))


def _parts(path: Path) -> Iterator[bytes]:
    """Return the charters and entries in a file. Raises OSError, Malformed, Unattributable."""
    reader = RecordReader()
    with path.open("rb") as file:
        while data := file.read(_PORTION):
            yield from reader.feed(data)
