"""One door a write: events, the channel layer, derived columns; and no signals."""

import ast
from dataclasses import fields

from conversations.domain.fold import Folded
from tests.architecture.source import APPS, Source, calls, dotted, imports, place

EVENT_STORE = "conversations/services/event_store"
BROADCAST = "conversations/services/broadcast"
PROJECTIONS = "conversations/services/projections"

CREATORS = ("objects.create", "objects.bulk_create", "objects.get_or_create", "objects.update_or_create")
CHANNEL_CALLS = frozenset({"group_send", "group_add", "group_discard", "get_channel_layer"})
SIGNAL_MODULES = (
    "django.dispatch",
    "django.db.models.signals",
    "django.core.signals",
    "django.db.backends.signals",
    "django.contrib.auth.signals",
    "celery.signals",
)
# The request handler sends Django's request signals, as every handler of Django's does.
SIGNAL_SENDER = "config/onehop"
COLUMNS = frozenset(field.name for field in fields(Folded))


def event_creations(source: Source) -> list[str]:
    """Events made anywhere but in the event store."""
    if source.app not in APPS or source.is_migration or source.inside(EVENT_STORE):
        return []
    forbidden = {f"{model}{suffix}" for model in ("Event", "EventPayload") for suffix in ("", *_dotted(CREATORS))}
    return [
        place(source, call.lineno, f"only {EVENT_STORE}.py makes events: {name}()")
        for call, name in calls(source)
        if name.startswith("conversations.models") and _after_models(name) in forbidden
    ]


def channel_layer_uses(source: Source) -> list[str]:
    """The channel layer touched anywhere but in the broadcast service."""
    if source.app not in APPS or source.inside(BROADCAST):
        return []
    return [
        place(source, call.lineno, f"only {BROADCAST} touches the channel layer: {name}()")
        for call, name in calls(source)
        if name.rpartition(".")[2] in CHANNEL_CALLS
    ]


def derived_column_writes(source: Source) -> list[str]:
    """A relationship's columns set anywhere but in the projections."""
    if source.app not in APPS or source.is_migration or source.inside(PROJECTIONS):
        return []
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [
                target.attr
                for target in targets
                if isinstance(target, ast.Attribute) and dotted(target.value).endswith("relationship")
            ]
        elif isinstance(node, ast.Call) and dotted(node.func).endswith(".update"):
            is_relationship = dotted(node.func).startswith("Relationship.")
            names = [keyword.arg or "" for keyword in node.keywords] if is_relationship else []
        else:
            continue
        found += [
            place(source, node.lineno, f"only {PROJECTIONS}.py writes relationship.{name}")
            for name in names
            if name in COLUMNS
        ]
    return found


def signals(source: Source) -> list[str]:
    """Signals hide who does what after whom; services call each other by name."""
    if source.app not in APPS or source.inside(SIGNAL_SENDER):
        return []
    found = [
        place(source, line, f"no signals: {name}") for line, name in imports(source) if name.startswith(SIGNAL_MODULES)
    ]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [
                place(source, node.lineno, "no signals: @receiver")
                for decorator in node.decorator_list
                if dotted(decorator).rpartition(".")[2] == "receiver"
            ]
        elif isinstance(node, ast.Call) and _connects_signal(node.func):
            found.append(place(source, node.lineno, "no signals: .connect()"))
    return found


def _connects_signal(function: ast.expr) -> bool:
    """A `.connect()` that is not a database's, a socket's or a consumer's own."""
    if not isinstance(function, ast.Attribute) or function.attr != "connect":
        return False
    return not dotted(function).startswith(("sqlite3", "psycopg", "socket", "self"))


def _dotted(names: tuple[str, ...]) -> list[str]:
    return [f".{name}" for name in names]


def _after_models(name: str) -> str:
    """`Event.objects.create` of `conversations.models.event.Event.objects.create`."""
    parts = name.split(".")
    start = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return ".".join(parts[start:])
