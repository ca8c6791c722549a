"""The sentences for people that engine, protocol and p2p have in their sources.

They are string literals that begin like a sentence and end like one, wherever they stand: raised,
returned, or said to a peer. Docstrings are none.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[3]
GAP = "…"
"""Stands for whatever is filled in."""

_SENTENCE = re.compile(rf"[A-Z{GAP}].* .*\.|[A-Z].*[:.] {GAP}", re.S)


def sentences(layer: str) -> set[str]:
    """All of that package, with gaps."""
    found: set[str] = set()
    for path in sorted((ROOT / layer).rglob("*.py")):
        found |= _sentences(ast.parse(path.read_text(encoding="utf-8")))
    return found


def gapped(template: str) -> str:
    """A template of the catalogs as `sentences` would find it."""
    return re.sub(r"\{\d\}", GAP, template)


def _sentences(module: ast.Module) -> set[str]:
    makers = dict(_makers(module))
    return {
        text
        for node in _expressions(module, set(makers))
        for text in map(_gaps, _texts(node, {}, makers))
        if _SENTENCE.fullmatch(text)
    }


def _gaps(text: str) -> str:
    return re.sub(r"\{\w+(!r)?\}", GAP, text)


def _makers(module: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions that are called here and only put a text together."""
    called = {
        node.func.id
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef(body=[*_, ast.Return(value=ast.JoinedStr())]):
                if len(_without_docstring(node.body)) == 1 and node.name in called:
                    yield node.name, node


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [statement for statement in body if not _is_docstring(statement)]


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _expressions(node: ast.AST, makers: Set[str]) -> Iterator[ast.expr]:
    """Texts as a whole, not their parts; what makers say is said where they are called."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name) if name in makers:
                continue
            case ast.Constant() | ast.JoinedStr() | ast.BinOp(op=ast.Add()):
                yield child
            case ast.Call(func=ast.Name(id=name)) if name in makers:
                yield child
            case _ if not _is_docstring(child):
                yield from _expressions(child, makers)


def _texts(
    node: ast.expr, values: Mapping[str, str], makers: Mapping[str, ast.FunctionDef]
) -> Sequence[str]:
    """What the expression may say. `values` are those of the names that are known."""
    match node:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.Name(id=name) if name in values:
            return (values[name],)
        case ast.JoinedStr(values=parts):
            texts = product(*(_texts(part, values, makers) for part in parts))
            return ["".join(text) for text in texts]
        case ast.FormattedValue(value=ast.Name(id=name)) if name in values:
            return (values[name],)
        case ast.FormattedValue():
            return (GAP,)
        case ast.BinOp(left=left, right=right):
            texts = product(_texts(left, values, makers), _texts(right, values, makers))
            return ["".join(text) for text in texts]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_texts(body, values, makers), *_texts(orelse, values, makers)]
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _made(makers[name], arguments) if name in makers else ()
    return ()


def _made(maker: ast.FunctionDef, arguments: Sequence[ast.expr]) -> Sequence[str]:
    """What a maker says for these arguments."""
    names = [parameter.arg for parameter in maker.args.args]
    known = {
        name: given.value
        for name, given in zip(names, arguments, strict=False)
        if isinstance(given, ast.Constant) and isinstance(given.value, str)
    }
    returned = maker.body[-1]
    assert isinstance(returned, ast.Return)
    assert returned.value is not None
    return _texts(returned.value, known, {})
