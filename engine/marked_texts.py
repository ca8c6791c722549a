"""Marks texts that are shown later, in another language. It loads nothing."""


class Marked(str):
    """A text that `N_` has marked, so that it is in the catalogs."""

    __slots__ = ()


def N_(text: str) -> Marked:  # noqa: N802 - gettext's own name for it
    """Marks a text that is translated where it is shown."""
    return Marked(text)
