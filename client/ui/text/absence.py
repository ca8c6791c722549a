"""Whom the table waits for, and what the others can agree on, in words."""

from collections.abc import Iterable, Sequence

from client.i18n.language import _
from client.i18n.names import with_and
from client.session.display.absence import Absence, Proposal, SeatBots, SeatPerson
from p2p.table.resync import Unheard
from protocol.charter import Member
from protocol.entries import AbsentContent
from protocol.words import words


def awaited_sentence(absence: Absence, names: Sequence[str], me: int) -> str:
    """Whom the table waits for, for how long by now, and what may come of it."""
    if absence.player == me:
        return _own(absence, names)
    told = _("The table has waited for {name} for {time}.")
    sentences = [told.format(name=names[absence.player], time=clock(absence.silent))]
    if absence.cut_off:
        sentences.append(
            _("This machine is cut off: it reaches none of the others. Look at its network.")
        )
        return " ".join(sentences)
    if absence.left:
        sentences.append(_("{name} has left the table.").format(name=names[absence.player]))
    elif not absence.linked:
        sentences.append(_unreached(absence, names))
    sentences.append(_prospect(absence, names))
    return " ".join(filter(None, sentences))


def resting_sentence(absence: Absence, me: int) -> str:
    """What becomes of the match where nothing can be agreed on; "" if somebody may be thinking."""
    lasting = _(
        "Nothing is lost: leave the table, and go on when all are back, today or another day."
    )
    if absence.player == me:
        return lasting
    if absence.cut_off:
        return _(
            "The game goes on as soon as this machine reaches the others again. If that takes "
            "long, they may agree to go on without you."
        )
    if absence.linked and not absence.left:
        return ""
    few = _("More than half of the players must be there to agree on anything, so the match rests.")
    return f"{few} {lasting}"


def _unreached(absence: Absence, names: Sequence[str]) -> str:
    others = {player for group in absence.groups for player in group} - {absence.player}
    if not others:
        return _("That machine cannot be reached.")
    return _("That machine cannot be reached, nor that of {names}.").format(
        names=with_and(names[player] for player in sorted(others))
    )


def _unheard(unheard: Unheard, names: Sequence[str]) -> str:
    """For whom this machine waits before it writes, and why."""

    def of(players: Iterable[int]) -> str:
        return with_and(names[player] for player in sorted(players))

    sentences = [_("This machine was started again, and goes on when it knows where the game is.")]
    if unheard.doubtful:
        sentences = [_("This machine's files are older than what it has signed.")]
    if unheard.silent:
        told = _("It must hear from {names} where the game is.")
        if unheard.enough:
            told = _("It must hear where the game is from {n} of these: {names}.")
        sentences.append(told.format(names=of(unheard.silent), n=unheard.enough))
    if unheard.empty:
        told = _("The machine of {names} says that the game is further, and does not send it.")
        sentences.append(told.format(names=of(unheard.empty)))
    return " ".join(sentences)


def _own(absence: Absence, names: Sequence[str]) -> str:
    if absence.unheard:
        return _unheard(absence.unheard, names)
    told = _("The table has waited for you for {time}.").format(time=clock(absence.silent))
    if absence.grace_left:
        left = clock(absence.grace_left)
        return (
            told + " " + _("In {time} the others may agree to go on without you.").format(time=left)
        )
    return told + " " + _("The others may agree to go on without you now.")


def _prospect(absence: Absence, names: Sequence[str]) -> str:
    if not absence.may_agree:
        if absence.linked and not absence.left:
            return ""  # they may be thinking, however long
        return _("The match can rest: leave, and take it up another day.")
    if absence.grace_left:
        left = clock(absence.grace_left)
        return _("In {time} you others may agree to go on.").format(time=left)
    if absence.agreed:
        return _("You have agreed; all the others must agree too.")
    if absence.invited is not None:
        asked = _("{name} is shown the record, to check it and to sign.")
        return asked.format(name=absence.invited.name)
    if absence.proposals:
        return _("Proposed: {proposal}.").format(
            proposal=proposal_text(absence.proposals[0], names)
        )
    return _("You others may agree to go on now.")


def proposal_text(proposal: Proposal, names: Sequence[str]) -> str:
    """What comes to pass if all agree."""
    match proposal:
        case SeatBots(players):
            told = _("an opponent of this program takes the seat of {name}")
            return with_and(told.format(name=names[player]) for player in players)
        case SeatPerson(player, candidate):
            return _taking(candidate.member, names[player])
        case AbsentContent(players, (), opening=True):
            told = _("the hand of {name} stays closed and counts the worst it can (X24)")
            return with_and(told.format(name=names[player]) for player in players)
        case AbsentContent(players, ()):
            who = with_and(names[player] for player in players)
            return _("the match ends here without {name}").format(name=who)
        case AbsentContent(players, substitutes):
            return with_and(
                _taking(member, names[player])
                for player, member in zip(players, substitutes, strict=True)
            )


def _taking(member: Member, name: str) -> str:
    """With the words of the key, which the new one can read aloud."""
    return _("{new} (words: {words}) takes the seat of {name}").format(
        new=member.name, words=" ".join(words(member.key)), name=name
    )


def clock(seconds: int) -> str:
    """Minutes and seconds: "2:05"; with hours where there are any."""
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
