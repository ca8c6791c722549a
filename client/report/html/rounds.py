"""One round of a match, with every check that one may unfold."""

from collections.abc import Iterator

from client.report.html.cards import card, chip
from client.report.html.markup import Child, Html, join, tag
from client.report.html.shuffles import chain, deck_grid
from client.report.model import AuditReport, CardCount, RoundReport, TableReport
from client.report.text import absence_sentence

_PLACES = (
    ("melded", "melded"),
    ("bonus", "bonus cards laid"),
    ("discarded", "in the pile"),
    ("held", "opened in hands"),
    ("unseen", "never seen"),
)


def round_section(one: RoundReport, report: AuditReport, table: TableReport) -> Html:
    """The round, folded up under its title."""
    table = table.during(one)
    return tag(
        "details",
        tag("summary", tag("h3", one.title), _gist(one, table)),
        tag("p", absence_sentence(one.absence)) if one.absence else None,
        _drawn(one, table) if one.drawn else None,
        _score(one, table) if one.sheet else None,
        _account(one.count) if one.count else None,
        [
            (
                tag("h4", "The chain of shuffles" if len(one.deals) == 1 else f"Deal {n}"),
                chain(deal, table, report.equations),
                fold("The deck, card by card", deck_grid(deal, table)),
            )
            for n, deal in enumerate(one.deals, start=1)
        ],
        tag("h4", "What was checked"),
        _moves(one, table) if any(one.moves) else None,
        _proofs(one, table, report.equations),
        _signatures(one, table) if one.signed else None,
        class_="round",
    )


def fold(title: Child, *inner: Child) -> Html:
    """Something to unfold."""
    return tag("details", tag("summary", title), *inner, class_="fold")


def _gist(one: RoundReport, table: TableReport) -> Html:
    """The round in one line."""
    if one.sheet is None:
        told: Child = f"entries {one.first} to {one.last}"
        return tag("span", told, class_="gist")
    points = zip(table.sides, one.sheet.sheet.totals, strict=True)
    told = [
        tag("span", f"{value:+,}", class_=f"points p{table.first_of(side)}", title=name)
        for side, (name, value) in enumerate(points)
    ]
    out = [light.player for light in one.highlights if light.what == "goes out"]
    ends = [table.players[player].name + " goes out" for player in out] or ["nobody goes out"]
    return tag("span", told, tag("span", ends), class_="gist")


def _drawn(one: RoundReport, table: TableReport) -> Html:
    cards = (
        (chip(table, player), card(table.deck.codes[number], player))
        for player, number in enumerate(one.drawn)
        if number is not None
    )
    return tag("p", [tag("span", pair, class_="pair") for pair in cards])


def _score(one: RoundReport, table: TableReport) -> Html:
    assert one.sheet is not None
    sheet = one.sheet.sheet
    whats = dict.fromkeys((item.what, item.clause) for items in sheet.sides for item in items)
    head = tag("tr", tag("th", "Score, recomputed"), [tag("th", side) for side in table.sides])
    rows = []
    for what, clause in whats:
        cells = []
        for items in sheet.sides:
            found = [item for item in items if (item.what, item.clause) == (what, clause)]
            times = [tag("small", f"({item.count}) ") for item in found if item.count != 1]
            cells.append(tag("td", times, f"{found[0].points:,}" if found else "—"))
        label = tag("th", what[:1].upper() + what[1:], " ", tag("span", clause, class_="clause"))
        rows.append(tag("tr", label, cells))
    for what, values in (("Round", sheet.totals), ("Match", one.sheet.totals)):
        totals = [tag("td", f"{value:,}") for value in values]
        rows.append(tag("tr", tag("th", what), totals, class_="total"))
    return _table(head, rows)


def _account(count: CardCount) -> Html:
    """Where the cards of the round are, as one bar."""
    parts, keys, at = [], [], 0
    for name, words in _PLACES:
        number: int = getattr(count, name)
        if number:
            parts.append(tag("rect", x=at, y=0, width=number, height=10, class_=name))
            keys.append(tag("li", tag("i", "", class_=f"key {name}"), f"{number} {words}"))
        at += number
    bar = tag(
        "svg", parts, viewBox=f"0 0 {max(at, 1)} 10", preserveAspectRatio="none", class_="strip"
    )
    good = "every one is in one place, once" if count.balanced else "they do not add up!"
    return join(
        [
            tag("h4", f"{count.total} cards: {good}"),
            bar,
            tag("ul", keys, class_="keys"),
        ]
    )


def _moves(one: RoundReport, table: TableReport) -> Html:
    kinds = sorted({kind for moves in one.moves for kind in moves})
    total = sum(sum(moves.values()) for moves in one.moves)
    head = tag("tr", tag("th", ""), [tag("th", kind) for kind in kinds])
    rows = [
        tag("tr", tag("th", chip(table, player)), [tag("td", moves.get(kind, 0)) for kind in kinds])
        for player, moves in enumerate(one.moves)
    ]
    lights = [
        tag("li", f"Entry {light.entry}: ", chip(table, light.player), f" {light.what}")
        for light in one.highlights
    ]
    title = f"{total} moves, every one allowed by the rules of {table.title}"
    return fold(_held(title), _table(head, rows), tag("ul", lights) if lights else None)


def _proofs(one: RoundReport, table: TableReport, equations: tuple[str, ...]) -> Iterator[Html]:
    checked = one.checked
    head = tag("tr", [tag("th", what) for what in ("Entry", "Player", "Unlock key", *equations)])
    rows = [
        tag(
            "tr",
            tag("td", link.entry),
            tag("td", chip(table, link.player)),
            tag("td", tag("code", link.unlock_key.hex())),
            [tag("td", "✓", class_="good") for _ in equations],
        )
        for deal in one.deals
        for link in deal.shuffles
    ]
    yield fold(_held(f"{checked.shuffle_proofs} shuffle proofs"), _table(head, rows))
    yield fold(
        _held(f"{checked.unlock_proofs} unlock proofs, {checked.face_proofs} of cards shown"),
        tag(
            "p",
            "Each shows that one and the same lock was taken off all cards of an entry, the lock "
            "that was announced with the shuffle (equation dleq). So a card that is shown is the "
            "card that was dealt, and nobody could have shown another.",
        ),
    )
    yield fold(
        _held(f"{checked.signatures} entries, signed and chained"),
        tag(
            "p",
            f"Entries {one.first} to {one.last}: each signed by the one player whose turn it was "
            "to write, and bound to all before it.",
        ),
    )


def _signatures(one: RoundReport, table: TableReport) -> Html:
    entries = [tag("li", chip(table, player), f" in entry {entry}") for player, entry in one.signed]
    everybody = len(one.signed) == len(table.players)
    title = "The score is signed by all" if everybody else "The score is not signed by all"
    return fold(_held(title) if everybody else title, tag("ul", entries))


def _held(title: str) -> Html:
    return join([tag("span", "✓", class_="good"), " ", title])


def _table(head: Html, rows: Child) -> Html:
    return tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll")
