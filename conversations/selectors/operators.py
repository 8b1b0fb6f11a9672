"""Who may take conversations over."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet

from conversations.access import ConsoleRole
from conversations.models import Role


def operators() -> QuerySet[Any]:
    """Everybody who may act: by a role at the console, or by a key of their own that still opens."""
    at_the_console = Q(groups__name__in=[ConsoleRole.OPERATOR, ConsoleRole.ADMIN]) | Q(is_superuser=True)
    by_key = Q(api_keys__role=Role.OPERATOR, api_keys__revoked_at__isnull=True)
    return get_user_model().objects.filter(at_the_console | by_key, is_active=True).distinct()


def colleagues_of(user: Any) -> list[str]:
    """Who a conversation can be handed to: everybody else who may act."""
    others = operators().exclude(pk=user.pk).order_by("username")
    return list(others.values_list("username", flat=True))
