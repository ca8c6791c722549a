"""The page of rules at a table, and the part of the rules that a person reads."""

from attrs import frozen

from client.i18n.language import _
from client.i18n.rulebook.subjects import Subject, rules_about, subject_of, subjects
from client.i18n.rulebook.text import NoSuchClause
from client.i18n.sentences import said
from client.ui.model.command_words import spoken
from client.ui.model.commands.conditions import cited
from client.ui.model.controls import Controls
from client.ui.model.pages import Page


@frozen
class RulesPage:
    """The part of the table's rules that a person reads."""

    found: tuple[Subject, ...]
    sentence: str = ""
    """A sentence that tells how to choose a subject, or that nothing was found; or ""."""
    numbered: bool = False
    """True if `found` is the list of all subjects, to choose from by number."""


def open_rules(controls: Controls, about: str = "") -> None:
    """Open the rules at the subject, clause or words `about`.

    Without `about` they open at the clause that is cited now, or else at the list of subjects.
    """
    controls.rules_about = about or cited(controls)
    controls.open_page(Page.RULES)


def turn_page(controls: Controls, by: int) -> None:
    """Turn to the next subject (`by` = 1) or the one before (-1).

    Number 0 is the list of all subjects. It follows the last subject.
    """
    match = controls.snapshot.state.match
    found = subjects(match.game, match.options)
    here = _number_of(found, controls.rules_about)
    number = (here + by) % (len(found) + 1)
    controls.rules_about = f"{number}" if number else ""
    controls.open_page(Page.RULES)


def rules_page(controls: Controls) -> RulesPage:
    """Return the part of the rules that is being read."""
    match = controls.snapshot.state.match
    about = controls.rules_about
    try:
        found = rules_about(match.game, match.options, about)
    except NoSuchClause as error:
        return RulesPage((), said(error))
    if about:
        return RulesPage(found)
    word = spoken("rules")
    template = _(
        "{word} 3 shows the third subject. {word} with other words shows the rules about them."
    )
    return RulesPage(found, template.format(word=word), numbered=True)


def _number_of(found: tuple[Subject, ...], about: str) -> int:
    """Return the number of the subject that is read, counted from 1; 0 for the list of all."""
    if about.isdecimal():
        return int(about)
    try:
        return found.index(subject_of(found, about)) + 1
    except StopIteration:  # `about` is not a clause: it has words to search for
        return 0
