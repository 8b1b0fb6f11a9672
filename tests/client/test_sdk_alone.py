"""The SDK and the offline verifier stand alone: neither Django nor the server's own packages are there."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CLIENT = Path(__file__).resolve().parents[2] / "client"
ABSENT = ("django", "rest_framework", "conversations", "audit", "flows", "guards", "config", "rfc8785")


@pytest.mark.parametrize("module", ["lastword_client", "lastword_client.bundle", "verify_bundle"])
def test_it_is_imported_where_nothing_of_the_server_is_installed(module: str, tmp_path: Path) -> None:
    """A name set to None in `sys.modules` cannot be imported."""
    absent = f"import sys; sys.modules.update(dict.fromkeys({ABSENT!r}))"
    script = f"{absent}; sys.path.insert(0, {str(CLIENT)!r}); import {module}"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_asks_for_nothing_but_httpx_and_cryptography() -> None:
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["verify"]]
    assert [re.match(r"[\w-]+", one)[0] for one in asked] == ["httpx", "cryptography"]
