"""Inside an app: interfaces → services · selectors → models → pure; interfaces never write models."""

import ast
from collections.abc import Iterator

from tests.architecture.source import APPS, INTERFACES, Source, aliases, dotted, imports, place

WRITES = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "a")
    for name in (
        "save",
        "create",
        "update",
        "delete",
        "bulk_create",
        "bulk_update",
        "get_or_create",
        "update_or_create",
    )
) | {"execute", "executemany"}
# Django's admin calls these to write what a form holds; they are its services.
ADMIN_HOOKS = frozenset({"save_model", "delete_model", "delete_queryset", "save_formset", "save_related"})
INNER = frozenset({"services", "selectors", "models", "drivers", "channels", "responders"})


def upward_imports(source: Source) -> list[str]:
    """Services, selectors and models that know an interface; models that know a service."""
    if source.app not in APPS or source.layer not in INNER:
        return []
    found = []
    for line, name in imports(source):
        parts = name.split(".")
        if parts[0] not in APPS or len(parts) < 2:
            continue
        if parts[1] in INTERFACES:
            found.append(place(source, line, f"{source.layer} may not import the interface {name}"))
        if source.layer == "models" and parts[1] in {"services", "selectors"}:
            found.append(place(source, line, f"models may not import {name}"))
    return found


def writes(source: Source) -> list[str]:
    """Calls in an interface that change rows instead of asking a service to."""
    if not source.is_interface:
        return []
    return [
        place(source, call.lineno, f"an interface may not write: .{call.func.attr}() belongs in a service")
        for call in _calls_outside_hooks(source.tree, source.layer == "admin")
        if isinstance(call.func, ast.Attribute) and call.func.attr in WRITES and _is_write(call, source)
    ]


def _is_write(call: ast.Call, source: Source) -> bool:
    """Whether the receiver can be a model: not an imported module (a service), not a plain dict's update(x)."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "update" and call.args:
        return False
    receiver = call.func.value
    if isinstance(receiver, ast.Name):
        meaning = aliases(source).get(receiver.id, "")
        return not meaning or ".models" in meaning
    return dotted(receiver).partition(".")[0] not in {"cache", "messages"}


def _calls_outside_hooks(tree: ast.AST, admin: bool) -> Iterator[ast.Call]:
    for node in ast.iter_child_nodes(tree):
        if admin and isinstance(node, ast.FunctionDef) and node.name in ADMIN_HOOKS:
            continue
        if isinstance(node, ast.Call):
            yield node
        yield from _calls_outside_hooks(node, admin)
