"""What `argparse` says of itself: headings of `--help`, and complaints about words it cannot use.

It asks `gettext` for them in the domain of the program, so the catalogs of the client serve.
"""

from client.i18n.language import later

ARGPARSE = (
    later("usage: "),
    later("options"),
    later("positional arguments"),
    later("show this help message and exit"),
    later("%(prog)s: error: %(message)s\n"),
    later("argument %(argument_name)s: %(message)s"),
    later("ambiguous option: %(option)s could match %(matches)s"),
    later("expected at least one argument"),
    later("expected at most one argument"),
    later("expected one argument"),
    later("ignored explicit argument %r"),
    later("invalid %(type)s value: %(value)r"),
    later("invalid choice: %(value)r (choose from %(choices)s)"),
    later("not allowed with argument %s"),
    later("the following arguments are required: %s"),
    later("unrecognized arguments: %s"),
)
"""Those that a person can meet here."""
