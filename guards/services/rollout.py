"""Giving a feature to a share of conversations, and taking it back: each act is a new line, none is changed."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from guards.errors import GuardError
from guards.models import Rollout
from guards.selectors.policy import policy_in_force
from guards.selectors.rollout import Feature
from guards.services.policy import merged


class RolloutChangedError(GuardError):
    code = "rollout_changed"
    title = "Somebody else changed a rollout at this moment"


def roll_out(
    *, feature: Feature, share: int, author: str, settings: Mapping[str, Any] | None = None, note: str = ""
) -> Rollout:
    """From now on `share` per cent of conversations have the feature; a candidate's settings must make a policy."""
    settings = dict(settings or {}) if feature is Feature.WORKFLOW_CANDIDATE else {}
    merged(policy_in_force().document, {"workflow": settings})
    number = (Rollout.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    try:
        with transaction.atomic():
            return Rollout.objects.create(
                number=number,
                feature=feature,
                share=share,
                settings=settings,
                author=author,
                note=note,
                created_at=timezone.now(),
            )
    except IntegrityError as problem:
        raise RolloutChangedError("Read the rollouts again and repeat your change.") from problem


def roll_back(*, feature: Feature, author: str, note: str = "") -> Rollout:
    """No conversation has the feature any more."""
    return roll_out(feature=feature, share=0, author=author, note=note)
