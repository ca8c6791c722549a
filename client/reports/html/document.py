"""What every page begins with: its style, and the policy that says what may run.

The policy (Content-Security-Policy) allows nothing but what stands in the page itself, by its
digest, so even markup that found a way in could load and run nothing. A page that checks records
has one script, which starts workers from a text that it carries.
"""

import base64
import hashlib
from pathlib import Path

from client.reports.html.markup import Html, tag
from client.reports.html.verifier_source import PAGE, script

STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


def head(title: str, *, checks: bool) -> Html:
    """The head of a page; one that `checks` records may run the verifier."""
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(checks=checks)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Html(STYLE)),
    )


def policy(*, checks: bool) -> str:
    """Nothing at all, but the style sheet of the page, and its script if it checks records."""
    rules = ["default-src 'none'", f"style-src '{_digest(STYLE)}'"]
    if checks:
        rules += [f"script-src '{_digest(script(PAGE))}'", "worker-src blob:"]
    return "; ".join([*rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
