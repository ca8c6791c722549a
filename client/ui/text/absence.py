"""Sentences on the player the table waits for, on the others' wishes, and on what is proposed."""

from collections.abc import Iterable, Sequence

from client.i18n.language import _, with_and
from client.i18n.sentences import said
from client.session.display.absence import Absence, Proposed
from p2p.match.table_status import Candidate
from protocol.charter import Member
from protocol.errors import Exposed
from protocol.match.messages import Wish, WishKind
from protocol.table.resync import Unheard
from protocol.words_for_keys import words


def awaited_sentence(
    absence: Absence, names: Sequence[str], me: int, exposed: Exposed | None = None
) -> str:
    """Return who the table waits for, how long it has waited, and what can happen next."""
    sentences = [exposed_sentence(absence.exposed, names, exposed)] if absence.exposed else []
    if absence.awaited == me and not absence.missing:
        return _own(absence, names)
    if absence.awaited is not None and absence.awaited not in (*absence.exposed, me):
        template = _("The table has waited for {name} for {time}.")
        name = names[absence.awaited]
        sentences.append(template.format(name=name, time=clock(absence.silent)))
        if absence.cut_off:
            sentences.append(
                _("This machine is cut off: it reaches none of the others. Look at its network.")
            )
            return " ".join(sentences)
        if absence.left:
            sentences.append(_("{name} has left the table.").format(name=name))
        elif not absence.linked:
            sentences.append(_unreached(absence, names))
        else:
            sentences.append(_also_away(absence, names))
    sentences.append(_prospect(absence, names, me))
    return " ".join(filter(None, sentences))


def resting_sentence(absence: Absence, me: int) -> str:
    """Return how a match that cannot go on now can go on later; "" for other matches."""
    lasting = _(
        "Nothing is lost: leave the table, and go on when all are back, today or another day."
    )
    if absence.awaited == me:
        return lasting
    if absence.cut_off:
        return _(
            "The game goes on as soon as this machine reaches the others again. If that takes "
            "long, they may go on without you."
        )
    if not absence.rests:
        return ""
    few = _("More than half of those who began must be there to go on, so the match rests.")
    return f"{few} {lasting}"


def exposed_sentence(players: Iterable[int], names: Sequence[str], exposed: Exposed | None) -> str:
    """Return a sentence on each exposed player; the one of `exposed` gets the reason, too."""
    sentences = []
    for player in players:
        name = names[player]
        if exposed is not None and exposed.player == player:
            template = _("{name} has signed what exposes them: {why}")
            sentences.append(template.format(name=name, why=said(exposed)))
        else:
            sentences.append(_("{name} has cheated.").format(name=name))
    return " ".join(sentences)


def _unreached(absence: Absence, names: Sequence[str]) -> str:
    others = [player for player in absence.away if player != absence.awaited]
    if not others:
        return _("That machine cannot be reached.")
    return _("That machine cannot be reached, nor that of {names}.").format(
        names=with_and(names[player] for player in others)
    )


def _also_away(absence: Absence, names: Sequence[str]) -> str:
    """Return a sentence on other players who cannot be reached; "" for nobody."""
    named = {absence.awaited, *absence.exposed}
    others = [names[player] for player in absence.away if player not in named]
    if not others:
        return ""
    return _("The machine of {name} cannot be reached.").format(name=with_and(others))


def _unheard(unheard: Unheard, names: Sequence[str]) -> str:
    """Return why this machine must hear from other members before it writes, and from whom."""

    def of(players: Iterable[int]) -> str:
        return with_and(names[player] for player in sorted(players))

    sentences = [_("This machine was started again, and goes on when it knows where the game is.")]
    if unheard.doubtful:
        sentences = [_("This machine's files are older than what it has signed.")]
    if unheard.silent:
        template = _("It must hear from {names} where the game is.")
        if unheard.enough:
            template = _("It must hear where the game is from {n} of these: {names}.")
        sentences.append(template.format(names=of(unheard.silent), n=unheard.enough))
    if unheard.empty:
        template = _(
            "The machine of {names} says that the game has gone further, but does not send the "
            "rest."
        )
        sentences.append(template.format(names=of(unheard.empty)))
    return " ".join(sentences)


