"""A review of a player's own decisions in a record: the mistakes that cost most, and the luck.

Each decision is judged with what the player knew then (`client.bots.decision_review`): the cards
that the record opens later are left out of the views.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve, frozen

from client.bots.best_moves import BestMoves
from client.bots.card_luck import Luck, luck_of
from client.bots.decision_review import COST, SURE, Verdict, verdict_on
from client.bots.evaluator_registry import evaluator_of
from client.bots.weights import Tuning
from client.child_processes import on_all_cores
from client.i18n.language import _, _n, number, with_and
from client.reports.auditing import progress_bar
from client.reports.luck.report import LuckReport, luck_report
from client.reports.text import look_line
from client.ui.model.command_words import line_of, shown
from client.ui.model.hint_reasons import reason
from client.ui.model.regrettable_moves import warning
from client.ui.model.replay import Moment, Replay
from client.ui.model.review_inputs import Choice, cards_given, choices_of
from engine.games import game_named

MOST = 5
"""Maximum number of mistakes that are shown."""

MANY = 50
"""With more decisions than this in a round, each is searched less, so that nobody waits long."""


@frozen
class Mistake:
    """A decision that is called a mistake."""

    choice: Choice
    verdict: Verdict
    made: str
    """The move as it is typed."""
    better: str
    against: str | None
    """A reason against the move itself; None if only the better move speaks against it."""
    reason: str
    """The reason for the better move."""


@frozen
class GameReview:
    """A review of one player's decisions."""

    replay: Replay
    player: int
    decisions: int
    """Number of decisions with a choice."""
    mistakes: tuple[Mistake, ...]
    """The costliest first."""
    lucks: tuple[tuple[Luck, Luck], ...]
    """By player, the luck of the hands dealt, and that of all other cards that came by chance."""
    special: LuckReport
    """Tests of the special cards in the whole record."""

    @property
    def name(self) -> str:
        return " / ".join(self.replay.sitters[self.player])

    @property
    def shown(self) -> tuple[Mistake, ...]:
        """The mistakes that are shown."""
        return self.mistakes[:MOST]

    def before(self, mistake: Mistake) -> Moment:
        """Return the moment after which the player had to decide, and made the mistake."""
        return self.replay.moments[mistake.choice.place - 1]


def review_game(
    replay: Replay,
    player: int,
    round_number: int | None = None,
    on_progress: Callable[[str], None] = lambda _line: None,
) -> GameReview:
    """Return the review of a player's decisions in one round, or in all rounds.

    Only rounds whose hands were opened can be judged. The review runs on all cores. The same record
    gives the same review. Raises the errors of `on_all_cores`.
    """
    choices = list(choices_of(replay, player, round_number))
    rounds = [replay.moments[choice.place].deal_number for choice in choices]
    count = Counter(rounds)
    decisions = [
        # Of 100 decisions in a round, each gets half of the usual search.
        evolve(choice.decision, effort=min(1.0, MANY / count[deal]))
        for choice, deal in zip(choices, rounds, strict=True)
    ]

    def on_judged(done: int) -> None:
        template = _("{done} of {all} decisions judged")
        text = template.format(done=number(done), all=number(len(decisions)))
        on_progress(f"{progress_bar(done, len(decisions))} {text}")

    on_judged(0)
    verdicts = on_all_cores(verdict_on, decisions, on_done=on_judged)
    found = [
        _mistake(choice, verdict)
        for choice, verdict in zip(choices, verdicts, strict=True)
        if verdict is not None and verdict.is_mistake
    ]
    found.sort(key=lambda mistake: -mistake.verdict.cost)
    lucks = tuple(_cards_luck(replay, each, round_number) for each in range(replay.players))
    special = luck_report([replay.report])
    return GameReview(replay, player, len(choices), tuple(found), lucks, special)


def _cards_luck(replay: Replay, player: int, round_number: int | None) -> tuple[Luck, Luck]:
    # A player holds nothing only before the deal. So cards that came then are the hand dealt.
    given = [(not came.held, luck_of(came)) for came in cards_given(replay, player, round_number)]
    dealt = Luck.total(luck for is_dealt, luck in given if is_dealt)
    return dealt, Luck.total(luck for is_dealt, luck in given if not is_dealt)


def review_record(
    parts: Iterable[bytes], player: int, on_progress: Callable[[str], None]
) -> GameReview:
    """Return the review of a match that is being played here, from the parts of its record.

    Raises the errors of `review_game`, and OSError if there is no room for the record.
    """
    with TemporaryDirectory(prefix="sobremesa-review-") as folder:
        path = Path(folder) / "record"
        with path.open("xb") as file:
            for data in parts:
                file.write(data)
        return review_game(Replay.load(path, on_progress), player, None, on_progress)


