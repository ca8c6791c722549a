"""Contrast of two colours, as the Web Content Accessibility Guidelines define it (WCAG 2.2)."""

LEAST = 4.5
"""Least contrast for text (success criterion 1.4.3)."""

Colour = tuple[int, ...]
"""Red, green and blue, from 0 to 255."""


def luminance(colour: Colour) -> float:
    """Return the relative luminance: 0 for black, 1 for white."""
    parts = (part / 255 for part in colour)
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
