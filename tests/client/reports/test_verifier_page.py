"""The page of the specification that checks any record, in a real browser."""

import base64
from pathlib import Path

import pytest

from tests.client.reports import page_scripts as scripts
from tests.client.reports.audited import hostile_record
from tests.client.reports.browser import Page
from tests.generated_spec import verifier_page
from tests.protocol.played import played

_CHECK = "document.querySelector('.check')"


@pytest.fixture
def reading(screen: Page, tmp_path: Path) -> Page:
    screen.show(tmp_path / "verifier.html", verifier_page())
    return screen


def chosen(shown: Page, path: Path, data: bytes) -> str:
    """Choose a file with these bytes on the page, and return the text about it."""
    path.write_bytes(data)
    shown.evaluate(f"delete {_CHECK}.dataset.state")
    chooser = shown.call("Runtime.evaluate", expression="document.getElementById('file')")
    identity = chooser["result"]["objectId"]
    shown.call("DOM.setFileInputFiles", files=[str(path)], objectId=identity)
    return told(shown)


def told(shown: Page) -> str:
    shown.evaluate(scripts.CHECKED)
    return str(shown.evaluate(f"{_CHECK}.innerText"))


def test_verifier_page_accepts_any_record(reading: Page, tmp_path: Path) -> None:
    text = chosen(reading, tmp_path / "game.sobremesa", played().record(upto=5))
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
    assert "This is no record of Sobremesa" in chosen(reading, other, b"sobremesa record 01\n")
    assert reading.evaluate("document.getElementById('file-name').innerText") == other.name
    text = chosen(reading, tmp_path / "newer.sobremesa", b"sobremesa record 2\n")
    assert "A newer version of the program has made this record [R1]." in text


def test_a_check_can_be_stopped_and_restarted(reading: Page, tmp_path: Path) -> None:
    stopped = (
        f"new Promise(done => new MutationObserver((_, observer) => {{"
        f"  const check = {_CHECK}, button = check.querySelector('button');"
        "   if (check.dataset.state === 'checking') { observer.disconnect();"
        "   button.click(); done([check.dataset.state, button.innerText]); }"
        f"}}).observe({_CHECK}, {{attributes: true}}))"
    )
    # The observer is called at the start of the check, before the worker can finish.
    reading.evaluate(f"window.stopped = {stopped}; 0")
    text = chosen(reading, tmp_path / "game.sobremesa", played().record(upto=9))
    assert reading.evaluate("window.stopped") == ["stopped", "Check again"]
    assert "Stopped before there was a result" in text
    reading.evaluate(f"{_CHECK}.querySelector('button').click()")
    assert "Sound so far: every entry up to 9 holds" in told(reading)


def test_names_become_no_markup_and_the_policy_allows_only_the_page_s_script(
    reading: Page, tmp_path: Path
) -> None:
    """A charter can have names that look like markup."""
    before = reading.evaluate("document.querySelectorAll('b, i, script').length")
    text = chosen(reading, tmp_path / "game.sobremesa", hostile_record())
    assert "</script><i>" in text
    facts = reading.evaluate("document.querySelectorAll('.facts b').length")
    assert reading.evaluate("document.querySelectorAll('b, i, script').length") == before + facts
    assert (
        scripts.refused(reading, 5, scripts.MARKUP, scripts.INLINE_SCRIPT, scripts.FETCH)
        == "connect-src img-src script-src-attr script-src-elem style-src-attr"
    )
    assert reading.evaluate("window.hit === undefined") is True
