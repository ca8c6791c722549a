"""The section of the page about one round; a reader can unfold every check in it."""

from collections.abc import Iterator

from client.i18n.language import _, _n, capital, number, with_and
from client.reports.html.boxes_and_tables import bullets, data_table, fold, held, row
from client.reports.html.cards import card, chip
from client.reports.html.draws import draws
from client.reports.html.markup import Html, join, tag
from client.reports.html.shuffles import chain, deck_grid
from client.reports.model import AuditReport, CardCount, RoundReport, TableReport
from client.reports.words import (
    GOES_OUT,
    card_places,
    continuation_sentence,
    count_sentence,
    moves_sentence,
    round_title,
)
from protocol.audit import Tally

_PLACES = ("melded", "bonus", "discarded", "held", "unseen")


def round_section(
    one: RoundReport, report: AuditReport, table: TableReport, record: int | None
) -> Html:
    """Return the round, folded up under its title.

    `record` is the number of the record on the page, for links to entries; None if the page does
    not check the record.
    """
    table = table.during(one)
    return tag(
        "details",
        tag("summary", tag("h3", round_title(one)), _gist(one, table)),
        [tag("p", continuation_sentence(each), class_="absence") for each in one.continuations],
        _drawn(one, table) if one.drawn else None,
        _score(one, table) if one.sheet else None,
        _account(one.count) if one.count else None,
        draws(one, table, record),
        [
            (
                tag("h4", _deal_title(one, place)),
                chain(deal, table, report.equations),
                fold(_("The deck, card by card"), deck_grid(deal, table)),
            )
            for place, deal in enumerate(one.deals, start=1)
        ],
        tag("h4", _("What was checked")),
        _moves(one, table) if any(one.moves) else None,
        _proofs(one, table, report.equations),
        _signatures(one, table) if one.signed else None,
        class_="round void" if one.void else "round",
    )


def _deal_title(one: RoundReport, place: int) -> str:
    title = _("The chain of shuffles")
    return title if len(one.deals) == 1 else f"{title}, {place}"


def _gist(one: RoundReport, table: TableReport) -> Html:
    """Return the round in one line."""
    if one.sheet is None:
        text = _("entries {first} to {last}").format(first=number(one.first), last=number(one.last))
        if not one.continuations:
            return tag("span", text, class_="gist")
        names = with_and(player.name for player in one.continuations[-1].left)
        absent = tag("span", _("gone: {names}").format(names=names), class_="away")
        return tag("span", tag("span", text), absent, class_="gist")
    sides = zip(table.sides, one.sheet.sheet.totals, strict=True)
    points = [
        tag("span", f"{name} ", tag("b", _signed(value)), class_=f"chip p{table.first_of(side)}")
        for side, (name, value) in enumerate(sides)
    ]
    out = [light.player for light in one.highlights if light.what == GOES_OUT]
    text = _("nobody goes out")
    if out:
        text = table.players[out[0]].name + " " + _("goes out")
    bar = _bar(one.count) if one.count else None
    return tag("span", points, tag("span", text), bar, class_="gist")


def _signed(value: int) -> str:
    return f"+{number(value)}" if value > 0 else number(value)


def _drawn(one: RoundReport, table: TableReport) -> Html:
    cards = (
        (chip(table, player), card(table.deck.codes[drawn], player))
        for player, drawn in enumerate(one.drawn)
        if drawn is not None
    )
    return tag("p", [tag("span", pair, class_="pair") for pair in cards])


def _score(one: RoundReport, table: TableReport) -> Html:
    assert one.sheet is not None
    sheet = one.sheet.sheet
    whats = dict.fromkeys((item.what, item.clause) for items in sheet.sides for item in items)
    rows = []
    for what, clause in whats:
        cells = []
        for items in sheet.sides:
            found = [item for item in items if (item.what, item.clause) == (what, clause)]
            times = [tag("small", f"({item.count}) ") for item in found if item.count != 1]
            cells.append((times, number(found[0].points) if found else "—"))
        rows.append(row((capital(_(what)), " ", tag("span", clause, class_="clause")), cells))
    for title, values in ((_("Round"), sheet.totals), (_("Match"), one.sheet.totals)):
        rows.append(row(title, map(number, values), "total"))
    title = _("Score, recomputed")
    return data_table((title, *table.sides), rows, title)


