"""Which version of the guards' policy was in force when."""

from bisect import bisect_right
from collections.abc import Callable
from datetime import datetime

from guards.models import PolicyVersion


def version_in_force() -> Callable[[datetime], str]:
    """Which version of the policy was in force at a moment."""
    versions = list(PolicyVersion.objects.order_by("version").values_list("created_at", "version"))
    starts = [start for start, _ in versions]
    numbers = [0, *(version for _, version in versions)]
    return lambda at: str(numbers[bisect_right(starts, at)])
