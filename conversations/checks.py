"""What a deployment should not forget; `manage.py check --deploy` says so."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security, deploy=True)
def two_factor_is_on(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Off is for trying out: a password alone then opens the door to whoever may act for others."""
    if settings.LASTWORD_TWO_FACTOR:
        return []
    hint = "Set LASTWORD_TWO_FACTOR=1."
    return [Warning("Operators log in with a password alone.", hint=hint, id="lastword.W001")]
