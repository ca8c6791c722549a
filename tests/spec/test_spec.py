"""Names in the specification, which must exist in the program, and the reverse."""

import ast
import re
from pathlib import Path

import pytest

from p2p.refusals import Reason
from p2p.transport.messages import Message
from protocol.entries import CONTENTS
from protocol.move_codec import move_fields
from protocol.shuffle_proof import EQUATIONS
from tests.protocol.every_move import EVERY_MOVE
from tests.spec.documents import ROOT, SPEC, text


def raised() -> set[str]:
    """Return every clause of the record that occurs as a literal in the program."""
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("protocol", "p2p", "client")
        for path in (ROOT / folder).rglob("*.py")
    )
    return set(re.findall(r'"(R\d+)"', sources))


def test_the_program_raises_exactly_the_clauses_of_the_record() -> None:
    rows = re.findall(r"^\| (R\d+) \|", text("record.md"), re.MULTILINE)
    assert rows == [f"R{number}" for number in range(1, 21)]
    assert raised() == set(rows)


def test_the_verifier_raises_only_existing_clauses() -> None:
    assert set(re.findall(r'"(R\d+)"', text("verifier.py"))) <= raised()


@pytest.mark.parametrize("kind", CONTENTS)
def test_format_document_has_every_kind_of_entry(kind: str) -> None:
    assert re.search(rf"^    {kind} +\[", text("format.md"), re.MULTILINE)


@pytest.mark.parametrize("message", Message.__args__, ids=lambda message: message.kind)
def test_every_message_is_described(message: type) -> None:
    assert f"| `{message.kind}` |" in text("messages.md")  # type: ignore[attr-defined]


def test_every_reason_of_a_goodbye_is_described() -> None:
    rows = re.findall(
        r"^\| (\d+) \| [^|]+ \|$", text("messages.md").split("| Reason |")[1], re.MULTILINE
    )
    assert [int(number) for number in rows] == [*Reason]


def test_format_document_has_every_move() -> None:
    for move in EVERY_MOVE:
        kind = move_fields(move)[0]  # type: ignore[index]
        assert re.search(rf'^    \["{kind}"[,\]]', text("format.md"), re.MULTILINE)


def test_every_equation_is_explained() -> None:
    for name in EQUATIONS:
        assert f"`{name}`:" in text("protocol.md")


def test_every_label_of_a_hash_is_listed() -> None:
    sources = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "protocol").glob("*.py"))
    used = set(
        re.findall(
            r'(?:hash_to_point|hash_to_scalar|labelled_hash|digest|derive_nonces)\(\s*"([^"]+)"',
            sources,
        )
    )
    listed = set(re.findall(r"^\| `([^`]+)` \| \S+ \|", text("protocol.md"), re.MULTILINE))
    assert used == listed


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


def test_every_test_named_in_the_threats_exists() -> None:
    named = re.findall(r"`((?!tests/)[\w/]+\.(?:py|txt))(?:::(\w+))?`", text("threats.md"))
    assert len(named) > 50
    for path, function in named:
        assert (ROOT / "tests" / path).exists(), path
        assert not function or function in functions_of(ROOT / "tests" / path), function


def test_every_attack_is_among_the_threats() -> None:
    """`spec/threats.md` names each file of attacks."""
    spoken_of = text("threats.md")
    for path in sorted((ROOT / "tests" / "attacks").glob("test_*.py")):
        assert path.name in spoken_of


@pytest.mark.parametrize("path", sorted(SPEC.glob("*.md")), ids=lambda path: path.name)
def test_links_lead_to_existing_files(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert link.startswith("http") or (SPEC / link).exists(), link
