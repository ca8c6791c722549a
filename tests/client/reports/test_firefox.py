"""The pages in a second browser: opened from disk, offline, in Firefox if it is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cli.main import main
from tests.client.reports.audited import cheated
from tests.client.reports.firefox import FirefoxPage, find_firefox, firefox
from tests.client.reports.page_scripts import CHECKED, MARKUP, READY, refused, until
from tests.generated_spec import verifier_page
from tests.protocol.played import played


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirefoxPage]:
    program = find_firefox()
    if program is None:
        pytest.skip("no Firefox is on this machine")
    with firefox(program, tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def record(home: Path, tmp_path: Path) -> Path:
    path = tmp_path / "game.sobremesa"
    path.write_bytes(played().record())
    return path


def written_page(record: Path, command: str) -> Path:
    """Return the page that a command makes of the record."""
    out = record.with_name(f"{command}.html")
    assert main([command, str(record), "--html", str(out)]) == 0
    return out


def test_the_audit_page_checks_its_record(screen: FirefoxPage, record: Path) -> None:
    screen.open(written_page(record, "audit"))
    screen.evaluate(CHECKED)
    assert screen.evaluate("document.querySelector('.check').dataset.state") == "sound"
    text = screen.evaluate("document.querySelector('.check').innerText")
    assert text.startswith("This page has checked the dealing, the signatures and the order of")
    assert "The program found the same." in text
    link = "document.querySelector('a[href^=\"#entry-0-\"]')"
    entry = screen.evaluate(f"{link}.getAttribute('href')").rpartition("-")[2]
    screen.evaluate(
        f"{link}.dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}}))"
    )
    screen.evaluate(until("document.querySelector('.entry-told').dataset.entry"))
    told = screen.evaluate("document.querySelector('.entry-told').innerText")
    assert told.startswith(f"Entry {entry}")
    assert "S B − k A = R (signature): holds" in told


def test_the_verifier_page_names_the_exposed_player(screen: FirefoxPage, tmp_path: Path) -> None:
    record, page = tmp_path / "game.sobremesa", tmp_path / "verifier.html"
    moment = played().at(2)
    record.write_bytes(cheated(moment.signed(moment.body.content, moment.other), 2))
    page.write_text(verifier_page(), encoding="utf-8")
    screen.open(page)
    screen.type_into("#file", str(record))
    screen.evaluate(CHECKED)
    name = moment.state.charter.members[moment.other].name
    text = screen.evaluate("document.querySelector('.check').innerText")
    assert f"{name} is exposed in entry 2 [R11]" in text


def test_the_replay_page_plays_a_match(screen: FirefoxPage, record: Path) -> None:
    screen.open(written_page(record, "replay"))
    screen.evaluate(READY)
    screen.type_into("body", "nnnpv")
    where = screen.evaluate("document.getElementById('where').textContent")
    assert where.startswith("Step 9 of")
    assert where.endswith("view: Ana")
    screen.type_into("body", "\ue010")  # the key End (WebDriver, 17.4.2)
    assert "Round 1" in screen.evaluate("document.getElementById('board').innerText")
    assert "Verdict: sound." in screen.evaluate("document.getElementById('verdict').innerText")


def test_firefox_enforces_the_content_security_policy(screen: FirefoxPage, record: Path) -> None:
    screen.open(written_page(record, "audit"))
    assert refused(screen, 3, MARKUP) == "img-src script-src-attr style-src-attr"
