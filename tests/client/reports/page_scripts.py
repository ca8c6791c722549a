"""Scripts that tests of several pages run in the browser, and names that look like markup."""

from typing import Any, Protocol

import pytest

from tests.javascript.node import FOLDER


def until(condition: str) -> str:
    """Return a script that waits until a condition holds, which it checks at each drawing."""
    return (
        f"new Promise(done => {{ const look = () => ({condition}) ? done(1) :"
        " requestAnimationFrame(look); look(); })"
    )


READY = until("document.documentElement.dataset.ready")
"""Script that waits until a page has drawn itself."""

CHECKED = until(
    "[...document.querySelectorAll('.check')].every(check => check.dataset.state"
    " && check.dataset.state !== 'checking')"
)
"""Script that waits until a page has checked all its records, or the file that was chosen."""

MARKUP = """
  document.body.insertAdjacentHTML('beforeend',
    '<i id=a style=color:red onclick=window.hit=1>x</i><img src=https://x.test/y>');
  document.getElementById('a').click();
"""
"""Script that adds an attacker's markup to a page.

The directives style-src-attr, script-src-attr and img-src refuse it.
"""

INLINE_SCRIPT = """
  const script = document.createElement('script');
  script.textContent = 'window.hit=1';
  document.body.append(script);
"""

FETCH = "fetch('https://x.test/').catch(() => {});"

WORKER = "try { new Worker(URL.createObjectURL(new Blob(['1']))); } catch {}"


HOSTILE = ("<b onclick=hit=1>x", "</script><i>", "<!--<script>", "\"'>&lt;")
"""Names of players that look like markup."""


class Scriptable(Protocol):
    """A page of any browser."""

    def evaluate(self, expression: str) -> Any: ...


def refused(page: Scriptable, count: int, *attacks: str) -> str:
    """Attack a page, and return the directives of its policy that refuse the attacks, sorted.

    The script waits for `count` different directives.
    """
    directives: str = page.evaluate(
        "new Promise(done => {"
        " const refused = new Set();"
        " document.addEventListener('securitypolicyviolation', event => {"
        "  refused.add(event.effectiveDirective);"
        f"  if (refused.size === {count}) done([...refused].sort().join(' '));"
        " });" + "".join(attacks) + "})"
    )
    return directives


def accessibility_faults(page: Scriptable, *asked: str) -> list[str]:
    """Return the faults that axe reports; `asked` are the arguments of `axe.run`.

    The tests need axe-core: https://github.com/dequelabs/axe-core .
    """
    axe = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("axe-core is not installed in tests/javascript")
    page.evaluate(axe.read_text(encoding="utf-8") + ";0")
    faults: list[str] = page.evaluate(
        f"axe.run({', '.join(asked)}).then(found => found.violations.map("
        "fault => fault.id + ': ' + fault.nodes.map(n => n.html).slice(0, 3)))"
    )
    return faults
