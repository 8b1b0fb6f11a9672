"""Guard 2: a thread has so many turns, then it dies."""

from guards.policies.context import ThreadContext
from guards.policies.verdict import Action, Verdict
from guards.policy_document import ThreadPolicy

NAME = "turn_limit"
CODE = "max_turns"


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse once the thread held `max_turns` messages besides the one being answered."""
    figures = {"turns": context.turns, "max_turns": policy.max_turns}
    if context.turns >= policy.max_turns:
        return Verdict(NAME, Action.SKIP, CODE, "Thread reached max turns", figures)
    return Verdict(NAME, Action.ALLOW, figures=figures)
