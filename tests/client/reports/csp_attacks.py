"""Scripts that tests of several pages run in the browser."""

from typing import Any, Protocol

READY = """new Promise(done => {
  const root = document.documentElement;
  const look = () => root.dataset.ready && done(1);
  new MutationObserver(look).observe(root, {attributes: true});
  look();
})"""
"""Script that waits until a page has drawn itself."""

MARKUP = """
  document.body.insertAdjacentHTML('beforeend',
    '<i id=a style=color:red onclick=window.hit=1>x</i><img src=https://x.test/y>');
  document.getElementById('a').click();
"""
"""Markup of an attacker, refused by the directives style-src-attr, script-src-attr and img-src."""

INLINE_SCRIPT = """
  const script = document.createElement('script');
  script.textContent = 'window.hit=1';
  document.body.append(script);
"""

FETCH = "fetch('https://x.test/').catch(() => {});"

WORKER = "try { new Worker(URL.createObjectURL(new Blob(['1']))); } catch {}"


class Scriptable(Protocol):
    """A page of any browser."""

    def evaluate(self, expression: str) -> Any: ...


def refused(page: Scriptable, count: int, *attacks: str) -> list[str]:
    """Attack a page, and return the directives of its policy that refuse the attacks, sorted.

    The script waits for `count` different directives.
    """
    directives: list[str] = page.evaluate(
        "new Promise(done => {"
        " const refused = new Set();"
        " document.addEventListener('securitypolicyviolation', event => {"
        "  refused.add(event.effectiveDirective);"
        f"  if (refused.size === {count}) done([...refused].sort());"
        " });" + "".join(attacks) + "})"
    )
    return directives
