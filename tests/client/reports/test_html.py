"""The audit page: it loads nothing, runs no script of strangers, and looks right in a browser."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, fields

from client.i18n.card_letters import card_face
from client.reports.deal_of_the_day_check import day_lines
from client.reports.html import page as the_page
from client.reports.html.cards import card
from client.reports.html.markup import Html, tag
from client.reports.luck.report import LuckReport, luck_report
from client.reports.model import AuditReport, Continuation, PlayerReport, RoundReport, TableReport
from client.reports.rounds_on_disk import KeptRounds
from client.reports.words import extension_words
from engine.games import GAMES
from engine.sentences import Sentence
from tests.client.contrast import LEAST, Colour, contrast, luminance
from tests.client.reports.audited import absent_record, audit_bytes, audited, illegal_record
from tests.client.reports.browser import Page
from tests.client.reports.page_scripts import INLINE_SCRIPT, MARKUP, refused

HOSTILE = (
    "<script>x=1</script>",
    '"><img src=x>',
    "'onload='x",
    "</style><b>",
    "<!--",
    "&lt;b&gt;",
)
NAMES = dict(zip(("Ana", "Bruno", "Carla", "Olga"), HOSTILE, strict=False))


def page(reports: Sequence[AuditReport], luck: LuckReport | None = None) -> str:
    return "".join(the_page.page(reports, luck))


class Reader(HTMLParser):
    """A strict parser of pages: every element must have its own end tag."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def attacked(report: AuditReport) -> AuditReport:
    """Return the report with hostile texts wherever a record or a person could put one."""
    end = evolve(report.conclusion, sentence=Sentence("{name}", name=HOSTILE[1]), cause=HOSTILE[4])
    renamed: AuditReport = _renamed(report)
    return evolve(renamed, file=HOSTILE[0], conclusion=end)


def _renamed(part: Any) -> Any:
    """Return a part of a report with hostile names of players and sides."""
    match part:
        case str():
            return NAMES.get(part, part)
        case tuple() | KeptRounds():
            return tuple(map(_renamed, part))
        case AuditReport() | TableReport() | RoundReport() | Continuation() | PlayerReport():
            parts = {one.name: _renamed(getattr(part, one.name)) for one in fields(type(part))}
            return evolve(part, **parts)
    return part


def exposing() -> AuditReport:
    """Return the report on a record in which a player has signed an illegal move."""
    return audit_bytes(illegal_record())


@pytest.mark.parametrize("game", GAMES)
def test_each_card_is_shown_with_its_own_face_and_colour(game: str) -> None:
    """For example, the Shield "Sh" must not be shown as a heart because its code ends in "h"."""
    for one in GAMES[game].deck:
        colour = "suitless" if one.suit is None else "gold" if one.gold else "red" * one.red
        assert re.fullmatch(
            f'<span class="card ?{colour}">{card_face(one)}</span>', str(card(one.code))
        )


def test_tag_escapes_text_and_attributes() -> None:
    assert tag("p", "<b>", class_='"') == '<p class="&quot;">&lt;b&gt;</p>'
    assert tag("p", tag("b", "x"), None, ["&", 3]) == "<p><b>x</b>&amp;3</p>"
    assert tag("rect", x=1.5, y=2.0, width=None) == '<rect x="1.5" y="2"/>'
    assert isinstance(tag("p"), Html)
    assert not isinstance(tag("p") + "<b>", Html), "adding a plain string makes plain text again"


def test_the_audit_page_loads_nothing() -> None:
    report = audited("kanastic")
    html = page([report], luck_report([report]))
    reader = read(html)
    names = {name for name, _ in reader.tags}
    assert names.isdisjoint({"script", "img", "iframe", "link", "object", "embed", "base", "form"})
    for name, attributes in reader.tags:
        assert not any(key.startswith("on") for key in attributes), name
        assert attributes.keys().isdisjoint({"src", "href", "style", "srcdoc", "xlink:href"}), name
    assert "url(" not in html
    assert "@import" not in html
    assert re.search(r"\bhttps?:", html) is None
    assert len([1 for name, _ in reader.tags if name == "svg"]) > 10


def replacing() -> AuditReport:
    """Return the report on a record in which a player is absent and another takes the seat."""
    return audit_bytes(absent_record(substitute=True))


@pytest.mark.parametrize(
    ("make", "texts"),
    [(audited, HOSTILE[:2]), (exposing, (*HOSTILE[:2], HOSTILE[4])), (replacing, HOSTILE[:4])],
    ids=["sound", "illegal", "substitute"],
)
def test_hostile_texts_become_no_markup(
    make: Callable[[], AuditReport], texts: Sequence[str]
) -> None:
    plain, changed = read(page([make()])), read(page([attacked(make())]))
    assert [(name, sorted(attributes)) for name, attributes in plain.tags] == [
        (name, sorted(attributes)) for name, attributes in changed.tags
    ]
    assert not [name for name in texts if name not in "".join(changed.text)]


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_has_every_drawn_and_taken_card(game: str) -> None:
    report = audited(game)
    counted = report.rounds[1]
    html = page([report])
    marks = re.findall(
        r"<title>Entry ([\d,]+): (\w+) (draws|takes|takes up) (\d+) [^:<]*: ([^<]*)<", html
    )
    told = [(int(e.replace(",", "")), name, what, int(n)) for e, name, what, n, _cards in marks]
    assert [many for *_rest, many in told] == [len(cards.split()) for *_rest, cards in marks]
    given = (one for deal in counted.deals for one in deal.given)
    drawn = Counter(one.aside for one in given if one.player is not None and not one.dealt)
    many = {what: sum(n for _, _, w, n in told if w == what) for what in ("draws", "takes up")}
    assert many == {"draws": drawn[False], "takes up": drawn[True]}
    assert drawn[False] > 10
    assert ("draws a bonus card" in html) == bool(report.table and report.table.deck.bonus)
    taken = [(t.entry, report.name(t.player), "takes", len(t.cards)) for t in counted.taken]
    assert [one for one in told if one[2] == "takes"] == taken
    assert [one[0] for one in told] == sorted(one[0] for one in told)


