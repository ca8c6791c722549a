"""Pages that check a record in a real browser: one that contains the record, one for any file."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
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
from engine.moves import Answer
from protocol.audit import Verdict
from protocol.entries import MoveContent, ShuffleContent
from protocol.evidence import Evidence, Statement
from protocol.record_file import MAGIC, framed
from protocol.shuffle_proof import EQUATIONS
from tests.client.reports.audited import audit_bytes, audited, cheated
from tests.client.reports.browser import Page
from tests.client.reports.csp_attacks import FETCH, INLINE_SCRIPT, MARKUP, refused
from tests.client.ui.tui.golden import check_file
from tests.generated_spec import verifier_page
from tests.javascript.node import FOLDER
from tests.protocol.continuing import Newcomer, offered
from tests.protocol.played import discarding, played, unlocking
from tests.protocol.seeded_table import SeededTable
from tests.spec.run_verifier import vectors
from tests.vectors.recorded import CONTINUATIONS, RECORD_FILES

TEXTS = Path(__file__).parent / "texts"
HOSTILE = ("<b onclick=hit=1>x", "</script><i>", "<!--<script>", "\"'>&lt;")

_CHECK = "document.querySelector('.check')"
_FINISHED = f"""new Promise(done => {{
  const check = {_CHECK};
  const look = () => !['checking', undefined].includes(check.dataset.state) && done(
    check.dataset.state);
  new MutationObserver(look).observe(check, {{attributes: true}});
  look();
}})"""
"""Script that waits for the end of the first check on the page, and returns its state."""


def told(shown: Page) -> str:
    """Wait for the end of the check, and return its text."""
    shown.evaluate(_FINISHED)
    return str(shown.evaluate(f"{_CHECK}.innerText"))


@pytest.fixture
def reading(screen: Page, tmp_path: Path) -> Page:
    """Open the page that checks any record, and return it."""
    screen.show(tmp_path / "verifier.html", verifier_page())
    return screen


def carrying(screen: Page, folder: Path, record: bytes, change: bytes | None = None) -> Page:
    """Open the page about a record; it carries the record, or `change` if that is given."""
    path = folder / "game.sobremesa"
    path.write_bytes(record)
    reports = [audit_file(path)]
    if change is not None:
        path.write_bytes(change)
    screen.show(folder / "audit.html", "".join(page(reports, None, [path])))
    return screen


def choose_file(shown: Page, path: Path) -> None:
    """Choose a file on the page that checks any record, and clear the earlier state."""
    shown.evaluate(f"delete {_CHECK}.dataset.state")
    chooser = shown.call("Runtime.evaluate", expression="document.getElementById('file')")
    identity = chooser["result"]["objectId"]
    shown.call("DOM.setFileInputFiles", files=[str(path)], objectId=identity)


def test_page_contains_the_bytes_of_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.sobremesa"
    record.write_bytes(played().record())
    main(["audit", str(record), "--html", str(tmp_path / "audit.html")])
    html = (tmp_path / "audit.html").read_text(encoding="utf-8")
    (text,) = re.findall(r'<script type="text/plain" id="record-0">(.*?)</script>', html)
    assert base64.b64decode(text) == record.read_bytes()
    assert "src=" not in html
    assert re.search(r"\bhttps?:", html) is None


def test_page_checks_a_sound_record_in_the_browser(screen: Page, tmp_path: Path) -> None:
    shown = carrying(screen, tmp_path, played().record())
    told(shown)
    assert shown.evaluate(f"{_CHECK}.dataset.state") == "sound"
    assert shown.complaints == []
    assert {url.partition(":")[0] for url in shown.requests} <= {"file", "blob"}


def of_vectors(file: str, name: str) -> bytes:
    """Return a record of the test vectors as the bytes of a file."""
    about = vectors(file)
    record = next(one for one in about["records"] if one["name"] == name)
    parts = [about["signed_charter"], *about["entries"][: record["keep"]], *record["added"]]
    return MAGIC + b"".join(framed(bytes.fromhex(part)) for part in parts)


def exposed() -> bytes:
    """Return a record in which a player writes when it is not their turn."""
    moment = unlocking()
    other = moment.signed(moment.body.content, moment.other)
    return cheated(other, moment.state.height + 1)


def against_the_rules() -> bytes:
    moment = discarding()
    entry = moment.signed(MoveContent(Answer(True), ()))
    return cheated(entry, moment.state.height + 1)


def with_a_namesake() -> bytes:
    """Return a record with evidence against a key without a seat, whose owner is called Ana too.

    Anybody can make a key, take the name of a player, and sign what exposes that key.
    """
    table = SeededTable.sit("canasta", 3)
    table.play_until("move")
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


CHECKED: Mapping[str, Callable[[], bytes]] = {
    "sound": lambda: played().record(),
    "exposed": exposed,
    "against-the-rules": against_the_rules,
    "namesake": with_a_namesake,
    # The page does not know the rules of play, so it cannot tell that the counted round of
    # `sound-counted` was the last one.
    **{
        name: partial(of_vectors, CONTINUATIONS, name)
        for name in (
            *("exposed-replaced", "gone", "C3-two", "together", "redrawn", "rules-ended"),
            "sound-counted",
        )
    },
}


@pytest.mark.parametrize("name", [*CHECKED, "changed"])
def test_texts_of_the_verifier_page_match_their_files(
    screen: Page, tmp_path: Path, name: str
) -> None:
    """The page `changed` carries another record than the one that the program has audited."""
    record = CHECKED.get(name, CHECKED["sound"])()
    text = told(carrying(screen, tmp_path, record, changed() if name == "changed" else None))
    lines = (re.sub(r"^[\d.]+ s$", "(time)", " ".join(line.split())) for line in text.splitlines())
    check_file(TEXTS / f"page-{name}.txt", "\n".join(filter(None, lines)))


@pytest.mark.parametrize(
    ("verdict", "cause", "rules"),
    [
        (Verdict.ILLEGAL, "X10", True),
        (Verdict.BROKEN, "R19", True),
        (Verdict.BROKEN, "R1", False),
        (Verdict.SOUND, "", False),
    ],
)
def test_a_page_knows_if_a_verdict_can_rest_on_the_rules_of_play(
    verdict: Verdict, cause: str, rules: bool
) -> None:
    report = audited()
    end = evolve(report.conclusion, verdict=verdict, cause=cause)
    (told,) = re.findall('data-program="([^"]*)"', verification(evolve(report, conclusion=end), 3))
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
    report = audit_bytes(of_vectors(CONTINUATIONS, "C3-two"))
    assert "clause C3 of the record" in "".join(page([report]))


def test_verifier_page_accepts_any_record(reading: Page, tmp_path: Path) -> None:
    record = tmp_path / "game.sobremesa"
    record.write_bytes(played().record(upto=5))
    choose_file(reading, record)
    text = told(reading)
    assert "Sound so far: every entry up to 5 holds; the match goes on [R18]." in text
    assert "it does not know the rules of play" in text
    assert "not signed" not in text
    assert played().table.state.table_id.hex() in text
    data = base64.b64encode(played().record(upto=0)[:-1]).decode()
    reading.evaluate(
        f"delete {_CHECK}.dataset.state;"
        f"const bytes = Uint8Array.from(atob('{data}'), c => c.charCodeAt(0));"
        "const data = new DataTransfer();"
        "data.items.add(new File([bytes], 'cut.sobremesa'));"
        "dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));"
    )
    assert "Broken at the charter [R1]" in told(reading)


def test_verifier_page_refuses_a_file_that_is_no_record(reading: Page, tmp_path: Path) -> None:
    other = tmp_path / "<img src=x>.txt"
    other.write_bytes(b"sobremesa record 01\n")
    choose_file(reading, other)
    assert "This is no record of Sobremesa" in told(reading)
    assert reading.evaluate("document.getElementById('file-name').innerText") == other.name
    newer = tmp_path / "newer.sobremesa"
    newer.write_bytes(b"sobremesa record 2\n")
    choose_file(reading, newer)
    assert "A newer version of the program has made this record [R1]." in told(reading)


def test_a_check_can_be_stopped_and_restarted(reading: Page, tmp_path: Path) -> None:
    record = tmp_path / "game.sobremesa"
    record.write_bytes(played().record())
    stopped = (
        f"new Promise(done => new MutationObserver((_, observer) => {{"
        f"  const check = {_CHECK}, button = check.querySelector('button');"
        "   if (check.dataset.state === 'checking') { observer.disconnect();"
        "   button.click(); done([check.dataset.state, button.innerText]); }"
        f"}}).observe({_CHECK}, {{attributes: true}}))"
    )
    # The observer is called at the start of the check, before the worker can finish.
    reading.evaluate(f"window.stopped = {stopped}; 0")
    choose_file(reading, record)
    assert reading.evaluate("window.stopped") == ["stopped", "Check again"]
    assert "Stopped before there was a result" in reading.evaluate(f"{_CHECK}.innerText")
    reading.evaluate(f"{_CHECK}.querySelector('button').click()")
    assert "Sound: every entry holds" in told(reading)


def test_hostile_names_become_no_markup(
    reading: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A charter can have names that look like markup."""
    monkeypatch.setattr("tests.protocol.seeded_table.NAMES", HOSTILE)
    table = SeededTable.sit("kanastic", 4)
    table.step()
    before = reading.evaluate("document.querySelectorAll('b, i, script').length")
    shown = tmp_path / "game.sobremesa"
    shown.write_bytes(table.record())
    choose_file(reading, shown)
    text = told(reading)
    for name in HOSTILE:
        assert name in text
    facts = reading.evaluate("document.querySelectorAll('.facts b').length")
    assert reading.evaluate("document.querySelectorAll('b, i, script').length") == before + facts
    assert reading.evaluate("window.hit === undefined") is True
    cut = table.record() + b"\0"  # the verdict on a broken end names players
    carried = carrying(reading, tmp_path, cut)
    assert HOSTILE[0] in told(carried)
    assert carried.complaints == []