def _mistake(choice: Choice, verdict: Verdict) -> Mistake:
    view, made = choice.decision.view, choice.decision.move
    found = BestMoves((verdict.better, made), verdict.worlds, verdict.cost)
    evaluator = evaluator_of(game_named(choice.decision.game), Tuning.LEARNT)
    return Mistake(
        choice,
        verdict,
        made=line_of(view, made),
        better=line_of(view, verdict.better),
        against=warning(view, made),
        reason=reason(view, found, evaluator, choice.events, choice.names),
    )


# -- in sentences


def mistake_title(review: GameReview, number_: int, mistake: Mistake) -> str:
    """Return where a mistake was made, and what it cost."""
    moment = review.replay.moments[mistake.choice.place]
    return _("{n}. {round}, entry {entry}: about {cost} points, give or take {error}").format(
        n=number_,
        round=review.replay.title(moment),
        entry=moment.number,
        cost=number(round(mistake.verdict.cost)),
        error=number(round(mistake.verdict.error)),
    )


def mistake_sentences(mistake: Mistake) -> Iterator[str]:
    """Return sentences: the move, the better move, the reasons, and how sure the verdict is."""
    verdict = mistake.verdict
    yield _("Played: {made}. Better: {better}.").format(
        made=shown(mistake.made), better=shown(mistake.better)
    )
    if mistake.against:
        yield _("Against the move played: {why}").format(why=mistake.against)
    if mistake.reason:
        yield _("For the better move: {why}").format(why=mistake.reason)
    yield _n(
        "This is {sure} % sure, from {n} deal that fits what was seen then.",
        "This is {sure} % sure, from {n} deals that fit what was seen then.",
        verdict.worlds,
        sure=min(99, int(100 * verdict.sure)),
    )


def summary(review: GameReview) -> Iterator[str]:
    """Return sentences: the result, the meaning of "mistake", and the luck of the cards."""
    name, mistakes = review.name, review.mistakes
    judged = _n("{n} decision", "{n} decisions", review.decisions)
    if not review.decisions:
        yield _(
            "There is no decision of {name} to judge: only counted rounds open the hands."
        ).format(name=name)
        return
    if not mistakes:
        yield _("{name} made {judged}, and none is surely a mistake.").format(
            name=name, judged=judged
        )
    else:
        yield _n(
            "{name} made {judged}, and {n} of them is surely a mistake.",
            "{name} made {judged}, and {n} of them are surely mistakes.",
            len(mistakes),
            name=name,
            judged=judged,
        )
        yield _("Play: together they cost about {cost} points, give or take {error}.").format(
            cost=number(round(sum(mistake.verdict.cost for mistake in mistakes))),
            # Errors of independent measurements add up in squares.
            error=number(round(sqrt(sum(mistake.verdict.error**2 for mistake in mistakes)))),
        )
    if len(mistakes) > MOST:
        yield _("The {most} costliest follow.").format(most=MOST)
    yield _(
        "A move is called a mistake if another one brings {cost} points more on average, and that "
        "is {sure} % sure. Each is judged by what {name} could know then: how the hidden cards "
        "lay, and what came later, does not count."
    ).format(cost=round(COST), sure=round(100 * SURE), name=name)
    yield from _luck(review)


def _luck(review: GameReview) -> Iterator[str]:
    """Return lines: the luck of all cards in points, and the tests of the special cards."""
    dealt, drawn = review.lucks[review.player]
    own = Luck.total((dealt, drawn))
    yield _(
        "Luck: compared with average cards, those of {name} were worth {points} points: the hands "
        "dealt {dealt}, the cards drawn {drawn}. In most matches chance brings up to {spread} "
        "points more or less."
    ).format(
        name=review.name,
        points=_signed(own.points),
        dealt=_signed(dealt.points),
        drawn=_signed(drawn.points),
        spread=number(round(own.spread)),
    )
    others = [
        f"{' / '.join(sitters)} {_signed(Luck.total(luck).points)}"
        for player, (sitters, luck) in enumerate(
            zip(review.replay.sitters, review.lucks, strict=True)
        )
        if player != review.player
    ]
    yield _("The cards of the others: {points}.").format(points=with_and(others))
    key = review.replay.report.table and review.replay.report.table.players[review.player].key
    looks = [
        look
        for look in review.special.looks
        if review.special.players[look.player].key == key and look.what != "ranks"
    ]
    if looks:
        yield _("The special cards that came to {name} in this record:").format(name=review.name)
        yield from (f"  {look_line(look)}" for look in looks)


def _signed(points: float) -> str:
    whole = round(points)
    return f"{'-' if whole < 0 else '+'}{number(abs(whole))}"
