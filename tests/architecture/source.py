"""The repository's own Python files, parsed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "audit", "conversations", "flows", "guards")
ELSEWHERE = ("client", "bench", "tests", "tools")
INTERFACES = frozenset({"views", "api", "consumers", "tasks", "admin", "management", "routing", "urls"})


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One file: where it is, its text and its syntax tree."""

    path: PurePosixPath
    text: str
    tree: ast.Module

    @classmethod
    def parse(cls, path: str, text: str) -> "Source":
        return cls(PurePosixPath(path), text, ast.parse(text, filename=path))

    @property
    def app(self) -> str:
        return self.path.parts[0]

    @property
    def package(self) -> tuple[str, ...]:
        """The dotted package that relative imports start from."""
        return self.path.parts[:-1]

    @property
    def layer(self) -> str:
        """The part of the app: `api` for api/views.py, `tasks` for tasks.py."""
        return PurePosixPath(self.path.parts[1]).stem if len(self.path.parts) > 1 else ""

    @property
    def is_interface(self) -> bool:
        return self.app in APPS and self.app != "config" and self.layer in INTERFACES

    @property
    def is_migration(self) -> bool:
        return "migrations" in self.path.parts

    def inside(self, *places: str) -> bool:
        """Whether the file is one of the places or below one (`flows/engine` also means engine.py)."""
        own = str(self.path)
        return any(own.startswith(f"{place}/") or own in {place, f"{place}.py"} for place in places)


@cache
def sources() -> tuple[Source, ...]:
    """Every Python file of the project; one that does not parse fails here with its name."""
    files = [ROOT / "manage.py"]
    for folder in (*APPS, *ELSEWHERE):
        files += sorted((ROOT / folder).rglob("*.py"))
    return tuple(Source.parse(str(file.relative_to(ROOT)), file.read_text()) for file in files)


def apps() -> list[Source]:
    """The files of the five packages that make up the site."""
    return [source for source in sources() if source.app in APPS]


def imports(source: Source) -> Iterator[tuple[int, str]]:
    """Every imported name, dotted and absolute: `from a.b import c` gives `a.b.c`."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                start = source.package[: len(source.package) - node.level + 1]
                base = ".".join([*start, *([base] if base else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def aliases(source: Source) -> dict[str, str]:
    """What each imported local name stands for."""
    known: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute chain; calls inside the chain are looked through; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return dotted(node.func)
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def calls(source: Source) -> Iterator[tuple[ast.Call, str]]:
    """Every call with the full name of what is called, imports resolved."""
    known = aliases(source)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            head, _, rest = dotted(node.func).partition(".")
            name = known.get(head, head)
            yield node, f"{name}.{rest}" if rest else name


def place(source: Source, line: int, problem: str) -> str:
    """How a violation is reported."""
    return f"{source.path}:{line}: {problem}"