def test_the_policy_allows_only_the_page_s_own_script(reading: Page) -> None:
    assert refused(reading, 5, MARKUP, INLINE_SCRIPT, FETCH) == [
        "connect-src",
        "img-src",
        "script-src-attr",
        "script-src-elem",
        "style-src-attr",
    ]
    assert reading.evaluate("window.hit === undefined") is True


def test_every_cause_of_the_verifier_has_a_text() -> None:
    """All causes in the vectors need words, except X10 (rules of play) and R18 (no fault)."""
    causes = {case["cause"] for name in RECORD_FILES for case in vectors(name)["records"]} | set(
        map("shuffle:{}".format, EQUATIONS)
    )
    known = {cause for cause in causes if cause and cause not in {"X10", "R18"}}
    assert len(known) > 20
    assert known <= {key.removeprefix("cause ") for key in texts()}
    assert {f"word {verdict.value}" for verdict in Verdict} <= set(texts())


# -- one entry


_TOLD = f"""new Promise(done => {{
  const place = {_CHECK}.querySelector('.entry-told');
  const look = () => place.dataset.entry && done(place.innerText);
  new MutationObserver(look).observe(place, {{attributes: true, childList: true}});
  look();
}})"""


def entry_told(shown: Page, entry: int) -> str:
    """Ask the page for an entry by its number, and return the text about it."""
    told(shown)
    view = f"{_CHECK}.querySelector('.entry-view')"
    shown.evaluate(f"delete {view}.querySelector('.entry-told').dataset.entry")
    shown.evaluate(f"{view}.querySelector('input').value = {entry}")
    shown.evaluate(f"{view}.querySelector('button').click()")
    shown.evaluate(_TOLD)
    shown.evaluate(f"{view}.querySelectorAll('details').forEach(d => d.open = true)")
    return str(shown.evaluate(f"{view}.innerText"))


