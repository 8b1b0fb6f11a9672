"""Guard 7: the persona that posted last in a thread may not post next.

"Last" is before the message being answered: with the sender excluded by the self-reply guard, two
personas cannot play ping-pong even when the cooldown is short.
"""

from guards.policies.context import Persona, ThreadContext
from guards.policies.verdict import Action, Verdict
from guards.policy_document import ThreadPolicy

NAME = "last_persona_exclusion"
CODE = "last_persona"


def excludes(persona: Persona, context: ThreadContext, policy: ThreadPolicy) -> bool:
    """Whether this persona was the last one to post here."""
    return persona.handle == context.last_persona


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse if nobody but the last persona could reply."""
    figures = {"last_persona": context.last_persona, "personas": len(context.personas)}
    if context.personas and all(excludes(persona, context, policy) for persona in context.personas):
        return Verdict(NAME, Action.SKIP, CODE, "Last persona may not post again", figures)
    return Verdict(NAME, Action.ALLOW, figures=figures)
