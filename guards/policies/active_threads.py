"""Guard 6: only so many threads are alive at once."""

from guards.policies.context import ThreadContext
from guards.policies.verdict import Action, Verdict
from guards.policy_document import ThreadPolicy

NAME = "concurrent_thread_limit"
CODE = "too_many_active_threads"


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse a thread that is not active yet while the others already fill the limit."""
    figures = {
        "active_threads_elsewhere": context.active_threads_elsewhere,
        "thread_active": context.thread_active,
        "max_active_threads": policy.max_active_threads,
    }
    if not context.thread_active and context.active_threads_elsewhere >= policy.max_active_threads:
        return Verdict(NAME, Action.SKIP, CODE, "Too many active threads", figures)
    return Verdict(NAME, Action.ALLOW, figures=figures)
