"""A record's own summary: the game, the players, and the score.

Nothing is checked here: only an audit finds out if it is true.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from attrs import frozen

from client.i18n.language import _, number
from client.i18n.names import with_and
from client.record_files import RecordError
from p2p.system_errors import reason_of
from protocol.charter import Charter, SignedCharter
from protocol.entries import Body, CloseContent, Entry
from protocol.errors import Malformed, Unattributable
from protocol.record import PartKind, RecordReader, kind_of

_PORTION = 1 << 20
_CLOSE = CloseContent.kind.encode()


@frozen
class RecordSummary:
    """A record at a glance."""

    charter: Charter
    totals: tuple[int, ...] | None
    """Match points of the sides; None before a round is counted."""
    written: datetime
    """Time when the file was written."""

    @classmethod
    def read(cls, path: Path) -> "RecordSummary":
        """Return the summary of a file. Raises RecordError if it cannot be read as a record."""
        try:
            written = datetime.fromtimestamp(path.stat().st_mtime)
            parts = _parts(path)
            first = next(parts, None)
            if first is None:
                raise RecordError("{path} holds no record.", path=path.name)
            charter, totals = summed(SignedCharter.decode(first).charter, parts)
            return cls(charter, totals, written)
        except OSError as error:
            raise RecordError(
                "{path} cannot be read: {reason}.", path=path.name, reason=reason_of(error)
            ) from error
        except (Malformed, Unattributable) as error:
            raise RecordError(
                "{path} cannot be read: {reason}", path=path.name, reason=error
            ) from error

    @property
    def names(self) -> str:
        return with_and(member.name for member in self.charter.members)

    @property
    def line(self) -> str:
        """Time, game, players and score."""
        told = _("{time}  {game} with {names}: {score}")
        return told.format(
            time=f"{self.written:%Y-%m-%d %H:%M}",
            game=self.charter.game.title,
            names=self.names,
            score=score_text(self.totals),
        )


def summed(charter: Charter, parts: Iterable[bytes]) -> tuple[Charter, tuple[int, ...] | None]:
    """Return the charter that was signed last, and the match points of the sides.

    The points are those after the rounds that somebody has signed as counted, None if there are
    none. `parts` are those of a record behind the first charter. Raises Malformed for a part that
    cannot be read.
    """
    sides = charter.game.sides(len(charter.members))
    counted = _results(charter)
    game = charter.game.name.encode()
    for data in parts:
        if _CLOSE not in data and game not in data:
            continue  # most entries say neither, and need not be decoded
        if kind_of(data) is PartKind.CHARTER:
            charter = SignedCharter.decode(data).charter
            counted = _results(charter)
        elif kind_of(data) is PartKind.ENTRY:
            content = Body.decode(Entry.decode(data).body, charter.game.deck).content
            if isinstance(content, CloseContent) and len(content.points) == sides:
                counted[content.round_number] = content.points
    return charter, tuple(map(sum, zip(*counted.values(), strict=True))) or None


def _results(charter: Charter) -> dict[int, tuple[int, ...]]:
    """Return the points of the rounds before a continuation, by their numbers."""
    results = () if charter.continues is None else charter.continues.results
    return dict(enumerate(results, start=1))


def score_text(totals: tuple[int, ...] | None) -> str:
    """Return the match points of the sides, as people read them."""
    if totals is None:
        return _("no round counted yet")
    return " : ".join(map(number, totals))


def _parts(path: Path) -> Iterator[bytes]:
    """Return the charter and the entries. Raises OSError, Malformed, Unattributable."""
    reader = RecordReader()
    with path.open("rb") as file:
        while data := file.read(_PORTION):
            yield from reader.feed(data)
