"""The part of a page that checks a record again, in the reader's browser.

The page carries the record, the verifier in JavaScript as the text of a worker, and one script of
its own. `spec/verifier.html` is such a page without a record: the reader chooses a file.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from client.i18n.language import _
from client.reports.html.document import data_element, document, script_element
from client.reports.html.markup import Html, tag
from client.reports.model import AuditReport
from protocol.audit import Verdict

FOLDER = Path(__file__).parent / "verifier"

VERIFIER = (
    "bytes.js",
    "witness.js",
    "field.js",
    "edwards.js",
    "ristretto.js",
    "sha2.js",
    "hashes.js",
    "signatures.js",
    "shuffle_proof.js",
    "unlock_proof.js",
    "values.js",
    "names.js",
    "games.js",
    "continues.js",
    "charter.js",
    "entries.js",
    "table.js",
    "contents.js",
    "continuation.js",
    "record.js",
    "evidence.js",
    "audit.js",
    "explain.js",
)
"""Files of the verifier; each uses only those before it, except inside functions."""

WORKER = (*VERIFIER, "worker.js")
PAGE = ("entry_view.js", "page.js")


@cache
def texts() -> Mapping[str, str]:
    """Return the untranslated texts of the page's script, by their names in the script."""
    found: Mapping[str, str] = json.loads((FOLDER / "texts.json").read_text(encoding="utf-8"))
    return found


def verification(report: AuditReport, number: int) -> Html:
    """Return the element for the result of checking the record with that number on the page."""
    end = report.conclusion
    program = {
        "verdict": end.verdict.value,
        "entry": end.entry,
        "cause": end.cause,
        "player": end.player,
        # True if the verdict can rest on the rules of play, which the page does not know.
        "rules": end.verdict is Verdict.ILLEGAL or end.cause == "R19",
        "exposed": [
            {"entry": one.entry, "cause": one.cause, "player": one.player, "rules": one.illegal}
            for one in end.exposed
        ],
    }
    return check_place(record=f"record-{number}", program=json.dumps(program))


def check_place(record: str | None = None, program: str | None = None) -> Html:
    """Return the element in which the script shows the result of a check.

    `record` is the id of the record on the page, and `program` the result of an audit, as JSON.
    """
    without = _("Scripts are switched off in this browser, so this page checks nothing again.")
    return tag(
        "section",
        tag("p", tag("noscript", without), class_="check-state", role="status"),
        tag("progress", hidden="", aria_label=_("How much of the record is checked")),
        tag("p", class_="check-entry note", hidden=""),
        tag("button", class_="check-button", type="button", hidden=""),
        tag("div", class_="check-result"),
        class_="check",
        aria_label=_("Checked by this page"),
        data_record=record,
        data_program=program,
    )


def checking_document(
    title: str, main: Iterable[Html], footer: str, records: Sequence[Path] = ()
) -> Iterator[Html]:
    """Return a page that checks these records, which are part of it. Raises OSError."""

    def data() -> Iterator[Html]:
        for number, record in enumerate(records):
            text = base64.b64encode(record.read_bytes()).decode()
            yield script_element(text, type="text/plain", id=f"record-{number}")
        yield data_element("texts", {key: _(text) for key, text in texts().items()})
        yield script_element(script(WORKER), type="text/plain", id="verifier")

    return document(title, main, footer, data=data(), script=script(PAGE), workers=True)


@cache
def script(names: tuple[str, ...]) -> str:
    """Return the files, one after the other, as one script."""
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in names]
    return "\n".join(['"use strict";', *texts])
