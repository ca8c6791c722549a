"""The match as a timeline: a lane for each player, a column for each round, marks for events."""

from collections.abc import Iterator

from client.i18n.language import _, _n
from client.reports.html.boxes_and_tables import bullets, picture, scrolling
from client.reports.html.markup import Html, join, tag
from client.reports.html.round_columns import MARGIN, RoundColumn, Scale
from client.reports.model import AuditReport, Highlight, RoundReport, TableReport
from client.reports.words import GOES_OUT, OPENS, continuation_sentence, round_title
from engine.sentences import N_
from protocol.audit import Verdict

LANE_HEIGHT = 26.0
_HEAD, _PHASES_HEIGHT = 22.0, 10.0
_LONGEST_NAME = 12

_PHASES = (
    ("shuffle", N_("shuffling"), ("shuffle",)),
    ("play", N_("moves"), ("unlock", "move")),
    ("end", N_("opening and signing"), ("open", "close")),
)
"""The parts of a round in their order, and the kinds of entries in each."""

_RING = "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
SQUARE = "M-5 -5h10v10h-10z"
_DIAMOND = "M0 -7l7 7l-7 7l-7 -7z"
STAR = "M0 -8.5l2.5 5.4l5.9 .7l-4.4 4l1.2 5.8l-5.2 -2.9l-5.2 2.9l1.2 -5.8l-4.4 -4l5.9 -.7z"
_CROSS = "M-6 -6l12 12M6 -6l-12 12"


def timeline(report: AuditReport, table: TableReport, scale: Scale, record: int | None) -> Html:
    """Return the timeline of all rounds, from the draw to the end.

    `record` is the number of the record on the page, for links to entries; None if the page does
    not check the record.
    """
    lanes = len(table.players)
    bottom = _HEAD + LANE_HEIGHT * lanes
    height = bottom + _PHASES_HEIGHT + 4

    def inner() -> Iterator[Html]:
        marks = []
        for column, one in zip(scale.columns, report.rounds, strict=True):
            yield tag("g", _column(column, one, bottom))
            marks.append(join(_marks(column, one, table.during(one), record)))
        for at, player in enumerate(table.players):
            yield lane(scale.width, at, player.name)
        yield from marks
        end = report.conclusion
        if end.player is not None and scale.columns:
            name = report.name(end.player)
            text = _("Entry {number}: {name} is exposed")
            if end.verdict is Verdict.ILLEGAL:
                text = _("Entry {number}: {name} has signed what is against the rules")
            text = text.format(number=end.entry, name=name)
            x, y = scale.columns[-1].right - 8, lane_middle(end.player)
            yield mark(x, y, end.player, _CROSS, text, "exposed")

    title = _("The match as a timeline")
    drawn = picture(scale.width, height, title, inner(), links=record is not None)
    return tag("div", scrolling(drawn, title), _key(report))


def lane(width: float, at: int, name: str, head: float = _HEAD) -> Html:
    """Return lane number `at` with a player's name; `head` is the room above the first lane."""
    y = lane_middle(at, head)
    short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return tag(
        "g",
        tag("line", x1=MARGIN, x2=width, y1=y, y2=y),
        tag("text", tag("title", name), short, x=MARGIN - 8, y=y + 4, text_anchor="end"),
        class_=f"lane p{at}",
    )


def lane_middle(at: int, head: float = _HEAD) -> float:
    """Return the y coordinate of a lane's line."""
    return head + LANE_HEIGHT * (at + 0.5)


def _column(column: RoundColumn, one: RoundReport, bottom: float) -> Iterator[Html]:
    left, right = column.left + 1, column.right - 1
    title = tag("title", round_title(one))
    kind = "void" if one.void else "column"
    yield tag(
        "rect", title, x=left, y=_HEAD, width=right - left, height=bottom - _HEAD, class_=kind
    )
    if one.number and not one.void:
        middle = (left + right) / 2
        yield tag("text", one.number, x=middle, y=_HEAD - 7, text_anchor="middle")
    # The bar under the column has a part for each phase: if 20 of 200 entries are shuffles, their
    # part has a tenth of the width.
    total = max(sum(one.checked.entries.values()), 1)
    at = left
    for phase, words, kinds in _PHASES:
        count = sum(one.checked.entries.get(kind, 0) for kind in kinds)
        width = (right - left) * count / total
        if count:
            text = f"{_(words)}: {_n('{n} entry', '{n} entries', count)}"
            yield tag(
                "rect",
                tag("title", text),
                x=at,
                y=bottom + 1,
                width=width,
                height=_PHASES_HEIGHT,
                class_=phase,
            )
        at += width


def _marks(
    column: RoundColumn, one: RoundReport, table: TableReport, record: int | None
) -> Iterator[Html]:
    for light in one.highlights:
        text = _("Entry {number}: {name} {what}").format(
            number=light.entry, name=table.players[light.player].name, what=_(light.what)
        )
        x, y = column.x_of(light.entry), lane_middle(light.player)
        shape = mark(x, y, light.player, _shape(light), text, _kind(light))
        yield linked(shape, record, light.entry, text)
    for each in one.continuations:
        x = column.x_of(each.entry) if each.closed else column.right - 8
        for player in each.players:
            text = continuation_sentence(each)
            yield mark(x, lane_middle(player), player, _CROSS, text, "absent")


def linked(inner: Html, record: int | None, entry: int, label: str) -> Html:
    """Return `inner` with a link to an entry, if the record is on the page."""
    if record is None:
        return inner
    return tag("a", inner, href=f"#entry-{record}-{entry}", aria_label=label)


def mark(x: float, y: float, player: int, shape: str, label: str, kind: str) -> Html:
    """Return a mark in a player's colour, with its meaning as the title."""
    place = f"translate({x:.1f} {y:.1f})"
    return tag("path", tag("title", label), d=shape, transform=place, class_=f"{kind} p{player}")


def _shape(light: Highlight) -> str:
    shapes: dict[str, str] = {OPENS: _RING, GOES_OUT: STAR}
    return SQUARE if light.completes else shapes.get(light.what, _DIAMOND)


def _kind(light: Highlight) -> str:
    return "mark ring" if light.what == OPENS else "mark"


def _key(report: AuditReport) -> Html:
    """Return the key: the meaning of each mark and colour in the picture."""
    shown = {_shape(light): light.what for one in report.rounds for light in one.highlights}
    marks = [(_RING, "mark ring", _("opens"))] if _RING in shown else []
    marks += [(SQUARE, "mark", _("completes a meld")), (STAR, "mark", _("goes out"))]
    if _DIAMOND in shown:
        marks.append((_DIAMOND, "mark", _(shown[_DIAMOND])))
    if any(one.continuations for one in report.rounds):
        marks.append((_CROSS, "absent", _("is gone")))
    if report.conclusion.player is not None:
        illegal = report.conclusion.verdict is Verdict.ILLEGAL
        words = _("has signed what is against the rules") if illegal else _("is exposed")
        marks.append((_CROSS, "exposed", words))
    bar = "M-8 -5h16v10h-16z"
    marks += [(bar, phase, _(words)) for phase, words, _kinds in _PHASES]
    if any(one.void for one in report.rounds):
        marks.append((bar, "void", _("void")))
    return bullets(((symbol(shape, kind), words) for shape, kind, words in marks), "keys")


def symbol(shape: str, kind: str) -> Html:
    """Return a mark alone, for the key to a picture."""
    path = tag("path", d=shape, class_=kind)
    return tag("svg", path, viewBox="-9 -9 18 18", class_="symbol", aria_hidden="true")
