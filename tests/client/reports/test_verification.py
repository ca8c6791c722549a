"""An audit page that contains records, and checks them again in a real browser."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import unescape
from pathlib import Path

import pytest
from attrs import evolve

from client.cli.main import main
from client.reports.auditing import audit_file
from client.reports.html.document import data_element, policy, script_element
from client.reports.html.page import page
from client.reports.html.verification import texts, verification
from protocol.audit import Verdict
from protocol.entries import ShuffleContent
from protocol.evidence import Evidence, Statement
from protocol.record_file import MAGIC, framed
from protocol.shuffle_proof import EQUATIONS
from tests.client.reports.audited import (
    audit_bytes,
    audited,
    cheated,
    hostile_record,
    illegal_record,
)
from tests.client.reports.browser import Page
from tests.client.reports.page_scripts import CHECKED, accessibility_faults, until
from tests.client.ui.tui.golden import check_file
from tests.protocol.continuing import Newcomer, offered
from tests.protocol.played import played
from tests.protocol.seeded_table import SeededTable
from tests.spec.run_verifier import vectors
from tests.vectors.recorded import CONTINUATIONS, RECORD_FILES

TEXTS = Path(__file__).parent / "texts"


# -- records


def of_vectors(name: str) -> bytes:
    """Return the record of that name in the vectors of continuations, as the bytes of a file."""
    about = vectors(CONTINUATIONS)
    record = next(one for one in about["records"] if one["name"] == name)
    parts = [about["signed_charter"], *about["entries"][: record["keep"]], *record["added"]]
    return MAGIC + b"".join(framed(bytes.fromhex(part)) for part in parts)


def exposed() -> bytes:
    """Return a record in which a player writes when it is not their turn."""
    moment = played().at(2)
    return cheated(moment.signed(moment.body.content, moment.other), 2)


def with_a_false_proof() -> bytes:
    """Return a record whose first shuffle has another number in its proof."""
    moment = played().moments[0]
    content = moment.the(ShuffleContent)
    proof = bytearray(content.proof)
    proof[-32] ^= 1
    return cheated(moment.signed(evolve(content, proof=bytes(proof))), 1)


def with_a_namesake() -> bytes:
    """Return a record with evidence against a key without a seat, whose owner is called Ana too.

    Anybody can make a key, take the name of a player, and sign what exposes that key.
    """
    table = SeededTable.sit("canasta", 3)
    table.step()
    namesake = Newcomer.named("Ana", 50)
    charter = offered(table.state, [2], seats=[namesake])
    assert charter.continues is not None
    forged = evolve(charter, continues=evolve(charter.continues, results=((1, 2, 3),)))
    one, other = (Statement(each, 2, each.sign(namesake.sign)) for each in (charter, forged))
    return table.record() + framed(Evidence(one, other).encode())


def changed() -> bytes:
    """Return the sound record with another last signature."""
    record = bytearray(played().record())
    record[-30] ^= 1
    return bytes(record)


CONTINUED = ("gone", "together", "redrawn", "rules-ended", "sound-counted")
RECORDS: Mapping[str, Callable[[], bytes]] = {
    "sound": lambda: played().record(),
    "changed": lambda: played().record(),
    "exposed": exposed,
    "against-the-rules": illegal_record,
    "false-proof": with_a_false_proof,
    "namesake": with_a_namesake,
    "hostile": hostile_record,
    # The page does not know the rules of play, so it cannot tell that the counted round of
    # `sound-counted` was the last one.
    **{name: partial(of_vectors, name) for name in CONTINUED},
}
"""The records on the page, by name. The program has audited `changed` before it was changed."""

PLACE = {name: place for place, name in enumerate(RECORDS)}


@pytest.fixture(scope="module")
def shown(screen: Page, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """Return the page on all records after its checks."""
    folder = tmp_path_factory.mktemp("records")
    files = [folder / name for name in RECORDS]
    for file in files:
        file.write_bytes(RECORDS[file.name]())
    reports = [audit_file(file) for file in files]
    (folder / "changed").write_bytes(changed())
    screen.show(folder / "audit.html", "".join(page(reports, None, files)))
    screen.evaluate(CHECKED)
    return screen


def check_of(name: str) -> str:
    """Return a script for the place of the page that shows the check of a record."""
    return f"document.querySelectorAll('.check')[{PLACE[name]}]"


def plain(text: str) -> Iterator[str]:
    """Return the lines of a text on the page; long numbers are cut, and the time is left out."""
    counted = re.sub(r"(?m)^([\d,]+)\n+", r"\1 ", re.sub(r"(?m)^[\d.]+ s\n+", "(time) ", text))
    for line in counted.splitlines():
        short = re.sub(r"([0-9a-f]{16})[0-9a-f]{16,}", r"\1…", " ".join(line.split()))
        yield from filter(None, [short])


# -- in the browser


def test_texts_about_all_records_match_their_file(shown: Page) -> None:
    told: list[str] = []
    for name in RECORDS:
        state, text = shown.evaluate(
            f"[{check_of(name)}.dataset.state, {check_of(name)}.innerText]"
        )
        told += [f"=== {name}: {state}", *plain(text)]
    check_file(TEXTS / "checked-records.txt", "\n".join(told))
    assert shown.complaints == []
    assert {url.partition(":")[0] for url in shown.requests} <= {"file", "blob"}


def test_texts_about_single_entries_match_their_file(shown: Page) -> None:
    """In the file a shuffle has six equations and its signature.

    A continuation has the signatures of all who signed it.
    """
    told: list[str] = []
    unlocked = played().when("unlock").state.height + 1
    for name, entry in (
        *(("sound", 0), ("sound", 1), ("sound", unlocked), ("false-proof", 1)),
        *(("gone", 22), ("gone", 23)),
    ):
        view = f"{check_of(name)}.querySelector('.entry-view')"
        shown.evaluate(f"{view}.querySelector('input').value = {entry}")
        shown.evaluate(f"{view}.querySelector('button').click()")
        shown.evaluate(until(f"{view}.querySelector('.entry-told').dataset.entry === '{entry}'"))
        told += [f"=== {name}", *plain(shown.evaluate(f"{view}.innerText"))]
        shown.evaluate(f"{view}.querySelectorAll('details').forEach(d => d.open = true)")
        opened = shown.evaluate(f"{view}.innerText")
        content = played().moments[0].the(ShuffleContent)
        numbers = {content.unlock_key.hex(), content.proof[-32:].hex(), "unlock key"}
        assert all(number in opened for number in numbers) is ((name, entry) == ("sound", 1))
    check_file(TEXTS / "checked-entries.txt", "\n".join(told))


def test_hostile_names_become_no_markup(shown: Page) -> None:
    """The browser shows these names as text: see `hostile` in the file of the texts."""
    made = f"{check_of('hostile')}.closest('article').querySelectorAll('i, script, [onclick]')"
    assert shown.evaluate(f"{made}.length") == 0
    assert shown.evaluate("window.hit === undefined") is True


def test_a_click_on_the_timeline_shows_the_entry(shown: Page) -> None:
    place = PLACE["changed"]
    link = f"document.querySelector('a[href^=\"#entry-{place}-\"]')"
    entry = shown.evaluate(f"{link}.getAttribute('href')").rpartition("-")[2]
    shown.evaluate(f"{link}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    entry_told = f"{check_of('changed')}.querySelector('.entry-told')"
    shown.evaluate(until(f"{entry_told}.dataset.entry === '{entry}'"))


def test_printing_hides_the_buttons(shown: Page) -> None:
    tall = f"{check_of('sound')}.querySelector('button').getBoundingClientRect().height"
    assert shown.evaluate(tall) > 0
    shown.call("Emulation.setEmulatedMedia", media="print")
    assert shown.evaluate(tall) == 0
    assert "Sound: every entry" in shown.evaluate(f"{check_of('sound')}.innerText")
    shown.call("Emulation.setEmulatedMedia", media="")


def test_a_phone_shows_all_and_axe_reports_no_accessibility_fault(shown: Page) -> None:
    """Entries are unfolded, and one text has a key of 64 digits: both fit the screen of a phone."""
    shown.screen(400, 800)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 400
    # All records together would take axe seconds.
    shown.evaluate("[...document.querySelectorAll('article')].slice(1).forEach(a => a.remove())")
    for dark, rules in ((False, "{}"), (True, "{runOnly: 'color-contrast'}")):
        shown.screen(400, 800, dark=dark)
        assert accessibility_faults(shown, rules) == []


# -- without a browser


def test_page_contains_the_bytes_of_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.sobremesa"
    record.write_bytes(played().record())
    main(["audit", str(record), "--html", str(tmp_path / "audit.html")])
    html = (tmp_path / "audit.html").read_text(encoding="utf-8")
    (text,) = re.findall(r'<script type="text/plain" id="record-0">(.*?)</script>', html)
    assert base64.b64decode(text) == record.read_bytes()
    assert "src=" not in html
    assert re.search(r"\bhttps?:", html) is None


def test_a_page_knows_if_a_verdict_can_rest_on_the_rules_of_play() -> None:
    for verdict, cause, rules in (
        *((Verdict.ILLEGAL, "X10", True), (Verdict.BROKEN, "R19", True)),
        *((Verdict.BROKEN, "R1", False), (Verdict.SOUND, "", False)),
    ):
        end = evolve(audited().conclusion, verdict=verdict, cause=cause)
        place = verification(evolve(audited(), conclusion=end), 3)
        (told,) = re.findall('data-program="([^"]*)"', place)
        assert json.loads(unescape(told))["rules"] is rules


def test_a_policy_allows_only_what_the_page_needs() -> None:
    style, script = (
        f"sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}"
        for text in (b"b {}", b"let a;")
    )
    closed = f"default-src 'none'; style-src '{style}'"
    end = "base-uri 'none'; form-action 'none'"
    assert policy(style="b {}") == f"{closed}; {end}"
    assert policy(style="b {}", script="let a;", workers=True) == (
        f"{closed}; script-src '{script}'; worker-src blob:; {end}"
    )


def test_no_text_can_end_the_element_that_it_stands_in() -> None:
    data = data_element("x", {"ñ": "</script><!--"})
    assert data == (
        '<script type="application/json" id="x">{"ñ": "\\u003c/script>\\u003c!--"}</script>'
    )
    assert script_element("let a = 1 < 2;") == "<script>let a = 1 < 2;</script>"
    for text in ("</SCRIPT", "x <!-- y"):
        with pytest.raises(ValueError, match="would end the element"):
            script_element(text)


def test_a_clause_of_the_record_is_not_called_a_game_rule() -> None:
    """The record and Canasta each have a clause C3."""
    assert "clause C3 of the record" in "".join(page([audit_bytes(of_vectors("C3-two"))]))


def test_every_cause_of_the_verifier_has_a_text() -> None:
    """All causes in the vectors need words, except X10 (rules of play) and R18 (no fault)."""
    causes = {case["cause"] for name in RECORD_FILES for case in vectors(name)["records"]}
    known = (causes | {f"shuffle:{one}" for one in EQUATIONS}) - {"", None, "X10", "R18"}
    assert len(known) > 20
    assert known <= {key.removeprefix("cause ") for key in texts()}
    assert {f"word {verdict.value}" for verdict in Verdict} <= set(texts())
