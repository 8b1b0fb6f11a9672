"""Changing the policy: a new version laid over the one in force."""

from dataclasses import asdict
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from guards.errors import GuardError, InvalidPolicyError
from guards.models import PolicyVersion
from guards.policy_document import PolicyDocument, merge
from guards.selectors.policy import PolicyInForce, policy_in_force


class PolicyChangedError(GuardError):
    code = "policy_changed"
    title = "Somebody else changed the policy at this moment"


def change_policy(*, partial: Any, author: str, note: str = "", read_at: int | None = None) -> PolicyInForce:
    """Lays a partial document over the policy in force, or refuses with every reason.

    `read_at` is the version the author looked at; a policy that has moved on since is not changed.
    """
    current = policy_in_force()
    if read_at is not None and read_at != current.version:
        raise PolicyChangedError("Read the policy again and repeat your change.", version=current.version)
    document = merged(current.document, partial)
    version = current.version + 1
    try:
        with transaction.atomic():
            PolicyVersion.objects.create(
                version=version, document=document.to_json(), author=author, note=note, created_at=timezone.now()
            )
    except IntegrityError as problem:
        raise PolicyChangedError("Read the policy again and repeat your change.", version=version) from problem
    return PolicyInForce(version, document)


def merged(current: PolicyDocument, partial: Any) -> PolicyDocument:
    document = merge(current, partial)
    if isinstance(document, PolicyDocument):
        return document
    raise InvalidPolicyError(f"{len(document)} setting(s) are not valid.", errors=[asdict(error) for error in document])
