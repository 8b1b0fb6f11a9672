"""Guard 4: a persona that has posted rests before it posts again, in whichever thread."""

from guards.policies.context import Persona, ThreadContext
from guards.policies.verdict import Action, Figure, Verdict, milliseconds
from guards.policy_document import ThreadPolicy

NAME = "persona_cooldown"
CODE = "persona_cooldown"


def excludes(persona: Persona, context: ThreadContext, policy: ThreadPolicy) -> bool:
    """Whether this persona is still resting."""
    age = persona.last_post_age_ms
    return age is not None and age < milliseconds(policy.persona_cooldown_seconds)


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse if every persona that could reply is resting."""
    resting = [persona.handle for persona in context.personas if excludes(persona, context, policy)]
    figures: dict[str, Figure] = {
        "cooldown_ms": milliseconds(policy.persona_cooldown_seconds),
        "personas": len(context.personas),
        "cooling": ",".join(resting),
    }
    if resting and len(resting) == len(context.personas):
        return Verdict(NAME, Action.SKIP, CODE, "Persona cooling down", figures)
    return Verdict(NAME, Action.ALLOW, figures=figures)
