"""Pages that lie over the table: the keys, the score sheet, opened hands, proofs, the log."""

from collections.abc import Callable, Iterator, Mapping

from client.i18n.language import _, _n, with_and
from client.i18n.sentences import said
from client.session.bot_names import is_bot_name
from client.session.display.absence import Absence
from client.session.display.aside_lines import PHRASE_WORDS
from client.session.display.snapshot import Snapshot
from client.ui.model.command_words import own_key, spoken
from client.ui.model.commands.find_commands import known_here
from client.ui.model.commands.people import phrases
from client.ui.model.commands.rules_page import rules_page
from client.ui.model.commands.table_commands import HAND_KEYS
from client.ui.model.commands.typed_moves import legal_lines
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.ways_on import way_key, ways_on
from client.ui.text.absence import awaited_sentence, resting_sentence, wish_text
from client.ui.tui.table import round_pages
from client.ui.tui.table.event_log import log_lines
from client.ui.tui.table.round_pages import card_words
from client.ui.tui.table.table_sentences import hand_line, table_lines
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded, labelled, padded
from engine.sentences import N_
from protocol.words_for_keys import words

PICTURE = "class:picture"
"""Style of pictures in the rules, which the linear mode leaves out."""
_LEGEND_FACES = 5
"""The maximum number of faces for a note of the legend. Kanastic has eleven gold cards."""


