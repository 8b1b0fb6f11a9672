"""Small files, small functions."""

import ast

from tests.architecture.source import Source, place

FILE_LINES = 300
FUNCTION_LINES = 60


def violations(source: Source) -> list[str]:
    """Files and functions that are too long to be read at once; migrations are generated."""
    if source.is_migration:
        return []
    length = len(source.text.splitlines())
    found = [place(source, 1, f"{length} lines, at most {FILE_LINES}")] if length > FILE_LINES else []
    if source.app == "tests":
        return found
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                found.append(place(source, node.lineno, f"{node.name}: {lines} lines, at most {FUNCTION_LINES}"))
    return found
