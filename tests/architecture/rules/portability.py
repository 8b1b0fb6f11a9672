"""Nothing in the repository belongs to one machine or one package mirror."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import ROOT

IGNORED = frozenset(
    [
        ".git",
        ".venv",
        "var",
        "node_modules",
        "__pycache__",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".hypothesis",
        "build",
    ]
)
TEXT = frozenset(
    [".py", ".md", ".txt", ".toml", ".html", ".css", ".js", ".json", ".yml", ".yaml", ".cfg", ".ini", ".sh", ".po"]
)
# Joined here, so that this file does not offend against its own rule.
HOME_FOLDERS = "|".join(["work", "root", "tmp", r"home/\w+", r"Users/\w+"])
MACHINE_PATH = re.compile(rf"(?<![\w.:/])/(?:{HOME_FOLDERS})/[\w.-]+")
REGISTRY = re.compile("|".join(["pypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.(?:org|com)"]))


def files() -> Iterator[Path]:
    """The repository's text files."""
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT)
        named = path.suffix in TEXT or path.name in {"Makefile", "run", ".gitignore"}
        if named and not IGNORED & set(inside.parts) and path.is_file():
            yield path


def violations(name: str, text: str) -> list[str]:
    """Machine paths and registry hosts, with their lines."""
    return [
        f"{name}:{number}: {match[0]!r} exists on one machine only"
        for number, line in enumerate(text.splitlines(), start=1)
        for pattern in (MACHINE_PATH, REGISTRY)
        for match in pattern.finditer(line)
    ]
