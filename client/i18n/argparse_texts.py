"""Texts of `argparse` itself: headings of `--help`, and errors about wrong arguments.

`argparse` looks up its texts with `gettext`, in the domain that `choose_language` sets. So our
catalogs can translate them.
"""

from engine.sentences import N_

ARGPARSE = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("expected at least one argument"),
    N_("expected at most one argument"),
    N_("expected one argument"),
    N_("ignored explicit argument %r"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("not allowed with argument %s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
)
"""The texts of `argparse` that this program can show."""
