"""The views somebody keeps of the Live board."""

from typing import Any

from conversations.models import SavedView


def views_of(user: Any) -> list[SavedView]:
    return list(SavedView.objects.filter(user=user))
