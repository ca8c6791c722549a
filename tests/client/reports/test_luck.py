"""Statistics of luck, checked by brute force, known values, and honest and rigged deals."""

import math
import random
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from pathlib import Path

import pytest
from attrs import evolve

from client.i18n.language import choose_language
from client.reports.html.luck import luck_section
from client.reports.luck.counting import MOST_STEPS, WEIGHTS, CardTally, Walk, given_cards
from client.reports.luck.report import LuckReport, luck_report
from client.reports.luck.statistics import (
    DrawnHand,
    anytime_p,
    chi_squared_tail,
    holm,
    quadratic_form,
    total_chances,
)
from client.reports.model import AuditReport, CardGiven, DealReport, DeckReport
from client.reports.text import luck_lines
from engine.games import GAMES
from tests.client.reports.audited import audited, checksums
from tests.client.ui.tui.golden import check_file

FOLDER = Path(__file__).parent / "texts"

# -- the statistical tests alone


def test_chi_squared_tails_agree_with_the_tables() -> None:
    """Critical values as in the NIST/SEMATECH handbook, section 1.3.6.7.4, to six places."""
    for x, degrees, tail in (
        *((3.841459, 1, 0.05), (6.634897, 1, 0.01), (5.991465, 2, 0.05), (7.814728, 3, 0.05)),
        *((18.307038, 10, 0.05), (29.588298, 10, 0.001), (124.342113, 100, 0.05), (0.0, 4, 1.0)),
    ):
        assert chi_squared_tail(x, degrees) == pytest.approx(tail, rel=1e-5)
    for x in (0.1, 1.0, 50.0, 700.0):  # with two degrees the tail is exponential
        assert chi_squared_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)
    for x, degrees in ((1.0, 0), (-1.0, 3)):
        with pytest.raises(ValueError, match="Chi-squared"):
            chi_squared_tail(x, degrees)


@pytest.mark.parametrize(
    "hand", [DrawnHand(7, 3, 4), DrawnHand(6, 0, 3), DrawnHand(5, 5, 2), DrawnHand(8, 6, 5)]
)
def test_chances_of_a_hand_agree_with_counting_all_draws(hand: DrawnHand) -> None:
    draws = list(combinations(range(hand.cards), hand.drawn))
    chances = hand.chances()
    for number in range(hand.drawn + 1):
        ways = sum(sum(card < hand.special for card in draw) == number for draw in draws)
        place = number - chances.low
        told = chances.of[place] if 0 <= place < len(chances.of) else 0.0
        assert told == pytest.approx(ways / len(draws))


def test_chances_of_many_hands_agree_with_their_sum() -> None:
    hands = {DrawnHand(7, 3, 4): 3, DrawnHand(6, 2, 2): 2}
    told = total_chances(hands)
    singles = [hand.chances() for hand, times in hands.items() for _ in range(times)]
    sums: dict[int, float] = defaultdict(float)
    for outcome in product(*(range(len(one.of)) for one in singles)):
        total = sum(one.low + i for one, i in zip(singles, outcome, strict=True))
        sums[total] += math.prod(one.of[i] for one, i in zip(singles, outcome, strict=True))
    assert told.low == min(sums)
    assert list(told.of) == pytest.approx([sums[total] for total in sorted(sums)])
    many = total_chances({DrawnHand(108, 12, 11): 1000})
    mean = sum((many.low + i) * p for i, p in enumerate(many.of))
    assert mean == pytest.approx(1000 * 11 * 12 / 108)
    assert sum(told.of) == pytest.approx(sum(many.of)) == pytest.approx(1)


def test_two_sided_test_adds_all_results_that_are_not_likelier() -> None:
    """Fisher's lady tasting tea: 8 cups, 4 with milk first, and the lady names all 4 of them."""
    cups = DrawnHand(8, 4, 4).chances()
    assert cups.two_sided(4) == pytest.approx(float(Fraction(2, 70)))
    assert cups.two_sided(3) == pytest.approx(float(Fraction(34, 70)))
    assert cups.two_sided(2) == pytest.approx(1)
    assert cups.two_sided(5) == 0.0