def _own(absence: Absence, names: Sequence[str]) -> str:
    if absence.stuck:
        return _stuck(absence)
    if absence.unheard:
        return _unheard(absence.unheard, names)
    text = _("The table has waited for you for {time}.").format(time=clock(absence.silent))
    if not absence.hurries:
        return text
    if absence.grace_left:
        left = clock(absence.grace_left)
        return text + " " + _("In {time} the others may go on without you.").format(time=left)
    return text + " " + _("The others may go on without you now.")


def _stuck(absence: Absence) -> str:
    if absence.proposed is None:
        return _("Somebody has signed to go on, and not all have. You may all go on together.")
    return ""


def _prospect(absence: Absence, names: Sequence[str], me: int) -> str:
    if absence.cut_off or absence.rests:
        return _("The match can rest: leave, and take it up another day.")
    if absence.proposed is not None and absence.may_decide:
        return proposed_sentence(absence.proposed, names, me)
    if absence.stuck and not absence.missing:
        return _stuck(absence)
    if absence.may_decide:
        return _("The rest of you may decide how to go on.")
    if absence.linked and not absence.left:
        return ""  # the awaited player may be thinking, for as long as they like
    left = clock(absence.grace_left)
    return _("In {time} the rest of you may decide how to go on.").format(time=left)


def proposed_sentence(proposed: Proposed, names: Sequence[str], me: int) -> str:
    """Return what is proposed, by whom, and who has not accepted it yet."""
    what = proposal_text(proposed, names)
    done = {*proposed.accepted, *proposed.missing}  # newcomers sign last, for the missing
    waits = [player for player in proposed.signers if player not in done]
    if proposed.by == me:
        text = _("You propose: {what}.").format(what=what)
    else:
        text = _("{name} proposes: {what}.").format(name=names[proposed.by], what=what)
    if me in waits:
        return text + " " + _("You have not accepted that yet.")
    others = with_and(names[player] for player in waits)
    return text + (" " + _("Not accepted yet by {names}.").format(names=others) if waits else "")


def proposal_text(proposed: Proposed, names: Sequence[str]) -> str:
    """Return what happens if all accept the proposal."""
    gone = [names[player] for player in proposed.missing]
    if proposed.ends:
        return _("the match ends here without {name}").format(name=with_and(gone))
    if not proposed.missing:
        return _("all go on together")
    return with_and(taking(new, old) for new, old in zip(proposed.new, gone, strict=True))


def taking(member: Member, name: str) -> str:
    """Return the text that `member`, with the words of their key, takes the seat of `name`."""
    return _("{new} (words: {words}) takes the seat of {name}").format(
        new=member.name, words=" ".join(words(member.key)), name=name
    )


def gone_text(gone: Sequence[str], new: Sequence[str]) -> str:
    """Return who is gone, and who plays on in their seats; without `new` the match ends."""
    if not gone:
        return _("all go on together")
    if not new:
        return _("the match ends here without {name}").format(name=with_and(gone))
    template = _("{name} is gone, and {new} plays on in that seat")
    return with_and(template.format(name=old, new=one) for old, one in zip(gone, new, strict=True))


def wish_text(wish: Wish, candidates: Sequence[Candidate]) -> str:
    """Return a player's wish in a few words."""
    match wish.kind:
        case WishKind.WAIT:
            return _("waits")
        case WishKind.OPPONENT:
            return _("wishes for an opponent in the seat")
        case WishKind.END:
            return _("wishes to end the match")
        case WishKind.TOGETHER:
            return _("wishes to go on together")
        case WishKind.PERSON:
            name = next((asking.name for asking in candidates if asking.key == wish.person), "?")
            return _("wishes for {name} in the seat").format(name=name)


def clock(seconds: int) -> str:
    """Return minutes and seconds, "2:05", or hours, minutes and seconds, "1:02:05"."""
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
