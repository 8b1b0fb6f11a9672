"""What an export bundle holds of each event: the header as it was hashed, and the content it commits to."""

import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any

from lastword_client.errors import UnexpectedAnswer


@dataclass(frozen=True, slots=True)
class Sealed:
    """One event, verbatim; `text` and `salt` are None once the content was erased."""

    header: str
    text: str | None = None
    salt: bytes | None = None


def sealed_events(bundle: bytes) -> dict[int, Sealed]:
    """Every event in the bundle, by sequence number."""
    try:
        with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
            headers = {record["seq"]: record["header"] for record in _records(archive, "events.jsonl")}
            contents = {record["seq"]: record for record in _records(archive, "payloads.jsonl")}
        return {seq: _sealed(header, contents.get(seq, {})) for seq, header in headers.items()}
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as problem:
        raise UnexpectedAnswer("the export is no bundle of events") from problem


def _records(archive: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    # lines of bytes: a text would also be cut at U+2028, which JSON leaves as it is
    return [json.loads(line) for line in archive.read(name).splitlines()]


def _sealed(header: str, content: dict[str, Any]) -> Sealed:
    if "text" not in content:
        return Sealed(header)
    return Sealed(header, text=content["text"], salt=bytes.fromhex(content["salt"]))
