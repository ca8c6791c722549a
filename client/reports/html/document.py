"""The frame that all pages share: the document, its style, and the policy about scripts.

The policy (Content-Security-Policy) allows only the style and the script with the digests that it
names, which are in the page itself. So even injected markup could load and run nothing. A page has
at most one script. On a page that checks records, this script starts workers, whose code is also
part of the page.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from client.i18n.language import _
from client.reports.html.markup import Html, closing, opening, tag

STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


def document(
    title: str,
    main: Iterable[Html | None],
    footer: str = "",
    *,
    data: Iterable[Html] = (),
    style: str = STYLE,
    script: str = "",
    workers: bool = False,
) -> Iterator[Html]:
    """Return a page in parts: its content, the data for its script, and that script.

    The script may start workers if `workers` is True.
    """
    yield Html("<!DOCTYPE html>\n")
    yield opening("html", lang=_("en"))
    yield _head(title, style, script, workers=workers)
    yield opening("body")
    yield opening("main")
    yield from filter(None, main)
    yield closing("main")
    if footer:
        yield tag("footer", footer)
    yield from data
    if script:
        yield script_element(script)
    yield closing("body")
    yield closing("html")


def _head(title: str, style: str, script: str, *, workers: bool) -> Html:
    allowed = policy(style=style, script=script, workers=workers)
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=allowed),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Html(style)),
    )


def policy(*, style: str = STYLE, script: str = "", workers: bool = False) -> str:
    """Return the policy: nothing but the page's own style, script, and workers."""
    rules = ["default-src 'none'", f"style-src '{_digest(style)}'"]
    if script:
        rules.append(f"script-src '{_digest(script)}'")
    if workers:
        rules.append("worker-src blob:")
    return "; ".join([*rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def script_element(script: str, /, **attributes: str) -> Html:
    """Return a script element, which holds a script or data for one.

    Raises ValueError for a text that would end the element.
    """
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("the script would end the element that it stands in")
    return tag("script", Html(script), **attributes)


def data_element(name: str, data: object) -> Html:
    """Return data for the script of the page, as JSON that cannot end the element."""
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return script_element(text, type="application/json", id=name)