def test_quadratic_form_inverts_the_matrix() -> None:
    assert quadratic_form([2.0, 3.0], [[4.0, 0.0], [0.0, 9.0]]) == pytest.approx(2)
    assert quadratic_form([1.0, 2.0], [[2.0, 1.0], [1.0, 3.0]]) == pytest.approx(7 / 5)
    with pytest.raises(ValueError, match="singular"):
        quadratic_form([1.0, 2.0], [[1.0, 1.0], [1.0, 1.0 + 1e-12]])
    assert quadratic_form([1.0, 2.0], [[1.0, 1.0], [1.0, 1.001]]) == pytest.approx(1001)


def test_holm_correction_steps_down() -> None:
    """The smallest of four p-values is multiplied by 4, and the next ones by 3, 2 and 1.

    Here 0.035 x 1 is less than the result before it, 0.03 x 2, and is raised to that.
    """
    assert holm([0.02, 0.01, 0.035, 0.03]) == pytest.approx((0.06, 0.04, 0.06, 0.06))
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


# -- cards given to players


def deck(cards: int, wild: int) -> DeckReport:
    ranks = tuple(f"{number % 4}" for number in range(cards))
    return DeckReport(ranks, ranks, frozenset(range(wild)), frozenset())


def dealt(order: tuple[int, ...], taken: int) -> DealReport:
    """Return a deal of the cards of `order`; player 0 has drawn the first `taken` of them."""
    given = tuple(
        CardGiven(slot, 0, dealt=False, entry=slot, card=order[slot]) for slot in range(taken)
    )
    return DealReport(0, 0, tuple(range(len(order))), b"", (), given)


def tallied(order: tuple[int, ...], taken: int) -> CardTally:
    """Return the tally of the first `taken` cards of a deal in this order."""
    report = deck(len(order), 2)
    tally = CardTally(report)
    for _, card, left in given_cards(dealt(order, taken), report):
        tally.add(card, left)
    return tally


def _until_wild(order: tuple[int, ...]) -> int:
    """Return the number of draws up to the first wild card.

    A careless test would be misled by stopping there: the last drawn card is always wild.
    """
    return next(i for i, card in enumerate(order, start=1) if card < 2)


def _always_three(_: tuple[int, ...]) -> int:
    return 3


@pytest.mark.parametrize("stop", [_until_wild, _always_three])
def test_statistics_are_unbiased_for_any_stopping_rule(
    stop: Callable[[tuple[int, ...]], int],
) -> None:
    """Over all orders of a small deck, the mean and the covariance are as expected.

    The likelihood ratios have the mean 1.
    """
    orders = list(permutations(range(6)))
    off, spread, ratios = [], 0.0, [0.0] * len(WEIGHTS)
    ranks = 0.0
    for order in orders:
        tally = tallied(order, stop(order))
        special = tally.special["wild cards"]
        off.append(special.came - special.expected)
        spread += tally.covariance[0][1]
        d = [tally.came[rank] - tally.expected[i] for i, rank in enumerate(tally.ranks)]
        ranks += d[0] * d[1]
        for i, log_ratio in enumerate(special.log_ratios):
            ratios[i] += math.exp(log_ratio)
    assert sum(off) / len(orders) == pytest.approx(0, abs=1e-12)
    assert ranks == pytest.approx(spread)
    assert [ratio / len(orders) for ratio in ratios] == pytest.approx([1.0] * len(WEIGHTS))


def test_small_anytime_p_values_are_rare_by_chance() -> None:
    """For example, at most 20 % of all orders give 0.2 or less, wherever one stops."""
    tallies = (
        tallied(order, _until_wild(order)) for order in islice(permutations(range(8)), 0, None, 7)
    )
    told = [anytime_p(tally.special["wild cards"].log_ratios) for tally in tallies]
    for level in (0.2, 0.5, 0.8):
        assert sum(p <= level for p in told) <= level * len(told)
    assert anytime_p([0.0, 0.0]) == anytime_p([-720.0, -800.0]) == 1.0  # e^720 is too large
    assert anytime_p([-50.0, math.log(20)]) == pytest.approx(0.1)


