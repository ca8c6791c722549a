"""Figures for programs keep small values, and whole numbers."""

from tests.bench.figures import rounded


def test_four_digits_that_mean_something_are_kept() -> None:
    figures = {
        "rate": 123_456.7,
        "count": 123_456,
        "parts": ({"ms": 0.000_123_456}, "a"),
        "no": 0.0,
    }
    assert rounded(figures) == {
        "rate": 123_500.0,
        "count": 123_456,
        "parts": [{"ms": 0.000_123_5}, "a"],
        "no": 0.0,
    }
