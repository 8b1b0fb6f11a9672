"""Guard 1: a bot's message is never answered.

Slack marks bots in two ways (a subtype, or `bot_id`/`bot_profile` without one); looking at the subtype
alone loops. All our personas speak through one such bot: where our own map of messages knows which of them
said this, it is that persona's message and left to the self-reply guard, as is one that bears no mark.
"""

from guards.policies.context import ThreadContext
from guards.policies.verdict import Action, Verdict
from guards.policy_document import ThreadPolicy

NAME = "bot_message_filter"
CODE = "bot_message"


def check(context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    """Refuse what carries any mark of a bot or comes from our own identity, unless we know our persona in it."""
    marks = {
        "subtype": context.subtype == "bot_message",
        "bot_id": context.has_bot_id,
        "bot_profile": context.has_bot_profile,
        "own_identity": context.own_identity,
    }
    known_persona = context.own_identity and context.sender_persona is not None
    figures = {**marks, "known_persona": known_persona}
    if any(marks.values()) and not known_persona:
        return Verdict(NAME, Action.SKIP, CODE, "Bot message ignored", figures)
    return Verdict(NAME, Action.ALLOW, figures=figures)
