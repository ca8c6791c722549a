"""What a person can do about a player who stays away: agree to what is proposed, or propose."""

from collections.abc import Sequence

from attrs import frozen

from client.i18n.language import _
from client.i18n.sentences import said
from client.session.display.absence import Absence, Proposal, SeatBots, SeatPerson
from client.session.display.snapshot import Snapshot
from client.ui.text.absence import proposal_text
from protocol.entries import AbsentContent


@frozen
class AbsenceOption:
    """A proposal with its words; `proposed` tells that somebody has made it already."""

    proposal: Proposal
    text: str
    proposed: bool


def absence_options(snapshot: Snapshot) -> tuple[AbsenceOption, ...]:
    """What there is to agree to or to propose now: what others have proposed first."""
    absence = snapshot.absence
    if absence is None or not may_decide(absence, snapshot.me):
        return ()
    player = absence.player
    asked = {member.key for content in absence.proposals for member in content.substitutes}
    people = [
        SeatPerson(player, candidate)
        for candidate in absence.candidates
        if candidate.key not in asked
    ]
    seated = [SeatBots(group) for group in absence.groups]
    opening = snapshot.state.match.opening
    ended = [AbsentContent(group, opening=opening) for group in absence.groups]
    own: tuple[Proposal, ...] = (*people, *seated, *ended)
    new = tuple(proposal for proposal in own if proposal not in absence.proposals)
    return tuple(
        AbsenceOption(proposal, _text(proposal, snapshot.names), proposal in absence.proposals)
        for proposal in (*absence.proposals, *new)
    )


def _text(proposal: Proposal, names: Sequence[str]) -> str:
    """The words of the proposal, with what this node objects to its candidate."""
    text = proposal_text(proposal, names)
    if isinstance(proposal, SeatPerson) and proposal.candidate.objection is not None:
        text += f" — {said(proposal.candidate.objection.sentence)}"
    return text


def may_decide(absence: Absence, me: int) -> bool:
    """Whether this player can agree to something now."""
    waits = absence.player == me or absence.grace_left > 0
    return absence.may_agree and not waits and not absence.agreed


def chosen_option(options: Sequence[AbsenceOption], number: int | None) -> AbsenceOption | str:
    """The option with that number, counted from 1, or what others propose where none is named; a
    sentence that says why it is none of them.
    """
    place = 1 if number is None else number
    if not options:
        return _("There is nothing to agree to now.")
    if number is None and not options[0].proposed:
        return _("Nobody has proposed anything: say which, by its number.")
    if not 0 < place <= len(options):
        return _("There is no proposal {number}.").format(number=number)
    return options[place - 1]
