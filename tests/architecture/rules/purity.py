"""Pure packages: standard library and named pure libraries; no Django, no clock, no randomness, no I/O."""

import sys

from tests.architecture.rules.layering import BELOW
from tests.architecture.source import APPS, Source, calls, imports, place

PURE: dict[str, tuple[str, ...]] = {
    "flows": ("flows/engine",),
    "guards": ("guards/policies", "guards/loops", "guards/chain", "guards/policy_document"),
    "conversations": ("conversations/domain",),
    "audit": ("audit/metrics", "audit/ledger"),
}
LIBRARIES = frozenset({"cryptography", "rfc8785", "rapidfuzz", "regex"})
WORLDLY = frozenset(
    [
        "asyncio",
        "concurrent",
        "ctypes",
        "ftplib",
        "http",
        "io",
        "multiprocessing",
        "os",
        "pathlib",
        "select",
        "shutil",
        "signal",
        "smtplib",
        "socket",
        "sqlite3",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "urllib",
    ]
)
# Parsing an address is arithmetic; opening it is not.
HARMLESS = frozenset({"urllib.parse"})
IMPURE_CALLS = frozenset(
    [
        "datetime.datetime.now",
        "datetime.datetime.utcnow",
        "datetime.datetime.today",
        "datetime.date.today",
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
        "date.today",
        "time.time",
        "time.time_ns",
        "time.monotonic",
        "time.monotonic_ns",
        "time.perf_counter",
        "time.perf_counter_ns",
        "time.sleep",
        "time.localtime",
        "time.gmtime",
        "uuid.uuid1",
        "uuid.uuid4",
        "open",
        "input",
        "print",
        "breakpoint",
        "eval",
        "exec",
        "__import__",
    ]
)


def violations(source: Source) -> list[str]:
    """What a pure file imports or calls that it must not."""
    if not any(source.inside(*places) for places in PURE.values()):
        return []
    return [*_imports(source), *_calls(source)]


def _imports(source: Source) -> list[str]:
    return [
        place(source, line, f"pure code may not import {name}")
        for line, name in imports(source)
        if not _may_import(source, name)
    ]


def _may_import(source: Source, name: str) -> bool:
    top = name.partition(".")[0]
    if top in APPS:
        reachable = BELOW[source.app] | {source.app}
        return top in reachable and any(_below(name, pure) for pure in PURE.get(top, ()))
    if top in WORLDLY:
        return any(name == ok or name.startswith(f"{ok}.") for ok in HARMLESS)
    return top in LIBRARIES or top in sys.stdlib_module_names


def _below(name: str, pure: str) -> bool:
    package = pure.replace("/", ".")
    return name == package or name.startswith(f"{package}.")


def _calls(source: Source) -> list[str]:
    found = []
    for call, name in calls(source):
        seeded = name == "random.Random" and bool(call.args or call.keywords)
        if name in IMPURE_CALLS or (name.startswith(("random.", "secrets.")) and not seeded):
            found.append(place(source, call.lineno, f"pure code may not call {name}(): pass it in"))
    return found
