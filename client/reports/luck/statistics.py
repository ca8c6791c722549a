"""The statistical tests for `client.reports.luck.report`, with the standard library alone.

Sources:

* R. A. Fisher's exact test for hypergeometric counts, two-sided: the p-value is the chance of all
  outcomes that are no likelier than the observed one.
* J. Ville, Etude critique de la notion de collectif, 1939: a martingale of mean 1 rises to 1/p with
  probability at most p.
* S. Holm, A simple sequentially rejective multiple test procedure, 1979.
"""

import math
from collections.abc import Mapping, Sequence

from attrs import frozen

Matrix = Sequence[Sequence[float]]

_NOTHING = 1e-40  # a tail too small to change a sum in double precision
_SAME = 1 + 1e-9  # factor within which two computed probabilities count as equal


def chi_squared_tail(x: float, degrees: int) -> float:
    """Return P(X >= x) for chi-squared with that number of degrees of freedom.

    The tail is a finite sum: the regularised incomplete gamma function at a whole or half number.
    Raises ValueError for less than one degree of freedom, or a negative x.
    """
    if degrees < 1 or x < 0:
        raise ValueError("Chi-squared needs a degree of freedom, and an x that is not negative.")
    half = x / 2
    if half == 0:
        return 1.0
    # With h = x / 2, the tail for n degrees is the tail for n - 2 plus e^-h h^(n/2-1) / gamma(n/2).
    # The tail is 0 for n = 0, and erfc(sqrt(h)) for n = 1.
    odd = degrees % 2
    tail = math.erfc(math.sqrt(half)) if odd else 0.0
    for i in range(degrees // 2):
        power = i + odd / 2
        tail += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(1.0, tail)


def quadratic_form(d: Sequence[float], s: Matrix) -> float:
    """Return d' s^-1 d for a positive definite s, by its Cholesky factor.

    Raises ValueError if s is singular.
    """
    size = len(d)
    low = [[0.0] * size for _ in range(size)]
    y: list[float] = []
    # Row by row: the factor L with L L' = s, and y with L y = d. Then d' s^-1 d is y' y.
    for i in range(size):
        for j in range(i):
            inner = sum(low[i][k] * low[j][k] for k in range(j))
            low[i][j] = (s[i][j] - inner) / low[j][j]
        rest = s[i][i] - sum(value * value for value in low[i][:i])
        if rest <= 1e-9 * s[i][i]:
            raise ValueError("The matrix is singular.")
        low[i][i] = math.sqrt(rest)
        y.append((d[i] - sum(low[i][k] * y[k] for k in range(i))) / low[i][i])
    return sum(value * value for value in y)


@frozen(order=True)
class DrawnHand:
    """A hand of `drawn` cards from a deal of `cards`, `special` of which are special."""

    cards: int
    special: int
    drawn: int

    def chances(self) -> "Chances":
        """Return the hypergeometric chances of each number of special cards in the hand."""
        ways = math.comb(self.cards, self.drawn)
        others = self.cards - self.special
        low = max(0, self.drawn - others)
        return Chances(
            low,
            tuple(
                math.comb(self.special, x) * math.comb(others, self.drawn - x) / ways
                for x in range(low, min(self.special, self.drawn) + 1)
            ),
        )


@frozen
class Chances:
    """Chances of whole numbers: `of[i]` is the chance of `low` + i."""

    low: int
    of: tuple[float, ...]

    def plus(self, other: "Chances") -> "Chances":
        """Return the chances of the sum of two independent numbers."""
        sums = [0.0] * (len(self.of) + len(other.of) - 1)
        for i, a in enumerate(self.of):
            for j, b in enumerate(other.of, i):
                sums[j] += a * b
        first = next(i for i, p in enumerate(sums) if p > _NOTHING)
        end = next(i for i in range(len(sums), 0, -1) if sums[i - 1] > _NOTHING)
        return Chances(self.low + other.low + first, tuple(sums[first:end]))

    def two_sided(self, x: int) -> float:
        """Return the chance that a value is no likelier than x."""
        if not 0 <= x - self.low < len(self.of):
            return 0.0
        # An outcome as likely as x must count, even if its probability is rounded to a bit more. Of
        # 4 cards with 2 special ones, for example, a hand of 2 is as likely to have 0 as 2 of them.
        bar = self.of[x - self.low] * _SAME
        return min(1.0, math.fsum(p for p in self.of if p <= bar))


def total_chances(hands: Mapping[DrawnHand, int]) -> Chances:
    """Return the chances of each number of special cards in all hands together.

    `hands` has the number of hands of each kind.
    """
    total = Chances(0, (1.0,))
    for hand, times in sorted(hands.items()):
        power = hand.chances()
        for digit in reversed(f"{times:b}"):  # squaring: 6 hands (binary 110) are 2 and 4
            if digit == "1":
                total = total.plus(power)
            power = power.plus(power)
    return total


def anytime_p(log_ratios: Sequence[float]) -> float:
    """Return the p-value of averaged likelihood ratios against chance: 1 / mean, at most 1."""
    # The largest ratio is factored out, because e^800 is too large for a floating-point number.
    largest = max(log_ratios)
    if largest <= 0:
        return 1.0
    mean = math.fsum(math.exp(ratio - largest) for ratio in log_ratios) / len(log_ratios)
    return min(1.0, math.exp(-largest) / mean) if largest < 700 else 0.0


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p-values with Holm's correction for many tests, in the same order."""
    corrected = [0.0] * len(p_values)
    worst = 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - place) * p_values[number]))
        corrected[number] = worst
    return tuple(corrected)
