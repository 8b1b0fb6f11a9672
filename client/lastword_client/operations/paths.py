"""Where things are."""

from urllib.parse import quote

API = "/api/v1"
RELATIONSHIPS = f"{API}/relationships"


def of_relationship(relationship_id: str, *parts: str) -> str:
    """A path below one relationship; an id is one segment whatever it contains."""
    return "/".join((RELATIONSHIPS, quote(str(relationship_id), safe=""), *parts))
