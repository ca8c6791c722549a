"""The mark for texts that are translated where they are shown. This module imports nothing."""


class Marked(str):
    """A text that `N_` has marked, so that the catalogs contain it."""

    __slots__ = ()


def N_(text: str) -> Marked:  # noqa: N802 - gettext's own name for it
    """Mark a text that is translated where it is shown."""
    return Marked(text)
