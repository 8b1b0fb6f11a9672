"""The guards in their order, and the two moments at which they are asked.

Pure: the choice among personas and the delay are drawn from the digest of (thread, event id), so a
decision can be made again from its recorded context and comes out the same.
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from types import ModuleType

from guards.policies import (
    active_threads,
    bot_filter,
    grace_period,
    last_persona,
    persona_cooldown,
    self_reply,
    turn_limit,
)
from guards.policies.context import ThreadContext
from guards.policies.verdict import Action, Verdict, milliseconds
from guards.policy_document import ThreadPolicy

GUARDS: tuple[ModuleType, ...] = (
    bot_filter,
    turn_limit,
    grace_period,
    persona_cooldown,
    self_reply,
    active_threads,
    last_persona,
)
PERSONA_GUARDS: tuple[ModuleType, ...] = (persona_cooldown, self_reply, last_persona)

GUARD_ERROR = "guard_error"
NO_ELIGIBLE_PERSONA = "no_eligible_persona"


class Outcome(StrEnum):
    """What becomes of a message."""

    REPLY = "reply"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class ThreadDecision:
    """Whether a message is answered, by whom and when; `verdicts` has all seven answers."""

    action: Outcome
    code: str | None
    reason: str
    verdicts: tuple[Verdict, ...]
    eligible: tuple[str, ...] = ()
    persona: str | None = None
    delay_ms: int | None = None


@dataclass(frozen=True, slots=True)
class PostingDecision:
    """Whether the decided reply may still be posted; `wait_ms` is set when it is to be tried again later."""

    action: Action
    code: str | None
    reason: str
    verdicts: tuple[Verdict, ...]
    wait_ms: int | None = None


def run_guards(context: ThreadContext, policy: ThreadPolicy) -> tuple[Verdict, ...]:
    """Every guard's verdict, in order, whatever the others said."""
    return tuple(_ask(guard, context, policy) for guard in GUARDS)


def decide(context: ThreadContext, policy: ThreadPolicy) -> ThreadDecision:
    """Decide about a message that has just arrived."""
    verdicts = run_guards(context, policy)
    if refusal := _first_refusal(verdicts):
        return ThreadDecision(Outcome.SKIP, refusal.code, refusal.reason or "", verdicts)
    eligible = eligible_personas(context, policy)
    if not eligible:
        return ThreadDecision(Outcome.SKIP, NO_ELIGIBLE_PERSONA, "No persona is free to reply", verdicts)
    persona, delay_ms = draw(context.thread, context.event_id, eligible, policy)
    return ThreadDecision(Outcome.REPLY, None, "All guards allow a reply", verdicts, eligible, persona, delay_ms)


def check_posting(context: ThreadContext, persona: str, policy: ThreadPolicy) -> PostingDecision:
    """Ask the same guards again, of the chosen persona alone, right before its reply is posted."""
    context = context.for_posting(persona)
    verdicts = run_guards(context, policy)
    if refusal := _first_refusal(verdicts):
        return PostingDecision(refusal.action, refusal.code, refusal.reason or "", verdicts, refusal.wait_ms)
    if not context.personas:
        return PostingDecision(Action.SKIP, NO_ELIGIBLE_PERSONA, "The persona is gone", verdicts)
    return PostingDecision(Action.ALLOW, None, "All guards allow the post", verdicts)


def eligible_personas(context: ThreadContext, policy: ThreadPolicy) -> tuple[str, ...]:
    """The handles no persona rule excludes, sorted so that storage order cannot change a choice."""
    return tuple(
        sorted(
            persona.handle
            for persona in context.personas
            if not any(guard.excludes(persona, context, policy) for guard in PERSONA_GUARDS)
        )
    )


def draw(thread: str, event_id: str, eligible: tuple[str, ...], policy: ThreadPolicy) -> tuple[str, int]:
    """A persona and a delay in milliseconds, always the same for the same thread and event."""
    digest = sha256(f"{len(thread)}:{thread}{event_id}".encode()).digest()
    low, high = milliseconds(policy.min_delay_seconds), milliseconds(policy.max_delay_seconds)
    delay_ms = low + int.from_bytes(digest[:8]) % (high - low + 1)
    return eligible[int.from_bytes(digest[8:16]) % len(eligible)], delay_ms


def _first_refusal(verdicts: tuple[Verdict, ...]) -> Verdict | None:
    return next((verdict for verdict in verdicts if not verdict.allowed), None)


def _ask(guard: ModuleType, context: ThreadContext, policy: ThreadPolicy) -> Verdict:
    try:
        verdict: Verdict = guard.check(context, policy)
    except Exception as error:  # a guard that cannot answer refuses: silence is safe, a loop is not
        figures = {"error": type(error).__name__}
        return Verdict(guard.NAME, Action.SKIP, GUARD_ERROR, "Guard failed, reply refused", figures)
    return verdict
