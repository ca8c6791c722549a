"""The parts of the table as lines of styled text, each a function of the view and a width."""

from collections.abc import Sequence

from attrs import evolve
from prompt_toolkit.utils import get_cwidth

from client.i18n.language import _, _n, number
from client.session.snapshot import LogLine
from client.ui.model.table_view import MeldView, PileView, SeatView, SideView, TableView
from client.ui.model.table_words import (
    mark_word,
    opening_reached,
    opening_selected,
    opening_wanted,
    pile_state,
    status_sentence,
)
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded, padded, width_of, wrapped
from engine.cards import Card
from engine.table_status import MeldClass, PileState

_ROOMY = 34  # columns in which all about a player can be told in one line


def header(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """The game, the round and the score."""
    title = [view.game]
    if view.rounds:
        title.append(
            _("round {number} of {rounds}").format(number=view.round_number, rounds=view.rounds)
        )
    elif view.round_number:
        title.append(_("round {number}").format(number=view.round_number))
    if view.target:
        title.append(_("to {points}").format(points=number(view.target)))
    left = f" {glyphs.dot} ".join(title)
    scores = [f"{side.name} {number(side.total)}" for side in view.sides]
    room = width - 3 - len(left)
    right: Line = (Span(f" {glyphs.dot} ".join(scores), "class:header"),)
    if width_of(right) > room:  # the sides have their totals beside their names too
        right = (Span("".join(scores[:1]), "class:header"),)
    gap = max(1, width - 2 - len(left) - width_of(right))
    line = (
        Span(f" {left}", "class:header bold"),
        Span(" " * gap, "class:header"),
        *right,
        Span(" ", "class:header"),
    )
    return [padded(line, width)]


# -- who sits around, and the middle of the table


def seats(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """The others around the stock and the pile, which always lie at the same place: four lines,
    and one for what is to be known of the pile where there is no room beside it.
    """
    far = list(view.others)
    near = [far.pop(0), far.pop()] if len(far) > 1 else []  # who sits to the left and the right
    flank = max(13, min(30, width // 5)) if near else 0
    room = width - 2 * flank
    rows = [padded(line, room) for line in _centre(view, glyphs, room)]
    if near:
        left, right = ([padded(line, flank) for line in _flank(seat, glyphs)] for seat in near)
        rows = [first + row + last for first, row, last in zip(left, rows, right, strict=True)]
    lines = [_far_side(far, glyphs, width), *rows]
    if view.pile is None or _beside_pile(view, room) >= _ABOUT_PILE:
        return lines
    below, count, state = _pile_lines(view.pile, glyphs, width)
    dot: Line = (Span(f" {glyphs.dot} "),)
    told = (part for part in (count, state, below) if part)
    return [*lines, padded(sum((dot + part for part in told), ())[1:], width, align="^")]


def _far_side(others: Sequence[SeatView], glyphs: Glyphs, width: int) -> Line:
    if not others:
        return (Span(""),)
    share = width // len(others)
    line: Line = ()
    for seat in others:
        known = _about(seat) if share >= _ROOMY else _about(evolve(seat, partner=False))
        about = (Span(f" {glyphs.dot} {known}", "class:dim"),)
        line += padded((*_seat_name(seat, glyphs), *about), share, align="^")
    return line


def _flank(seat: SeatView, glyphs: Glyphs) -> list[Line]:
    return [(), _seat_name(seat, glyphs), (Span(f" {_about(seat)}", "class:dim"),)]


def _seat_name(seat: SeatView, glyphs: Glyphs) -> Line:
    style = "class:seat.turn" if seat.turn else "class:seat.partner" if seat.partner else ""
    return (Span(f" {glyphs.turn if seat.turn else ' '} "), Span(seat.name, style))


def _about(seat: SeatView) -> str:
    about = [_n("{n} card", "{n} cards", seat.cards)]
    if seat.dealer:
        about.append(_("deals"))
    if seat.partner:
        about.append(_("partner"))
    return ", ".join(about)


def _centre(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """The stock and the pile as cards, and what is to be known of the pile."""
    if view.pile is None:
        return [(), (), ()]
    words = _stock_words(view)
    label = _label(words)
    stock = _box(f"{view.stock:>3}", "class:back", glyphs, Click("stock"))
    top = view.pile.top
    face = " -- " if top is None else f" {glyphs.face(top):<3}"
    style = "class:dim" if top is None else card_style(top)
    pile = _box(face, style, glyphs, Click("pile"))
    beside = _beside_pile(view, width)
    about = _pile_lines(view.pile, glyphs, beside) if beside >= _ABOUT_PILE else [(), (), ()]
    return [
        (Span(word.rjust(label) + " "), *back, Span(" "), *front, Span(" "), *text)
        for word, back, front, text in zip(words, stock, pile, about, strict=True)
    ]


_ABOUT_PILE = 12
"""Columns that are enough to tell of the pile beside it."""


def _beside_pile(view: TableView, width: int) -> int:
    """The columns that are left of the middle of the table."""
    return width - _label(_stock_words(view)) - 14


def _label(words: Sequence[str]) -> int:
    """Columns of what is told of the stock."""
    return max(7, *map(get_cwidth, words))


def _stock_words(view: TableView) -> list[str]:
    deads = _n("{n} dead", "{n} deads", view.deads) if view.deads else ""
    return ["", _("stock"), deads]


def _box(face: str, style: str, glyphs: Glyphs, click: Click) -> list[Line]:
    edge = glyphs.across * len(face)
    corners = glyphs.corners
    return [
        (Span(corners[0] + edge + corners[1], "class:frame", click),),
        (
            Span(glyphs.down, "class:frame", click),
            Span(face, style, click),
            Span(glyphs.down, "class:frame", click),
        ),
        (Span(corners[2] + edge + corners[3], "class:frame", click),),
    ]


def _pile_lines(pile: PileView, glyphs: Glyphs, width: int) -> list[Line]:
    """Three lines: the cards below the top that are seen, how many there are, and the state, which
    has two of them where it is long and nothing is seen.
    """
    if not pile.count:
        return [(), (Span(_("no pile"), "class:dim"),), ()]
    below: Line = tuple(
        Span(glyphs.face(card) + " ", card_style(card)) for card in reversed(pile.seen)
    )
    count = _n("pile of {n}", "pile of {n}", pile.count)
    state = pile_state(pile)
    style = "class:dim" if pile.state is PileState.FREE else "class:warn"
    if get_cwidth(state) > width and not below:
        return ([(Span(count),), *folded(state, width, style), ()])[:3]
    return [cut(below, width), (Span(count),), cut((Span(state, style),), width)]


# -- what lies on the table


def sides(view: TableView, glyphs: Glyphs, width: int, rows: int = 0) -> list[Line]:
    """Each side's melds under its name: a line for each where there are `rows` enough, with how far
    it is; otherwise several in a line.
    """
    lines = [line for side in view.sides for line in _side_in_full(side, glyphs, width)]
    if len(lines) <= rows:
        return lines
    laid = [_melds(side, glyphs, " ") for side in view.sides]
    if any(sum(width_of(meld) + 2 for meld in melds) > width for melds in laid):
        laid = [_melds(side, glyphs, "") for side in view.sides]
    lines = []
    for side, melds in zip(view.sides, laid, strict=True):
        lines.append(_side_title(side, glyphs, width))
        lines += wrapped(melds, width, indent=" ") or [_no_melds()]
    return lines


def _no_melds() -> Line:
    return (Span(" " + _("no melds yet"), "class:dim"),)


def _side_in_full(side: SideView, glyphs: Glyphs, width: int) -> list[Line]:
    melds = [_meld_in_full(meld, glyphs, width, numbered=side.mine) for meld in side.melds]
    return [_side_title(side, glyphs, width), *(melds or [_no_melds()])]


_GAUGE = 7


def _meld_in_full(meld: MeldView, glyphs: Glyphs, width: int, *, numbered: bool) -> Line:
    """A meld in a line of its own: number, cards, count and gauge, points, clean or not."""
    click = Click("meld", meld.number) if numbered else None
    style = "class:staged" if meld.staged else ""
    count = len(meld.cards)
    full = min(_GAUGE, _GAUGE * count // meld.wanted)
    gauge = glyphs.bar[0] * full + glyphs.bar[1] * (_GAUGE - full)
    kind = meld.mark or (MeldClass.DIRTY if meld.mixed else MeldClass.CLEAN)
    told: Line = (
        Span(f" {count:>2}/{meld.wanted:<2} {gauge} ", "class:dim", click),
        Span(f"{meld.points:>4} ", style, click),
        Span(
            f"{glyphs.marks[kind] if meld.mark else ' '} {mark_word(kind)}",
            _mark_style(kind) if meld.mark else "class:dim",
            click,
        ),
    )
    told = padded(told, _ABOUT_MELD)
    number = f"{meld.number:>3} " if numbered else "    "
    faces = tuple(
        Span(f"{glyphs.face(card)} ", f"{card_style(card)} {style}", click) for card in meld.cards
    )
    mark: Line = (Span(glyphs.chosen, "class:warn", click),) if meld.staged else ()
    cards: Line = (Span(number, f"class:dim {style}", click), *faces, *mark)
    room = width - _ABOUT_MELD - 1
    return (*padded(cut(cards, room), min(room, _MELD_COLUMNS)), *told)


_MELD_COLUMNS = 44
"""Of the cards of a meld, so that what is told of it stands in one column."""

_ABOUT_MELD = 30


def _side_title(side: SideView, glyphs: Glyphs, width: int) -> Line:
    rule = glyphs.across * 2
    parts: Line = (
        Span(f"{rule} ", "class:rule"),
        Span(side.name, "class:side.mine" if side.mine else "class:side"),
        Span(f" {glyphs.dot} {number(side.total)}"),
    )
    if side.opening is not None:
        parts += (Span(f" {glyphs.dot} {opening_wanted(side.opening)}", "class:dim"),)
    if side.bonus:
        parts += (Span(f" {glyphs.dot}"),)
        parts += tuple(Span(f" {glyphs.face(card)}", card_style(card)) for card in side.bonus)
    return _ruled(parts, glyphs, width)


def _ruled(parts: Line, glyphs: Glyphs, width: int) -> Line:
    parts = cut(parts, width)
    rest = width - width_of(parts) - 1
    return (*parts, Span(" " + glyphs.across * rest, "class:rule")) if rest > 0 else parts


def _melds(side: SideView, glyphs: Glyphs, gap: str) -> list[Line]:
    return [_meld(meld, glyphs, gap, numbered=side.mine) for meld in side.melds]


def _meld(meld: MeldView, glyphs: Glyphs, gap: str, *, numbered: bool) -> Line:
    click = Click("meld", meld.number) if numbered else None
    style = "class:staged" if meld.staged else ""
    number: Line = (Span(f"{meld.number}:", f"class:dim {style}", click),) if numbered else ()
    if meld.mark is None:
        last = len(meld.cards) - 1
        faces = tuple(
            Span(glyphs.face(card) + gap * (place < last), f"{card_style(card)} {style}", click)
            for place, card in enumerate(meld.cards)
        )
    else:
        faces = (Span(f"[{squared(meld, glyphs)}]", f"{_mark_style(meld.mark)} {style}", click),)
    mark: Line = (Span(glyphs.chosen, "class:warn"),) if meld.staged else ()
    return (*number, *faces, *mark, Span(gap))


def squared(meld: MeldView, glyphs: Glyphs) -> str:
    """A complete meld, squared up: what it is of, how many cards, and its mark."""
    assert meld.mark is not None
    if meld.rank is not None:
        what = meld.rank.code.replace("T", "10")
    else:
        what = f"{glyphs.face(meld.cards[0])}-{glyphs.face(meld.cards[-1])} "
    mark = glyphs.marks[meld.mark]
    return f"{what}{glyphs.times}{len(meld.cards)} {mark} {mark_word(meld.mark)}"


def _mark_style(mark: MeldClass) -> str:
    return f"class:mark.{mark.value}"


# -- what is to be done


def status(view: TableView, glyphs: Glyphs, width: int) -> list[Line]:
    """Whose turn it is and what for; who is waited for; then what was answered last."""
    lines = [_now(view, glyphs)]
    lines += folded(glyphs.plain(view.awaited), width - 1, "class:warn")[:3] if view.awaited else []
    if view.notice is not None:
        clause = f" [{view.notice.clause}]" if view.notice.clause else ""
        text = glyphs.plain(view.notice.text + clause)
        lines += folded(text, width - 1, "class:warn" if clause else "class:notice")[:3]
    while len(lines) < 2:
        lines.append(())
    return [(Span(" "), *cut(line, width - 1)) for line in lines]


def _now(view: TableView, glyphs: Glyphs) -> Line:
    if view.staging and view.staged is not None:
        text = _("Laid out: {reached}. Enter sends it.").format(
            reached=opening_reached(view.staged)
        )
        return (Span(text, "class:mine"),)
    if view.staging:
        return (Span(_("Laid out, not sent: Enter sends it."), "class:mine"),)
    if view.doing is not None:
        bar = _bar(view.doing.done, view.doing.total, glyphs)
        return (Span(glyphs.plain(view.doing.text) + "  "), Span(bar, "class:bar"))
    if view.reach is not None:
        return (Span(opening_selected(view.reach), "class:mine"),)
    text = status_sentence(view)
    mark = f"{glyphs.turn} " if view.my_move else ""
    return (Span(mark + glyphs.plain(text), "class:mine" if view.my_move else ""),)


def _bar(done: int, total: int, glyphs: Glyphs) -> str:
    if not total:
        return ""
    full, empty = glyphs.bar[0], glyphs.bar[1]
    return full * (3 * done) + empty * (3 * (total - done)) + f" {done}/{total}"


def log(view: TableView, glyphs: Glyphs, width: int, rows: int) -> list[Line]:
    """The last of what happened, under a rule, in as many rows as there are."""
    if rows < 2:
        return []
    title = _ruled((Span(glyphs.across * 2 + " ", "class:rule"), Span(_("Log"))), glyphs, width)
    lines = log_lines(view.log[-rows:], glyphs, width - 1)
    return [title, *((Span(" "), *line) for line in lines[-(rows - 1) :])]


def log_lines(log: Sequence[LogLine], glyphs: Glyphs, width: int) -> list[Line]:
    """What happened, a name once for all that its player did on end, a rule before each round."""
    column = max((get_cwidth(line.who) for line in log), default=0) + 1
    lines: list[Line] = []
    before = ""
    for told in log:
        text = glyphs.plain(told.text)
        if told.heading:
            rule: Line = (Span(glyphs.across * 2 + " ", "class:rule"), Span(text, "bold"))
            lines.append(_ruled(rule, glyphs, width))
        elif told.who:
            name = glyphs.plain(told.who) if told.who != before else ""
            first, *more = folded(text, max(10, width - column))
            blank = Span(" " * column)
            lines.append((*padded((Span(name, "class:side"),), column), *first))
            lines += [(blank, *line) for line in more]
        else:
            lines += folded(text, width, "class:dim")
        before = told.who
    return lines


def card_words(cards: Sequence[Card], glyphs: Glyphs) -> Line:
    """Cards apart by spaces."""
    return tuple(Span(glyphs.face(card) + " ", card_style(card)) for card in cards)
