"""Guard 3: a thread must have been quiet for a moment before anybody replies."""

from guards.policies.context import Stage, ThreadContext
from guards.policies.verdict import Action, Verdict, milliseconds
from guards.policy_document import ThreadPolicy

NAME = "grace_period"
CODE = "grace_period"


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse if the last other message is younger than the grace period.

    At posting time the reply is postponed instead of dropped: the message that came in between was itself
    skipped by this guard, so dropping the earlier reply too would leave both people unanswered. Only a new
    message can postpone it again, and the turn limit bounds those.
    """
    age, grace = context.last_message_age_ms, milliseconds(policy.grace_seconds)
    figures = {"age_ms": age, "grace_ms": grace}
    if age is None or age >= grace:
        return Verdict(NAME, Action.ALLOW, figures=figures)
    reason = "Thread too recent (grace period)"
    if context.stage is Stage.POSTING:
        return Verdict(NAME, Action.DELAY, CODE, reason, figures, wait_ms=grace - age)
    return Verdict(NAME, Action.SKIP, CODE, reason, figures)
