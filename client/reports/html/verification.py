"""The part of a page that checks a record again, in the reader's browser.

The page carries the record, the verifier in JavaScript as the text of a worker, and one script of
its own. `spec/verifier.html` is such a page without a record: the reader chooses a file.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from client.i18n.language import _
from client.reports.html.document import data_element, document, script_element
from client.reports.html.markup import Html, tag
from client.reports.model import AuditReport
from engine.sentences import N_
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

TEXTS = {
    "checking": N_("This page is checking the record…"),
    "stop": N_("Stop"),
    "again": N_("Check again"),
    "holds": N_("Entry {entry} holds."),
    "stopped": N_("Stopped. Nothing has been found out."),
    "failed": N_("The check has failed in this browser. It says nothing about the record."),
    "noRecord": N_("This is no record of Sobremesa: its first line is another."),
    "tooLarge": N_("The file is larger than any record that this page reads (256 MB)."),
    "checkedHere": N_(
        "This page has checked the dealing, the signatures and the order of moves; the rules of "
        "play were checked by the program that wrote it."
    ),
    "checkedAlone": N_(
        "This page has checked the dealing, the signatures and the order of moves; it does not "
        "know the rules of play."
    ),
    "checkedNothing": N_("This page could not check the dealing."),
    "sound": N_("Sound: every entry holds, and the end is signed."),
    "ended": N_("Ended early: every entry holds, and all who stayed have signed the end."),
    "exposed": N_("{name} is exposed in entry {entry} [{cause}]: {what}"),
    "illegal": N_(
        "{name} has signed what is against the rules, in entry {entry} [{cause}]: {what} It is no "
        "proof of cheating: a fault in the program's rules would look the same."
    ),
    "exposedStranger": N_(
        "A player without a seat in this record, whose key is {key}, is exposed in entry {entry} "
        "[{cause}]: {what}"
    ),
    "broken": N_("Broken at entry {entry} [{cause}], and nobody can be blamed: {what}"),
    "brokenCharter": N_("Broken at the charter [{cause}], and nobody can be blamed: {what}"),
    "newer": N_("A newer version of the program has made this record [{cause}]."),
    "unfinished": N_("Sound so far: every entry up to {entry} holds; the match goes on [{cause}]."),
    "unsigned": N_("The end is not signed by {names}."),
    "agrees": N_("The program came to the same."),
    "agreesOtherCause": N_(
        "The program came to the same, for the cause {cause}: it knows the rules of play too."
    ),
    "agreesOver": N_(
        "The program came to the same, and knows by the rules of play that the match was over with "
        "the last round."
    ),
    "rulesSay": N_(
        "The program found {cause} at entry {entry}. It takes the rules of play to see that, "
        "which this page does not know."
    ),
    "differs": N_(
        "The program came to something else ({verdict}). One of the two has a fault, or the page "
        "was changed: ask a third verifier."
    ),
    "wentOn": N_("{signers} have signed, in entry {entry}, to go on without {names}; {then}"),
    "wentOnTogether": N_("{signers} have signed, in entry {entry}, to go on together; {then}"),
    "takesSeat": N_("{new} takes the seat of {name}"),
    "endsWithout": N_("the match ends here without {name}"),
    "ends": N_("the match ends here"),
    "handClosed": N_("the hand of {name} stays closed and counts the worst it can (X24)"),
    "then stands": N_("the round stands"),
    "then counts": N_("the round counts"),
    "then counts as it lies": N_("the round counts as it lies (X25)"),
    "then opening": N_("the hands are opened at the new table"),
    "then opening or again": N_(
        "the round is counted or dealt again, as the rules of play have it (X25)"
    ),
    "then again": N_("the round is dealt again"),
    "then draw again": N_("the draw for seats begins again"),
    "then nothing": N_("the round does not count"),
    "notListed": N_("Not listed here: {n} more."),
    "entries": N_("entries"),
    "continuations": N_("continuations"),
    "signatures": N_("signatures"),
    "shuffleProofs": N_("shuffle proofs"),
    "unlockProofs": N_("unlock proofs"),
    "faceProofs": N_("proofs of cards shown"),
    "time": N_("in this browser"),
    "head": N_("Digest of the last entry that holds:"),
    "game": N_("Game"),
    "tableId": N_("Table id:"),
    "extension": N_("an extension that this page does not know; nothing hangs on it"),
    "entryNumber": N_("Entry number"),
    "show": N_("Show the entry"),
    "before": N_("The one before"),
    "after": N_("The one after"),
    "charter": N_("The charter"),
    "title entry": N_("Entry {entry}"),
    "title charter": N_("Entry {entry}: a continuation"),
    "title evidence": N_("Entry {entry}: evidence"),
    "decoded": N_("Decoded, with the names of the specification"),
    "itsBytes": N_("Its {size} bytes"),
    "itHolds": N_("holds"),
    "itFails": N_("does not hold"),
    "leftSide": N_("left term, computed by this page"),
    "rightSide": N_("right term, as it stands in the record"),
    "numbers": N_("The numbers in it"),
    "proof signature": N_("The signature"),
    "proof shuffle": N_("The shuffle proof"),
    "proof unlock": N_("The unlock proof"),
    "chance signature": N_(
        "It could hold without the key only if somebody could compute discrete logarithms of that "
        "size, about 2^126 steps."
    ),
    "chance shuffle": N_(
        "If the cards were not a permutation of those before, all six could hold only if the "
        "challenge C, a hash, had come out as one number of about 2^245, or if somebody could "
        "compute discrete logarithms of that size, about 2^126 steps."
    ),
    "chance unlock": N_(
        "If a card was unlocked wrongly, it could hold only if the challenge c, a hash, had come "
        "out as one number of about 2^252."
    ),
    "word sound": N_("sound"),
    "word ended": N_("ended early"),
    "word exposed": N_("exposed"),
    "word illegal": N_("against the rules"),
    "word broken": N_("broken"),
    "word unfinished": N_("sound so far"),
    "word newer": N_("made by a newer program"),
    "cause R1": N_("the file is cut or is no record from there on."),
    "cause R2": N_(
        "the charter does not have the right form, or is not signed by all its members."
    ),
    "cause R3": N_("it does not have the form of an entry."),
    "cause R4": N_("no player of the table has signed it."),
    "cause R5": N_("it belongs to another table."),
    "cause R6": N_("it belongs to another place in the record."),
    "cause R7": N_("it does not continue the entries before it."),
    "cause R8": N_("two different entries for one place are signed by the same player."),
    "cause R9": N_("a field, a point or a scalar does not have the right form."),
    "cause R10": N_("it names another writer than its signer."),
    "cause R11": N_("it was not that player's turn to write such an entry."),
    "cause R12": N_("these are not the cards that are to be shuffled."),
    "cause R13": N_("the unlock key was announced before."),
    "cause R14": N_("cards are given that cannot be given so."),
    "cause R15": N_("a card is named that it was not, or that is not in the deal."),
    "cause R16": N_("the opened hand does not name the cards that are in it."),
    "cause R17": N_("it does not name the result of the round that the others have signed."),
    "cause R19": N_("it does not continue the match as those who stay have signed it."),
    "cause R20": N_("it exposes nobody, or somebody who is exposed already."),
    "cause X11": N_("a card is named that the player does not have, or one card is named twice."),
    "cause C1": N_("They have signed that they leave a table, and played on there."),
    "cause C2": N_("They have closed a round, and signed a continuation without it."),
    "cause C3": N_("They have signed two continuations with the same number."),
    "cause shuffle:length": N_("cards were added to the deck or taken from it."),
    "cause shuffle:distinct": N_("a card is in the shuffled deck twice."),
    "cause shuffle:sum": N_("the shuffle proof does not hold (permutation, sums)."),
    "cause shuffle:prod": N_("the shuffle proof does not hold (permutation, products)."),
    "cause shuffle:commit": N_("the shuffle proof does not hold (commitments)."),
    "cause shuffle:map": N_("the shuffled cards do not come from the ones before."),
    "cause shuffle:key": N_("the cards are not locked with the key that was announced."),
    "cause shuffle:chain": N_("the shuffle proof does not hold (chain of products)."),
    "cause unlock:length": N_("a share or a proof is missing, or there is one too many."),
    "cause unlock:identity": N_("the unlock proof is empty."),
    "cause unlock:dleq": N_("a lock was not taken off as announced, or a card is another one."),
}
"""Texts of the page's script, by the names that they have there."""


def verification(report: AuditReport, number: int) -> Html:
    """Return the place for the result of checking the record with that number on the page."""
    end = report.conclusion
    program = {
        "verdict": end.verdict.value,
        "entry": end.entry,
        "cause": end.cause,
        "player": end.player,
        # True if the verdict can rest on the rules of play, which the page does not know.
        "rules": end.verdict is Verdict.ILLEGAL or end.cause == "R19",
        "exposed": [
            {
                "entry": one.entry,
                "cause": one.cause,
                "player": one.player,
                "rules": one.illegal,
            }
            for one in end.exposed
        ],
    }
    return check_place(record=f"record-{number}", program=json.dumps(program))


def check_place(record: str | None = None, program: str | None = None) -> Html:
    """Return the place for the result of a check.

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
        yield data_element("texts", {key: _(text) for key, text in TEXTS.items()})
        yield script_element(script(WORKER), type="text/plain", id="verifier")

    return document(title, main, footer, data=data(), script=script(PAGE), workers=True)


@cache
def script(names: tuple[str, ...]) -> str:
    """Return the files, one after the other, as one script."""
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in names]
    return "\n".join(['"use strict";', *texts])