# -- whole records


def played(count: int, shuffle: Callable[[list[int]], None]) -> AuditReport:
    """Return the report on a match of `count` rounds.

    In each round two players are dealt 11 cards each, and then draw 20 cards in turn.
    """
    rounds = []
    for number in range(1, count + 1):
        order = list(range(108))
        shuffle(order)
        given = tuple(
            CardGiven(slot, slot % 2, dealt=slot < 22, entry=slot, card=order[slot])
            for slot in range(42)
        )
        deal = DealReport(number, 0, tuple(range(108)), b"", (), given)
        rounds.append(evolve(audited().rounds[1], number=number, deals=(deal,)))
    return evolve(audited(), rounds=tuple(rounds))


def luck_of(count: int, shuffle: Callable[[list[int]], None]) -> LuckReport:
    return luck_report([played(count, shuffle)])


def test_honest_deals_are_not_striking_and_have_uniform_p_values() -> None:
    seen = [luck_of(30, random.Random(seed).shuffle) for seed in range(12)]
    assert sum(any(look.strikes for look in luck.looks) for luck in seen) <= 1
    for method, low in (("chi-squared", 0.25), ("exact", 0.25), ("anytime", 0.5)):
        looks = [look for luck in seen for look in luck.looks if look.method == method]
        told = [look.p for look in looks if look.p is not None]
        assert len(told) >= 24
        assert sum(told) / len(told) > low + 0.1
        assert sum(p < 0.05 for p in told) <= 0.15 * len(told)


def rigged(rng: random.Random) -> Callable[[list[int]], None]:
    """Return a shuffle that gives player 0 too many wild cards.

    In each round the player has about one wild card too many in the dealt hand, and two among the
    ten cards that they draw.
    """
    table = audited().table
    assert table is not None
    wild = sorted(table.deck.wild)

    def shuffle(order: list[int]) -> None:
        rng.shuffle(order)
        for slot in (0, 22, 32):
            place = order.index(rng.choice(wild))
            if place % 2 or place >= 42:
                order[slot], order[place] = order[place], order[slot]

    return shuffle


def test_lines_and_page_about_a_rigged_deck_match_their_file() -> None:
    """The players have a rigged match of Canasta, and one round of each of two other games."""
    rigged_match = played(40, rigged(random.Random(1)))
    luck = luck_report([rigged_match, audited("kanastic"), audited("canastra")])
    parts = checksums(f"<main>{luck_section(luck)}")
    told = [*luck_lines(luck), "", "=== checksums of the page", *parts]
    check_file(FOLDER / "luck-en.txt", "\n".join(told))
    striking = {(look.method, look.how) for look in luck.looks if look.strikes and look.player == 0}
    assert striking >= {("exact", "dealt"), ("anytime", "drawn")}, (
        "Ana's wild cards must be striking"
    )


@pytest.mark.parametrize(("language", "told"), [("es", "robadas"), ("pt", "compradas")])
def test_drawn_cards_are_not_translated_as_drawn_matches(language: str, told: str) -> None:
    luck = luck_of(2, rigged(random.Random(1)))
    choose_language(language)
    lines = [line for line in luck_lines(luck) if told in line]
    assert len(lines) == sum(look.how == "drawn" for look in luck.looks) > 0


@pytest.mark.parametrize("game", GAMES)
def test_all_cards_of_a_played_round_are_counted(game: str) -> None:
    report = audited(game)
    luck = luck_report([report])
    given = [one for deal in report.rounds[1].deals for one in deal.given if one.player is not None]
    assert (luck.records, luck.rounds) == (1, 1)
    assert sum(share.cards for share in luck.shares) == len(given)
    for share in luck.shares:
        assert sum(rank.expected for rank in share.ranks) == pytest.approx(share.cards)
    assert not any(look.strikes for look in luck.looks)
    lines = list(luck_lines(luck))
    assert luck.sentence in lines
    assert all(line.strip().startswith(f"{GAMES[game].title}, ") for line in lines if "p =" in line)