def test_page_shows_the_six_equations_of_a_shuffle(screen: Page, tmp_path: Path) -> None:
    text = entry_told(carrying(screen, tmp_path, played().record()), 1)
    for name in EQUATIONS:
        assert f"({name}): holds" in text
    assert text.count(": holds") == 7, "six equations and the signature must hold"
    content = played().moments[0].body.content
    assert isinstance(content, ShuffleContent)
    assert content.proof[-32:].hex() in text
    assert content.unlock_key.hex() in text
    assert "unlock key" in text


def test_page_shows_the_equations_of_an_unlocking_and_the_charter(
    screen: Page, tmp_path: Path
) -> None:
    shown = carrying(screen, tmp_path, played().record())
    text = entry_told(shown, played().when("unlock").state.height + 1)
    assert "(dleq): holds" in text
    assert "gives" in text
    text = entry_told(shown, 0)
    assert text.count("S B − k A = R (signature): holds") == 2
    assert "canasta" in text


def test_page_shows_the_signatures_of_evidence_and_a_continuation(
    screen: Page, tmp_path: Path
) -> None:
    shown = carrying(screen, tmp_path, of_vectors(CONTINUATIONS, "gone"))
    text = entry_told(shown, 22)
    assert "Entry 22: evidence" in text
    assert "parent attempt" in text
    assert text.count("(signature): holds") == 2
    text = entry_told(shown, 23)
    assert "Entry 23: a continuation" in text
    assert "abandons" in text
    assert text.count("(signature): holds") == 2