def page_lines(page: Page, controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the text of a page in lines of at most `width` columns."""
    if page in _OF_SNAPSHOT:
        return _OF_SNAPSHOT[page](controls.snapshot, glyphs, width)
    return _OF_CONTROLS[page](controls, glyphs, width)


def _clickable(lines: list[Line], click: Click | None, style: str = "") -> list[Line]:
    """Return lines that can be clicked; `style` is for spans that have none."""
    return [
        tuple(span._replace(click=click, style=span.style or style) for span in line)
        for line in lines
    ]


def _rules(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the cited clause, a subject, the search results, or the list of subjects to click."""
    page = rules_page(controls)
    lines: list[Line] = []
    for subject in page.found:
        lines += folded(glyphs.plain(subject.title), width, "bold")
        for place, text in enumerate(subject.paragraphs, start=1):
            click = Click("subject", place) if page.numbered else None
            rows = map(glyphs.plain, text.split("\n"))
            written = [line for row in rows for line in _row(row, width, whole="\n" in text)]
            lines += [()] if not page.numbered else []
            lines += _clickable(written, click)
        lines.append(())
    return [*lines, *folded(glyphs.plain(page.sentence), width, "class:dim")]


def _row(text: str, width: int, *, whole: bool) -> list[Line]:
    """Return a paragraph broken into lines; a `whole` row (of a picture) is cut instead."""
    return [cut((Span(text, PICTURE),), width)] if whole else folded(text, width)


def _keys(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    lines = [
        line
        for shown, meaning, _actions in HAND_KEYS
        for line in labelled(glyphs.plain(_(shown)), _(meaning), width)
    ]
    lines.append(())
    for command in known_here(controls):
        name = f"{own_key(command.key):<6}{command.example}"
        lines += labelled(glyphs.plain(name), _(command.meaning), width, 24)
    return lines


def _cards(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the unusual cards of the game, with their numbers and meanings."""
    match = snapshot.state.match
    game = match.game
    lines: list[Line] = []
    for note in game.legend:
        like = [card for card in match.deck if card.code in note.codes]
        faces = {card.code: card for card in like}
        shown = [faces[code] for code in note.codes[:_LEGEND_FACES]]
        points = {game.position.card_points(card) for card in like}
        more = glyphs.plain("…") if len(note.codes) > len(shown) else ""
        count = f"{more} {glyphs.times}{len(like)}"
        if len(points) == 1 and (value := points.pop()):
            count += ", " + _n("{n} point", "{n} points", value)
        lines.append((Span(" "), *card_words(shown, glyphs), Span(count, "class:dim")))
        text = folded(glyphs.plain(said(note.text)), width - 4)
        lines += [*((Span("    "), *line) for line in text), ()]
    return lines


def _table(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    return [part for line in table_lines(controls.view, glyphs) for part in folded(line, width)]


def _moves(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    lines = [spoken(line) for line in legal_lines(controls)]
    shown = lines or [_("There is nothing to do now.")]
    return [part for line in shown for part in folded(glyphs.plain(line), width)]


def _review(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    review = controls.own_review
    if review is None or not review.begun:
        return folded(_("Only your own match can be reviewed, and only after its end."), width)
    if review.found is None:
        return folded(glyphs.plain(review.failed or review.progress), width)
    lines: list[Line] = review.found.lines(width)
    return lines


def _away(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    """Return who is missing, what each player wishes for, and the ways to go on, with keys."""
    absence = snapshot.absence
    if absence is None:
        return folded(_("The table is not waiting for a player who stays away."), width)
    sentence = awaited_sentence(absence, snapshot.names, snapshot.me, snapshot.exposed)
    lines = folded(glyphs.plain(sentence), width, "class:warn")
    if not absence.may_decide:
        rest = resting_sentence(absence, snapshot.me)
        lines += [(), *folded(glyphs.plain(rest), width)] if rest else []
    else:
        lines += [(), *_wishes(snapshot, absence, glyphs, width)]
    ways = ways_on(snapshot)
    if not ways:
        return lines
    lines.append(())
    for way in ways:
        template = _("{way} (your wish)") if way.chosen else "{way}"
        texts = labelled(way_key(way.key), glyphs.plain(template.format(way=way.text)), width)
        style = "" if way.decision is not None else "class:dim"
        lines += _clickable(texts, Click("way", key=way.key), style)
    return [*lines, (), *folded(_(_DECIDING), width)] if absence.may_decide else lines


def _wishes(snapshot: Snapshot, absence: Absence, glyphs: Glyphs, width: int) -> list[Line]:
    """Return a line for each person who stays: their wish, and a note if they have accepted."""
    lines: list[Line] = []
    proposed = absence.proposed
    for player, name in enumerate(snapshot.names):
        if player in absence.missing or (is_bot_name(name) and player != snapshot.me):
            continue
        text = wish_text(absence.wish_of(player), absence.candidates)
        if player in absence.away:
            text = _("cannot be reached")
        if proposed is not None and player in proposed.accepted:
            text = _("{wish}; has accepted").format(wish=text)
        lines += labelled(glyphs.plain(name), glyphs.plain(text), width, 22)
    return lines


def _phrases(controls: Controls, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the phrases for the others, each to be chosen by its number or clicked."""
    lines: list[Line] = []
    for place, code in enumerate(phrases(controls), start=1):
        phrase = labelled(f"{place}", glyphs.plain(_(PHRASE_WORDS[code])), width)
        lines += _clickable(phrase, Click("phrase", place))
    return lines or folded(_("Nobody else is at this table."), width)


_DECIDING = N_(
    "A wish binds nobody, and can be changed until all who stay have accepted the same proposal. "
    "Then the proposal is final. If more than half of those who began have accepted, and somebody "
    "has not accepted within the grace, the match can go on without that player, too. A round that "
    "is not over is counted as the cards lie, and those of a missing player stay hidden from "
    "everybody."
)


def _words(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    charter = snapshot.state.charter
    text = _(
        "All have signed. Read these words aloud, once: if everybody has the same words, everybody "
        "is at this very table, and nobody sits in between."
    )
    spoken = "   ".join(words(snapshot.state.table_id))
    names = with_and(snapshot.names)
    about = _("{game}. At the table: {names}.").format(game=charter.game.title, names=names)
    return [
        (),
        padded((Span(spoken, "class:mine"),), width, centred=True),
        (),
        *folded(text, width),
        (),
        *folded(glyphs.plain(about), width),
        *(row for line in _who_watches(snapshot) for row in folded(glyphs.plain(line), width)),
    ]


def _who_watches(snapshot: Snapshot) -> Iterator[str]:
    """Return a line about each spectator, with the words of their key."""
    text = _("{name} watches: {words}.")
    for spectator in snapshot.spectators:
        yield text.format(name=spectator.name, words=" ".join(words(spectator.key)))


_OF_CONTROLS: Mapping[Page, Callable[[Controls, Glyphs, int], list[Line]]] = {
    Page.KEYS: _keys,
    Page.RULES: _rules,
    Page.HAND: lambda controls, glyphs, width: folded(hand_line(controls.view, glyphs), width),
    Page.TABLE: _table,
    Page.MOVES: _moves,
    Page.PHRASES: _phrases,
    Page.REVIEW: _review,
}
"""Pages about the person's own cards and possible actions."""

_OF_SNAPSHOT: Mapping[Page, Callable[[Snapshot, Glyphs, int], list[Line]]] = {
    Page.SHEET: round_pages.sheet,
    Page.CARDS: _cards,
    Page.HANDS: round_pages.hands,
    Page.FAIRNESS: round_pages.fairness,
    Page.LOG: lambda snapshot, glyphs, width: log_lines(snapshot.log, glyphs, width),
    Page.AWAY: _away,
    Page.WORDS: _words,
}
