"""The numbers a flow is held to that its definition does not carry."""

from collections.abc import Callable

from django.conf import settings
from django.utils.module_loading import import_string


def consecutive_cap() -> int:
    """How often a node may be chosen in a row. The settings name who keeps the policy: flows know no guards."""
    told: Callable[[], int] = import_string(settings.FLOW_CONSECUTIVE_CAP)
    return told()
