"""Which conversations a feature has reached, and so under which policy each of them runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from uuid import UUID

from guards.models import Rollout
from guards.policy_document import PolicyDocument, merge
from guards.selectors.policy import policy_in_force


class Feature(StrEnum):
    """What can be given to a share of conversations and taken back."""

    WORKFLOW_CANDIDATE = "workflow_candidate"  # other settings of the policy's `workflow` part
    LOOP_HAND_OFF = "loop_hand_off"  # a loop that goes on after a nudge asks for a person
    LOOP_CLOSE = "loop_close"  # ... or ends the conversation


@dataclass(frozen=True, slots=True)
class ConversationPolicy:
    """What holds in one conversation; the version also names the candidate it runs under, if any."""

    version: str
    document: PolicyDocument
    features: frozenset[Feature]


def rollouts() -> dict[Feature, Rollout]:
    """The line in force of every feature that was ever rolled out."""
    newest: dict[Feature, Rollout] = {}
    for line in Rollout.objects.order_by("feature", "-number"):
        newest.setdefault(Feature(line.feature), line)
    return newest


def rollout_history() -> list[Rollout]:
    """Every line, newest first."""
    return list(Rollout.objects.order_by("-number"))


def reaches(feature: Feature, share: int, conversation: UUID) -> bool:
    """Whether a conversation is in the share: always the same answer, and a growing share only adds."""
    place = int.from_bytes(sha256(f"{feature}:{conversation}".encode()).digest()[:8], "big") % 100
    return place < share


def policy_for(conversation: UUID) -> ConversationPolicy:
    """The policy in force as this conversation has it. Read anew each time, so that a rollback applies at once."""
    policy = policy_in_force()
    out = rollouts()
    features = frozenset(feature for feature, line in out.items() if reaches(feature, line.share, conversation))
    if Feature.WORKFLOW_CANDIDATE not in features:
        return ConversationPolicy(str(policy.version), policy.document, features)
    candidate = out[Feature.WORKFLOW_CANDIDATE]
    document = with_candidate(policy.document, candidate.settings)
    return ConversationPolicy(f"{policy.version}+r{candidate.number}", document, features)


def with_candidate(document: PolicyDocument, settings: Mapping[str, object]) -> PolicyDocument:
    """The document under the candidate; one that a later policy made senseless is left aside."""
    merged = merge(document, {"workflow": settings})
    return merged if isinstance(merged, PolicyDocument) else document
