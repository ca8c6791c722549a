"""Code together with its mutants, each behind a switch that is off at the beginning.

`a < b` becomes `(a <= b) if __mutant__(17) else (a < b)`; a statement that a mutant leaves out
becomes `if not __mutant__(18): ...`. So a module is compiled once, and the process that is forked
for a mutant begins with everything that tests have cached.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from attrs import define, field, frozen

SWITCH = "__mutant__"
"""The name of the function that all switches call; it is in the builtins."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_LEFT_OUT = frozenset({"sorted", "set", "frozenset", "reversed"})
_EXCHANGED = {"any": "all", "all": "any", "min": "max", "max": "min"}


@frozen
class Mutant:
    """A change of the code: its file, function and line, the code before, and the code after."""

    number: int
    path: str
    where: str
    line: int
    was: str
    becomes: str
    repeated: int
    """The number of equal mutants before this one in the function."""

    @property
    def name(self) -> str:
        """The name of the mutant in `reasons.txt`, which does not depend on the line."""
        again = f" #{self.repeated + 1}" if self.repeated else ""
        return f"{self.path} {self.where}: {self.was} -> {self.becomes}{again}"


@define
class Switches(ast.NodeTransformer):
    """A transformer that puts the mutants of functions into a module's tree.

    Annotations, defaults, decorators, patterns, and expressions computed at import do not change.
    """

    path: str
    first: int
    mutants: list[Mutant] = field(factory=list)
    _where: list[str] = field(factory=list)
    _known: Counter[tuple[str, str, str]] = field(factory=Counter)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._where.append(node.name)
        node.body = [self.visit(one) if _holds_functions(one) else one for one in node.body]
        self._where.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._where.append(node.name)
        node.body = list(self._statements(node.body))
        self._where.pop()
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = [self.visit(one) if _holds_functions(one) else one for one in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg != "strict":  # in `zip` it only guards against mistakes of the caller
            node.value = self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = self.visit(node.guard) if node.guard else None
        node.body = list(self._statements(node.body))
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, list(self._statements(block)))
        for name, value in ast.iter_fields(node):
            if name in ("body", "orelse", "finalbody") and isinstance(value, list):
                continue
            if isinstance(value, list):
                setattr(node, name, [self._visited(one) for one in value])
            elif isinstance(value, ast.AST):
                setattr(node, name, self._visited(value))
        return node

    def _visited(self, node: Any) -> Any:
        return self.visit(node) if isinstance(node, ast.AST) else node

    def visit(self, node: ast.AST) -> Any:
        """Return the node with its mutants and the mutants of the nodes in it."""
        originals = list(_changes(node)) if isinstance(node, ast.expr) else []
        told = _told(node) if originals else ""
        visited = super().visit(node)
        for changed in originals:
            switch = self._switch(node, told, _told(changed))
            visited = ast.IfExp(switch, changed, visited)
        return visited

    def _statements(self, block: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in block:
            if not _can_be_left_out(statement):
                yield self.visit(statement)
                continue
            switch = self._switch(statement, _told(statement), "(left out)")
            yield ast.If(ast.UnaryOp(ast.Not(), switch), [self.visit(statement)], [])

    def _switch(self, at: Any, was: str, becomes: str) -> ast.expr:
        number = self.first + len(self.mutants)
        words = ".".join(self._where), was, becomes
        where, repeated = words[0], self._known[words]
        self._known[words] += 1
        self.mutants.append(Mutant(number, self.path, where, at.lineno, was, becomes, repeated))
        return ast.Call(ast.Name(SWITCH, ast.Load()), [ast.Constant(number)], [])


def _holds_functions(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)


def _can_be_left_out(node: ast.stmt) -> bool:
    """Return True for a raise, an update in place, or a call whose result is not used.

    Awaited calls count, but not logging calls and checkpoints.
    """
    match node:
        case (
            ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call))
        ):
            return not ast.unparse(call.func).startswith(("_log.", "trio.lowlevel.checkpoint"))
    return isinstance(node, ast.Raise | ast.AugAssign)


def _changes(node: ast.expr) -> Iterator[ast.expr]:
    """Return copies of the expression, each with one change."""

    def copied(change: Callable[[Any], object]) -> ast.expr:
        other = deepcopy(node)
        change(other)
        return other

    match node:
        case ast.Compare(ops=ops):
            for at, one in enumerate(ops):
                if type(one) in _COMPARISONS:
                    yield copied(partial(_compare, at=at, by=_COMPARISONS[type(one)]()))
        case ast.BoolOp(op=op, values=values):
            exchanged = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield copied(lambda copy: setattr(copy, "op", exchanged))
            for at in range(len(values)):
                rest = [deepcopy(one) for i, one in enumerate(values) if i != at]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(deepcopy(op), rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield deepcopy(operand)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.BinOp(op=op) if type(op) in _OPERATORS:
            yield copied(lambda copy: setattr(copy, "op", _OPERATORS[type(op)]()))
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _LEFT_OUT:
            yield deepcopy(argument)
        case ast.Call(func=ast.Name(id=name)) if name in _EXCHANGED:
            yield copied(lambda copy: setattr(copy.func, "id", _EXCHANGED[name]))


def _compare(node: ast.Compare, at: int, by: ast.cmpop) -> None:
    node.ops[at] = by


def _told(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}..."


def switched(source: str, path: str, first: int) -> tuple[ast.Module, list[Mutant]]:
    """Return the module with its mutants, and the list of mutants, numbered from `first` on."""
    switches = Switches(path, first)
    tree = ast.fix_missing_locations(switches.visit(ast.parse(source)))
    return tree, switches.mutants