def test_page_shows_which_equation_fails(screen: Page, tmp_path: Path) -> None:
    moment = played().moments[0]
    content = moment.body.content
    assert isinstance(content, ShuffleContent)
    proof = bytearray(content.proof)
    proof[-32] ^= 1
    entry = moment.signed(evolve(content, proof=bytes(proof)))
    text = entry_told(carrying(screen, tmp_path, cheated(entry, 1)), 1)
    assert "(commit): does not hold" in text
    assert "(key): holds" in text


def test_a_click_on_the_timeline_shows_the_entry(screen: Page, tmp_path: Path) -> None:
    shown = carrying(screen, tmp_path, played().record())
    told(shown)
    link = "document.querySelector('a[href^=\"#entry-0-\"]')"
    target = shown.evaluate(f"{link}.getAttribute('href')")
    shown.evaluate(f"{link}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    shown.evaluate(_TOLD)
    entry = shown.evaluate(f"{_CHECK}.querySelector('.entry-told').dataset.entry")
    assert target == f"#entry-0-{entry}"


@pytest.mark.parametrize("dark", [False, True])
def test_axe_reports_no_accessibility_fault(screen: Page, tmp_path: Path, dark: bool) -> None:
    """The test needs axe-core: https://github.com/dequelabs/axe-core ."""
    axe = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("axe-core is not installed in tests/javascript")
    shown = carrying(screen, tmp_path, played().record())
    shown.screen(400, 800, dark=dark)
    entry_told(shown, 0)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 400
    shown.evaluate(axe.read_text(encoding="utf-8") + ";0")
    found = shown.evaluate(
        "axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html).slice(0, 3)]))"
    )
    assert found == []


def test_printing_hides_the_buttons(screen: Page, tmp_path: Path) -> None:
    shown = carrying(screen, tmp_path, played().record(upto=3))
    told(shown)
    tall = f"{_CHECK}.querySelector('button').getBoundingClientRect().height"
    assert shown.evaluate(tall) > 0
    shown.call("Emulation.setEmulatedMedia", media="print")
    assert shown.evaluate(tall) == 0
    assert "Sound so far" in shown.evaluate(f"{_CHECK}.innerText")
    shown.call("Emulation.setEmulatedMedia", media="")