def test_cards_of_one_key_are_summed_over_finished_rounds() -> None:
    report = audited()
    counted = report.rounds[1]
    renamed = tuple(evolve(player, name=f"{player.name}2") for player in counted.players)
    again = evolve(report, rounds=(evolve(counted, players=renamed),))
    twice = luck_report([report, again])
    once = luck_report([report])
    assert [player.name for player in twice.players] == ["Ana2", "Bruno2"]
    assert [s.cards for s in twice.shares] == [2 * s.cards for s in once.shares]
    uncounted = evolve(report, rounds=(evolve(counted, count=None),))
    nothing = luck_report([uncounted, evolve(report, table=None)])
    assert (nothing.records, nothing.rounds, nothing.looks) == (1, 0, ())
    assert "too few" in nothing.verdict


def test_cards_count_for_the_player_who_sat_there_in_that_round() -> None:
    """A substitute has none of the cards of the rounds before."""
    report = audited()
    first = report.rounds[1]
    other = evolve(first.players[1], key=b"another", name="Zoe")
    second = evolve(first, players=(first.players[0], other))
    luck = luck_report([evolve(report, rounds=(first, second))])
    cards = {player.name: 0 for player in luck.players}
    for share in luck.shares:
        cards[luck.players[share.player].name] += share.cards
    assert cards["Bruno"] == cards["Zoe"] > 0
    given = [one for deal in first.deals for one in deal.given]
    assert cards["Ana"] == 2 * sum(one.player == 0 for one in given)


def test_a_luck_curve_ends_at_the_totals_of_its_tests() -> None:
    """A curve counts dealt and drawn cards together, both those that came and those expected."""
    luck = luck_of(20, random.Random(1).shuffle)
    assert len(luck.curves) == 2 * 2  # two players, two kinds of special cards
    for curve in luck.curves:
        looks = [one for one in luck.looks if (one.player, one.what) == (curve.player, curve.what)]
        last = curve.points[-1]
        assert last.came == sum(one.came for one in looks)
        assert last.expected == pytest.approx(sum(one.expected for one in looks))
        assert last.cards == 20 * 21
        assert (curve.points[0].cards, curve.points[0].came) == (0, 0)
        assert len(curve.points) == MOST_STEPS + 1
        assert [one.cards for one in curve.points] == sorted({one.cards for one in curve.points})


def test_honest_luck_curves_end_in_the_band_and_rigged_ones_do_not() -> None:
    ends = [
        (last.came - last.expected) / last.deviation
        for seed in range(40)
        for curve in luck_of(4, random.Random(seed).shuffle).curves
        for last in curve.points[-1:]
    ]
    assert 0.9 <= sum(abs(end) < 1.96 for end in ends) / len(ends) <= 0.99
    lucky = luck_of(40, rigged(random.Random(1))).curves
    (last,) = (one.points[-1] for one in lucky if (one.player, one.what) == (0, "wild cards"))
    assert (last.came - last.expected) / last.deviation > 4


def test_walk_has_the_variance_of_drawing_without_return() -> None:
    """Three draws are compared over all orders of five cards, two of which are special."""
    walk = Walk()
    walk.step(True, 2 / 5)
    walk.step(False, 1 / 4)
    assert walk.steps[-1] == pytest.approx((1, 0.65, 0.24 + 0.1875))
    squares = []
    for order in permutations([1, 1, 0, 0, 0]):
        walk, left = Walk(), [2, 5]
        for card in order[:3]:
            walk.step(bool(card), left[0] / left[1])
            left = [left[0] - card, left[1] - 1]
        came, expected, variance = walk.steps[-1]
        squares.append(((came - expected) ** 2, variance))
    assert sum(s for s, _v in squares) == pytest.approx(sum(v for _s, v in squares))


def test_counting_of_a_deal_ends_at_the_first_hidden_card() -> None:
    report = deck(6, 2)
    deal = dealt((0, 1, 2, 3, 4, 5), 4)
    hidden = (*deal.given[:2], evolve(deal.given[2], card=None), deal.given[3])
    assert len(list(given_cards(evolve(deal, given=hidden), report))) == 2
