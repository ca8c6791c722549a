"""The pages in a second browser: opened from disk, offline, in Firefox if it is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cli.main import main
from tests.client.reports.audited import cheated
from tests.client.reports.page_scripts import MARKUP, READY, refused
from tests.client.reports.firefox import FirefoxPage, find_firefox, firefox
from tests.generated_spec import verifier_page
from tests.protocol.played import played, unlocking

_CHECKED = """new Promise(done => {
  const check = document.querySelector(".check");
  const look = () => !["checking", undefined].includes(check.dataset.state) && done(
    [check.dataset.state, check.innerText]);
  new MutationObserver(look).observe(check, {attributes: true});
  look();
})"""


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


def test_the_audit_page_checks_its_record(
    screen: FirefoxPage, record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "audit.html"
    assert main(["audit", str(record), "--html", str(out)]) == 0
    screen.open(out)
    state, text = screen.evaluate(_CHECKED)
    assert state == "sound"
    assert text.startswith("This page has checked the dealing, the signatures and the order of")
    assert "The program found the same." in text
    link = "document.querySelector('a[href^=\"#entry-0-\"]')"
    entry = screen.evaluate(f"{link}.getAttribute('href')").rpartition("-")[2]
    told = screen.evaluate(
        "new Promise(done => { const place = document.querySelector('.entry-told');"
        " new MutationObserver(() => place.dataset.entry && done(place.innerText))"
        " .observe(place, {attributes: true});"
        f" {link}.dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}})); }})"
    )
    assert told.startswith(f"Entry {entry}")
    assert "S B − k A = R (signature): holds" in told


def test_the_verifier_page_names_the_exposed_player(screen: FirefoxPage, tmp_path: Path) -> None:
    moment = unlocking()
    other = moment.signed(moment.body.content, moment.other)
    record, page = tmp_path / "game.sobremesa", tmp_path / "verifier.html"
    record.write_bytes(cheated(other, moment.state.height + 1))
    page.write_text(verifier_page(), encoding="utf-8")
    screen.open(page)
    screen.type_into("#file", str(record))
    state, text = screen.evaluate(_CHECKED)
    assert state == "exposed"
    name = moment.state.charter.members[moment.other].name
    assert f"{name} is exposed in entry {moment.state.height + 1} [R11]" in text


def test_the_replay_page_plays_a_match(screen: FirefoxPage, record: Path, tmp_path: Path) -> None:
    out = tmp_path / "replay.html"
    assert main(["replay", str(record), "--html", str(out)]) == 0
    screen.open(out)
    screen.evaluate(READY)
    screen.type_into("body", "nnnpv")
    where = screen.evaluate("document.getElementById('where').textContent")
    assert where.startswith("Step 9 of")
    assert where.endswith("view: Ana")
    screen.type_into("body", "\ue010")  # the key End (WebDriver, 17.4.2)
    assert "Round 1" in screen.evaluate("document.getElementById('board').innerText")
    assert "Verdict: sound." in screen.evaluate("document.getElementById('verdict').innerText")


def test_firefox_enforces_the_content_security_policy(
    screen: FirefoxPage, record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "audit.html"
    assert main(["audit", str(record), "--html", str(out)]) == 0
    screen.open(out)
    assert refused(screen, 3, MARKUP) == ["img-src", "script-src-attr", "style-src-attr"]
