"""config → everything; audit → conversations → {flows, guards}; never upward, never sideways."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import APPS, Source, imports, place

BELOW: dict[str, frozenset[str]] = {
    "config": frozenset({"audit", "conversations", "flows", "guards"}),
    "audit": frozenset({"conversations", "flows", "guards"}),
    "conversations": frozenset({"flows", "guards"}),
    "flows": frozenset(),
    "guards": frozenset(),
}
OUTSIDE = frozenset({"tests", "bench", "client"})
# A model, task, module or permission named by text is a dependency like any import.
NAMED = re.compile(rf"({'|'.join(APPS)})\.[A-Za-z_][\w.]*")


def violations(source: Source) -> list[str]:
    """Imports, foreign keys, migrations and dotted names that point where they must not."""
    found = [*_imported(source), *_named(source), *_migrated(source)]
    return [
        place(source, line, f"{source.app} may not depend on {target}")
        for line, target in found
        if target in (*APPS, *OUTSIDE) and target not in _allowed(source)
    ]


def _allowed(source: Source) -> frozenset[str]:
    if source.app in APPS:
        return BELOW[source.app] | {source.app}
    # The SDK stands alone; tests and benches look at everything.
    return frozenset({"client"}) if source.app == "client" else frozenset({*APPS, *OUTSIDE})


def _imported(source: Source) -> Iterator[tuple[int, str]]:
    for line, name in imports(source):
        yield line, name.partition(".")[0]


def _named(source: Source) -> Iterator[tuple[int, str]]:
    docstrings = _docstrings(source.tree)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if match := NAMED.fullmatch(node.value):
                yield node.lineno, match[1]
        elif isinstance(node, ast.Call) and _called(node) == "get_model" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


def _migrated(source: Source) -> Iterator[tuple[int, str]]:
    if not source.is_migration:
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "dependencies":
            for pair in ast.walk(node.value):
                if isinstance(pair, ast.Tuple) and isinstance(pair.elts[0], ast.Constant):
                    yield pair.lineno, str(pair.elts[0].value)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _docstrings(tree: ast.Module) -> set[int]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    }
