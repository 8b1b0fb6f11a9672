"""Guard 5: our personas do not answer themselves, nor start talking among themselves."""

from guards.policies.context import Persona, ThreadContext
from guards.policies.verdict import Action, Verdict
from guards.policy_document import ThreadPolicy

NAME = "self_reply"
CODE = "self_reply"


def excludes(persona: Persona, context: ThreadContext, policy: ThreadPolicy) -> bool:
    """Whether this persona wrote the message being answered."""
    return persona.handle == context.sender_persona


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse a persona's message in a thread that is too young, or with nobody but its sender to answer."""
    figures = {
        "sender_persona": context.sender_persona,
        "turns": context.turns,
        "persona_min_turns": policy.persona_min_turns,
    }
    if context.sender_persona is None:
        return Verdict(NAME, Action.ALLOW, figures=figures)
    if context.turns < policy.persona_min_turns:
        return Verdict(NAME, Action.SKIP, CODE, "Persona message in a thread too young", figures)
    if context.personas and all(excludes(persona, context, policy) for persona in context.personas):
        return Verdict(NAME, Action.SKIP, CODE, "Only the sender itself could reply", figures)
    return Verdict(NAME, Action.ALLOW, figures=figures)
