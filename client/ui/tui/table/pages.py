"""Pages that lie over the table: the keys, the score sheet, opened hands, proofs, the log."""

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve

from client.i18n.language import _, _n, number
from client.i18n.sentences import said
from client.reports.score_sheet import sheet_lines, side_names
from client.session.snapshot import CountedRound, Fairness, Snapshot
from client.ui.model.absence_options import absence_options, may_decide
from client.ui.model.command_words import spoken
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.rules_page import rules_page
from client.ui.model.table_commands import COMMANDS, HAND_KEYS
from client.ui.model.typed_moves import legal_lines
from client.ui.text.absence import awaited_sentence, proposal_text
from client.ui.tui.table.status import card_words, log_lines
from client.ui.tui.table.table_sentences import hand_line, table_lines
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded, padded, wrapped
from engine.sentences import N_
from engine.slots import Seat, cards_of
from p2p.storage.identity import words

_LEGEND_FACES = 4  # of the gold cards there are eleven


def page_lines(page: Page, controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    """The text of a page in lines of at most `width` columns."""
    snapshot = controls.snapshot
    assert snapshot is not None
    if page in _WRITERS:
        return _WRITERS[page](snapshot, glyphs, width)
    return _TELLERS[page](controls, glyphs, width)


def _rules(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    """The clause that was cited, a subject, what was found, or the list of subjects to click."""
    page = rules_page(controls)
    lines: list[Line] = []
    for subject in page.found:
        lines += folded(glyphs.plain(subject.title), width, "bold")
        for place, text in enumerate(subject.paragraphs, start=1):
            click = Click("subject", place) if page.numbered else None
            written = folded(glyphs.plain(text), width)
            lines += [()] if not page.numbered else []
            lines += [tuple(evolve(span, click=click) for span in line) for line in written]
        lines.append(())
    return [*lines, *folded(glyphs.plain(page.sentence), width, "class:dim")]


def _keys(_controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    lines = [
        line for keys in HAND_KEYS for line in _entry(_(keys.shown), _(keys.meaning), glyphs, width)
    ]
    lines.append(())
    for command in COMMANDS:
        name = f"{command.key:<6}{command.example}"
        lines += _entry(name, _(command.meaning), glyphs, width, 24)
    return lines


def _cards(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    """The cards of the game that are not like others: how many there are, and what they do."""
    game = snapshot.state.match.game
    lines: list[Line] = []
    for note in game.legend:
        like = [card for card in game.deck if card.code in note.codes]
        faces = {card.code: card for card in like}.values()
        shown = list(faces)[:_LEGEND_FACES]
        points = {game.position.card_points(card) for card in like}
        told = f"{glyphs.times}{len(like)}"
        if len(points) == 1 and any(points):
            told += ", " + _n("{n} point", "{n} points", max(points))
        lines.append((Span(" "), *card_words(shown, glyphs), Span(f" {told}", "class:dim")))
        text = folded(glyphs.plain(said(note.text)), width - 4)
        lines += [*((Span("    "), *line) for line in text), ()]
    return lines


def _hand(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    view = controls.view
    return folded(hand_line(view, glyphs), width) if view else []


def _table(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    view = controls.view
    lines = table_lines(view, glyphs) if view else ()
    return [part for line in lines for part in folded(line, width)]


def _moves(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    lines = [spoken(line) for line in legal_lines(controls)]
    told = lines or [_("There is nothing to do now.")]
    return [part for line in told for part in folded(glyphs.plain(line), width)]


def _entry(key: str, meaning: str, glyphs: Glyphs, width: int, columns: int = 16) -> list[Line]:
    first, *more = folded(meaning, width - columns - 2)
    name = Span(f" {glyphs.plain(key):<{columns}} ", "class:key")
    return [(name, *first), *((Span(" " * (columns + 2)), *line) for line in more)]


def _sheet(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    ended = snapshot.ended
    if ended is None:
        return folded(_("No round has been counted yet."), width)
    match = snapshot.state.match
    sides = side_names(match, snapshot.names)
    title = _("Round {number}").format(number=ended.number)
    table = sheet_lines(ended.sheet, ended.totals, sides, title)
    lines: list[Line] = [(Span(glyphs.plain(line)),) for line in table]
    if len(snapshot.rounds) > 1:
        lines += [(), *_all_rounds(snapshot, sides, glyphs, width)]
    lines.append(())
    if match.over:
        lines += folded(_result(match.winner, sides), width, "class:mine")
    lines += folded(fair_sentence(ended.fairness), width, "class:mine")
    lines.append(())
    lines += folded(
        _("o: the hands, opened. f: what was checked. r: save the record."), width, "class:dim"
    )
    return lines


_BAR_COLUMNS = 24


def _all_rounds(snapshot: Snapshot, sides: Sequence[str], glyphs: Glyphs, width: int) -> list[Line]:
    """The match points after each round, a line for each side, with a bar for the newest."""
    best = max(1, *(max(counted.totals) for counted in snapshot.rounds))
    lines: list[Line] = []
    for side, name in enumerate(sides):
        points = [counted.totals[side] for counted in snapshot.rounds]
        full = max(0, _BAR_COLUMNS * points[-1] // best)
        bar = glyphs.bar[0] * full + glyphs.bar[1] * (_BAR_COLUMNS - full)
        told = "  ".join(number(total) for total in points)
        lines.append(cut((Span(f"{glyphs.plain(name)}  "), Span(bar, "class:bar")), width))
        lines += folded(f"  {told}", width, "class:dim")
    return lines


def _result(winner: int | None, sides: Sequence[str]) -> str:
    if winner is None:
        return _("The match is drawn.")
    return _("The match is over, and goes to {side}.").format(side=sides[winner])


def fair_sentence(fairness: Fairness) -> str:
    """What was checked in the deal, in one sentence."""
    return _("This deal was fair: {shuffles}, {unlockings}, {signatures} checked.").format(
        shuffles=_n("{n} shuffle", "{n} shuffles", fairness.shuffles),
        unlockings=_n("{n} unlocking", "{n} unlockings", fairness.unlockings + fairness.faces),
        signatures=_n("{n} signature", "{n} signatures", fairness.signatures),
    )


def _hands(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    ended = snapshot.ended
    if ended is None:
        return folded(_("No round has been counted yet."), width)
    lines: list[Line] = []
    for seat in map(Seat, range(ended.position.seats)):
        name = snapshot.names[snapshot.state.match.player_at(seat)]
        lines.append((Span(name, "bold"),))
        lines += _hand_lines(ended, seat, glyphs, width)
    return lines


def _hand_lines(ended: CountedRound, seat: Seat, glyphs: Glyphs, width: int) -> list[Line]:
    cards = sorted(cards_of(ended.position.hand(seat)), key=lambda card: (card.rank, card.code))
    if not cards:
        return [(Span("  " + _("no cards left"), "class:dim"),)]
    return wrapped(((word,) for word in card_words(cards, glyphs)), width, indent="  ")


def _fairness(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    ended = snapshot.ended
    if ended is None:
        return folded(_("No round has been counted yet."), width)
    fairness = ended.fairness
    counts = (
        (fairness.shuffles, N_("shuffles, each proven to have changed no card")),
        (fairness.unlockings, N_("unlockings of dealt cards, each with its proof")),
        (fairness.faces, N_("proofs that a card shown was the card dealt")),
        (fairness.signatures, N_("signatures, one on each entry of the record")),
    )
    lines = [
        line for count, what in counts for line in _entry(number(count), _(what), glyphs, width)
    ]
    text = _(
        "Every player has shuffled and locked the deck, so nobody knew or chose a card. Your own "
        "machine has checked all of it as it came; anybody can check it again from the record."
    )
    return [*lines, (), *folded(text, width)]


def _log(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    return log_lines(snapshot.log, glyphs, width)


def _away(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    absence = snapshot.absence
    if absence is None:
        return folded(_("The table waits for nobody who stays away."), width)
    sentence = awaited_sentence(absence, snapshot.names, snapshot.me)
    lines = folded(glyphs.plain(sentence), width, "class:warn")
    if not absence.may_agree:
        return [*lines, (), *folded(_(_RESTING), width)]
    for content in () if may_decide(absence, snapshot.me) else absence.proposals:
        proposal = _("Proposed: {proposal}.").format(
            proposal=proposal_text(content, snapshot.names)
        )
        lines += [(), *folded(glyphs.plain(proposal), width)]
    choices = absence_options(snapshot)
    if not choices:
        return lines
    lines.append(())
    for place, option in enumerate(choices, start=1):
        text = _("{proposal} (proposed)") if option.proposed else "{proposal}"
        entry = _entry(f"{place}", glyphs.plain(text.format(proposal=option.text)), glyphs, width)
        click = Click("option", place)
        lines += [tuple(evolve(span, click=click) for span in line) for line in entry]
    return [*lines, (), *folded(_(_AGREEING), width)]


_RESTING = N_(
    "More than half of the players must be there to agree on anything, so the match rests. "
    "Nothing is lost: leave the table, and go on when all are back, today or another day."
)
_AGREEING = N_(
    "All the others must agree to the same, and nobody can take it back. A round that was not "
    "counted is void; the cards of an absent player stay hidden from everybody."
)


def _words(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    charter = snapshot.state.charter
    text = _(
        "All have signed. Read these words aloud, once: if everybody has the same, everybody is at "
        "this very table, and nobody sits in between."
    )
    spoken = "   ".join(words(snapshot.state.table_id))
    names = ", ".join(snapshot.names)
    about = _("{game}. At the table: {names}.").format(game=charter.game.title, names=names)
    return [
        (),
        padded((Span(spoken, "class:mine"),), width, align="^"),
        (),
        *folded(text, width),
        (),
        *folded(glyphs.plain(about), width),
    ]


_TELLERS: Mapping[Page, Callable[[Controls, Glyphs, int], list[Line]]] = {
    Page.KEYS: _keys,
    Page.RULES: _rules,
    Page.HAND: _hand,
    Page.TABLE: _table,
    Page.MOVES: _moves,
}
"""Pages about what the person can do and sees."""

_WRITERS: Mapping[Page, Callable[[Snapshot, Glyphs, int], list[Line]]] = {
    Page.SHEET: _sheet,
    Page.CARDS: _cards,
    Page.HANDS: _hands,
    Page.FAIRNESS: _fairness,
    Page.LOG: _log,
    Page.AWAY: _away,
    Page.WORDS: _words,
}