def test_the_page_names_the_extensions_of_a_charter_and_says_if_others_may_watch() -> None:
    report = audited()
    assert report.table is not None
    table = evolve(report.table, extensions=("x-one",), day="2026-11-24", opponents="easy")
    text = "".join(read(page([evolve(report, table=table)])).text)
    assert extension_words("x-one") in text
    assert all(line in text for line in day_lines(evolve(report, table=table)))
    for may in (True, False):
        html = page([evolve(report, table=evolve(table, spectators=may))])
        assert ("Spectators: all have agreed that others may watch" in html) is may


# -- in a browser


@pytest.fixture
def shown(screen: Page, tmp_path: Path) -> Page:
    """Return a page on two records, a sound one and an illegal one whose texts are hostile."""
    reports = [audited(), attacked(exposing())]
    screen.show(tmp_path / "page.html", page(reports, luck_report(reports)))
    return screen


def test_the_browser_console_has_no_complaints(shown: Page) -> None:
    assert shown.complaints == []
    assert [url.rsplit("/", 1)[1] for url in shown.requests] == ["page.html"]
    assert shown.evaluate("document.scripts.length + document.images.length") == 0
    assert shown.evaluate("document.styleSheets.length") == 1
    names = shown.evaluate("[...document.querySelectorAll('.players .chip')].map(c=>c.innerText)")
    assert names == ["Ana", "Bruno", *HOSTILE[:2]]


def test_the_browser_enforces_the_policy(shown: Page) -> None:
    """The markup that an attacker would add is refused: script, style and image."""
    assert (
        refused(shown, 4, MARKUP, INLINE_SCRIPT)
        == "img-src script-src-attr script-src-elem style-src-attr"
    )
    assert shown.evaluate("window.hit === undefined") is True


def test_clicking_a_round_unfolds_its_checks(shown: Page) -> None:
    folded = "document.querySelectorAll('details[open]').length"
    assert shown.evaluate(folded) == 0
    tall = shown.evaluate("document.documentElement.scrollHeight")
    shown.evaluate("document.querySelectorAll('.round > summary')[1].click()")
    assert shown.evaluate(folded) == 1
    assert shown.evaluate("document.documentElement.scrollHeight") > tall + 300
    bars = "document.querySelector('.round[open] .skyline').getBoundingClientRect().height"
    assert shown.evaluate(bars) > 20


@pytest.mark.parametrize("width", [340, 1200])
def test_no_content_is_wider_than_the_screen(shown: Page, width: int) -> None:
    """Only content that scrolls in a box of its own may be wider."""
    shown.screen(width, 800)
    shown.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    small = "parseFloat(getComputedStyle(document.body).fontSize)"
    assert shown.evaluate(small) >= 16


_COLOURS = """[...document.querySelectorAll('body *')].filter(e => [...e.childNodes].some(
  n => n.nodeType === 3 && n.textContent.trim()) && !e.closest('svg')).map(e => {
    let under = e;
    while (getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)') under = under.parentNode;
    return [e.className, getComputedStyle(e).color, getComputedStyle(under).backgroundColor];
})"""
"""Script for the class, the colour and the background colour of each element with text."""


@pytest.mark.parametrize("dark", [False, True])
def test_texts_have_enough_contrast_in_dark_and_light(shown: Page, dark: bool) -> None:
    """The contrast of every text is at least 4.5 to 1 (WCAG 2.1, 1.4.3)."""
    shown.screen(1000, 800, dark=dark)
    shown.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    told = {tuple(one) for one in shown.evaluate(_COLOURS)}
    assert len(told) > 10
    for kind, text, under in told:
        assert contrast(_parts(text), _parts(under)) >= LEAST, (kind, text, under)
    (body,) = {under for kind, _text, under in told if kind == "verdict"}
    assert (luminance(_parts(body)) < 0.5) is dark


def _parts(colour: str) -> Colour:
    """Return the parts of a colour that is written as "rgb(r, g, b)"."""
    return tuple(map(int, re.findall(r"\d+", colour)[:3]))


def test_scrolling_boxes_are_focusable_and_labelled(shown: Page) -> None:
    boxes = "[...document.querySelectorAll('.scroll')]"
    assert shown.evaluate(f"{boxes}.length") > 5
    assert shown.evaluate(f"{boxes}.every(e => e.tabIndex === 0 && e.ariaLabel)") is True
    pictures = "[...document.querySelectorAll('svg')]"
    named = f"{pictures}.every(e => e.ariaLabel || e.getAttribute('aria-hidden'))"
    assert shown.evaluate(named) is True
    levels = shown.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])")
    assert all(below - above <= 1 for above, below in pairwise(levels))


def test_printing_unfolds_everything(shown: Page) -> None:
    """Unfolding needs `::details-content`, which Chromium has since version 131."""
    if not shown.evaluate("CSS.supports('selector(details::details-content)')"):
        pytest.skip("this browser cannot unfold sections in print")
    tall = shown.evaluate("document.documentElement.scrollHeight")
    shown.call("Emulation.setEmulatedMedia", media="print")
    assert shown.evaluate("document.documentElement.scrollHeight") > 2 * tall
    shown.call("Emulation.setEmulatedMedia", media="")
