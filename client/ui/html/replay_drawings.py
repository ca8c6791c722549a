"""All drawings for the page of a replay; each line, sentence and screen is stored once.

A screen is a tuple with the numbers of its lines. A line is a tuple with the style, text and
columns of its first span, then those of the second, and so on.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from attrs import define, field

from client.errors import BadRequest
from client.i18n.language import _, number
from client.reports.words import verdict
from client.ui.model.replay import Replay, Teller, Viewer
from client.ui.tui.replay.cursor import MOVEMENTS, ReplayCursor
from client.ui.tui.replay.drawing import SeenTable, TableDrawing
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import Line

WIDE, NARROW = 80, 48
"""Widths of the drawn table in columns: on a screen, and on a phone."""

LARGEST = 32_000_000
"""The maximum size of all drawings before compression, in characters and numbers."""

_SILENT = ("class:frame", "class:rule")
"""Styles of frames and of drawn lines, which a screen reader leaves out."""

_T = TypeVar("_T", bound=Hashable)


@define
class ReplayDrawings:
    """Collector of the drawings of a replay, for each viewer and moment."""

    replay: Replay
    size: int = 0
    styles: dict[str, int] = field(factory=dict)
    """The number of each style, in the order of first use.

    Lines, screens and sentences are numbered in the same way.
    """
    _lines: dict[tuple[str | int, ...], int] = field(factory=dict)
    _screens: dict[tuple[int, ...], int] = field(factory=dict)
    _sentences: dict[str, int] = field(factory=dict)

    def data(self, viewers: Sequence[Viewer], on_progress: Callable[[str], None]) -> dict[str, Any]:
        """Return all data of the page, for JSON; `on_progress` is called after each table is drawn.

        Raises BadRequest if the data would be larger than `LARGEST`.
        """
        moments = self.replay.moments
        template = _("{done} of {all} tables drawn")
        views = []
        for place, viewer in enumerate(viewers):
            done, total = place * len(moments), len(viewers) * len(moments)
            drawn = []
            for at, drawing in enumerate(self._view(viewer)):
                drawn.append(drawing)
                on_progress(template.format(done=number(done + at + 1), all=number(total)))
                if self.size > LARGEST:
                    raise BadRequest(
                        "The page would hold more than {size} MB. With `--seat` it holds what "
                        "one player saw, and is smaller.",
                        size=LARGEST // 1_000_000,
                    )
            names = ("told", "wide", "narrow")
            columns = dict(zip(names, map(list, zip(*drawn, strict=True)), strict=True))
            views.append({"name": self._name(viewer), **columns})
        rounds = {moment.deal_number: self.replay.title(moment) for moment in moments}
        numbers = {deal: place for place, deal in enumerate(rounds)}
        return {
            "entries": [moment.number for moment in moments],
            "round": [numbers[moment.deal_number] for moment in moments],
            "titles": list(rounds.values()),
            "begin": self.replay.first_with_cards,
            "moves": self._moves(),
            "views": views,
            "sentences": list(self._sentences),
            "screens": list(self._screens),
            "lines": list(self._lines),
            "silent": [at for at, style in enumerate(self.styles) if style in _SILENT],
            "verdict": verdict(self.replay.report),
        }

    def _view(self, viewer: Viewer) -> Iterator[tuple[int, int, int]]:
        """Yield, for each moment, the numbers of its sentence, wide screen and narrow screen."""
        teller = Teller(viewer, symbols=True)
        wide = TableDrawing(UNICODE, WIDE)
        narrow = TableDrawing(UNICODE, NARROW, meld_rows=0)
        for moment in self.replay.moments:
            seen = SeenTable.of(moment, viewer)
            text = UNICODE.plain(f"{teller.sentence(moment)}.")
            sentence = self._counted(self._sentences, text, len(text))
            yield sentence, self._screen(wide.lines(seen)), self._screen(narrow.lines(seen))

    def _screen(self, lines: Iterable[Line]) -> int:
        numbers = tuple(map(self._line, lines))
        return self._counted(self._screens, numbers, len(numbers))

    def _line(self, line: Line) -> int:
        """Return the number of a line, after joining neighbouring spans of the same style."""
        parts: list[str | int] = []
        for span in line:
            style = self.styles.setdefault(span.style, len(self.styles))
            # The last three parts are the style, text and columns of the span before.
            if parts and parts[-3] == style:
                parts[-2:] = f"{parts[-2]}{span.text}", int(parts[-1]) + span.width
            elif span.text:
                parts += style, span.text, span.width
        return self._counted(self._lines, tuple(parts), sum(len(str(part)) for part in parts))

    def _counted(self, numbers: dict[_T, int], thing: _T, size: int) -> int:
        """Return the number of a thing. Add 1 to the total size, and `size` if the thing is new."""
        if thing not in numbers:
            self.size += size
        self.size += 1
        return numbers.setdefault(thing, len(numbers))

    def _moves(self) -> dict[str, list[int]]:
        """Return a list for each movement. Item i is the moment that it reaches from moment i."""
        places = range(len(self.replay.moments))
        return {
            movement.name: [movement.move(ReplayCursor(self.replay, at)).at for at in places]
            for movement in MOVEMENTS
        }

    def _name(self, viewer: Viewer) -> str:
        if viewer is None:
            return _("all that was opened")
        return " / ".join(self.replay.sitters[viewer])