def _bar(count: CardCount) -> Html:
    """Return a bar whose parts show the number of cards in each place."""
    parts, at = [], 0
    for name in _PLACES:
        many: int = getattr(count, name)
        if many:
            parts.append(tag("rect", x=at, y=0, width=many, height=10, class_=name))
        at += many
    return tag(
        "svg",
        parts,
        viewBox=f"0 0 {max(at, 1)} 10",
        preserveAspectRatio="none",
        class_="strip",
        role="img",
        aria_label=count_sentence(count),
    )


def _account(count: CardCount) -> Html:
    """Return the count of all cards as a sentence, a bar, and a key to the bar."""
    keys = ((tag("i", "", class_=f"key {name}"), text) for name, text in card_places(count).items())
    good = (
        _("{cards} cards: every one is in one place, once")
        if count.balanced
        else _("{cards} cards: they do not add up!")
    )
    title = tag("h4", good.format(cards=count.total))
    return join([title, _bar(count), bullets(keys, "keys")])


def _moves(one: RoundReport, table: TableReport) -> Html:
    kinds = sorted({kind for moves in one.moves for kind in moves})
    total = sum(sum(moves.values()) for moves in one.moves)
    rows = [
        row(chip(table, player), (moves.get(kind) or "·" for kind in kinds))
        for player, moves in enumerate(one.moves)
    ]
    lights = [
        (_entry(light.entry), ": ", chip(table, light.player), f" {_(light.what)}")
        for light in one.highlights
    ]
    title = moves_sentence(total, table)
    counts = data_table(("", *map(_, kinds)), rows, title)
    return fold(held(title), counts, bullets(lights) if lights else None)


def _entry(entry: int) -> str:
    return _("entry {number}").format(number=number(entry))


def _proofs(one: RoundReport, table: TableReport, equations: tuple[str, ...]) -> Iterator[Html]:
    checked = one.checked
    rows = [
        tag(
            "tr",
            tag("td", number(link.entry)),
            tag("th", chip(table, link.player), scope="row"),
            tag("td", tag("code", link.unlock_key.hex())),
            [tag("td", "✓", class_="good") for _equation in equations],
        )
        for deal in one.deals
        for link in deal.shuffles
    ]
    title = _n("{n} shuffle proof", "{n} shuffle proofs", checked.shuffle_proofs)
    heads = (_("Entry"), _("Player"), _("Unlock key"), *equations)
    yield fold(held(title), data_table(heads, rows, title))
    if checked.unlock_proofs + checked.face_proofs:
        yield _unlockings(checked)
    entries = sum(checked.entries.values())
    yield fold(
        held(_n("{n} entry, signed and chained", "{n} entries, signed and chained", entries)),
        tag(
            "p",
            _(
                "Entries {first} to {last}: each is signed by the player whose turn it "
                "was, and bound to all before it."
            ).format(first=number(one.first), last=number(one.last)),
        ),
    )


def _unlockings(checked: Tally) -> Html:
    unlockings = _n("{n} unlocking proof", "{n} unlocking proofs", checked.unlock_proofs)
    faces = _n("{n} proof of cards shown", "{n} proofs of cards shown", checked.face_proofs)
    return fold(
        held(f"{unlockings}, {faces}"),
        tag(
            "p",
            _(
                "Each shows that one and the same lock was taken off all cards of an entry, the "
                "lock that was announced with the shuffle (equation dleq). So a card that is shown "
                "is the card that was dealt, and nobody could have shown another."
            ),
        ),
    )


def _signatures(one: RoundReport, table: TableReport) -> Html:
    entries = ((chip(table, player), ": ", _entry(entry)) for player, entry in one.signed)
    everybody = len(one.signed) == len(table.players)
    title = _("The score is signed by all") if everybody else _("The score is not signed by all")
    return fold(held(title) if everybody else title, bullets(entries))
