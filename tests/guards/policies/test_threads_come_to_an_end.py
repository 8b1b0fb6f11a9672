"""The chain in a small pure world where personas answer whatever they may: it always stops."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from guards.chain import Outcome, check_posting, decide
from guards.policies.context import Persona, ThreadContext
from guards.policies.verdict import Action
from guards.policy_document import ThreadPolicy


@dataclass
class Thread:
    """Messages as (milliseconds, persona or None for a visitor)."""

    key: str
    handles: tuple[str, ...]
    policy: ThreadPolicy
    messages: list[tuple[int, str | None]] = field(default_factory=list)
    replies: int = 0

    def look(self, trigger: int, now: int) -> ThreadContext:
        others = [message for index, message in enumerate(self.messages) if index != trigger]
        spoke = [(at, who) for at, who in others if who]
        posts = {who: at for at, who in self.messages if who}
        return ThreadContext(
            thread=self.key,
            event_id=str(trigger),
            turns=len(others),
            last_message_age_ms=now - others[-1][0] if others else None,
            personas=tuple(Persona(h, now - posts[h] if h in posts else None) for h in self.handles),
            sender_persona=self.messages[trigger][1],
            last_persona=spoke[-1][1] if spoke else None,
            thread_active=True,
        )

    def receive(self, now: int, sender: str | None) -> tuple[int, str] | None:
        """Record a message; answer when and by whom it was replied to."""
        self.messages.append((now, sender))
        trigger = len(self.messages) - 1
        decision = decide(self.look(trigger, now), self.policy)
        if decision.action is Outcome.SKIP:
            return None
        at = now + decision.delay_ms
        if check_posting(self.look(trigger, at), decision.persona, self.policy).action is not Action.ALLOW:
            return None
        self.replies += 1
        return at, decision.persona


def converse(thread: Thread) -> None:
    """Two visitors' messages, then every reply is fed back as the next message."""
    thread.receive(0, None)
    follow = thread.receive(60_000, None)
    for _ in range(100):
        if follow is None:
            return
        follow = thread.receive(*follow)


def test_three_personas_feeding_each_other_stop_within_the_turn_limit():
    thread = Thread("C1/1", ("ada", "ben", "cleo"), ThreadPolicy(persona_cooldown_seconds=0, grace_seconds=0))
    converse(thread)
    assert len(thread.messages) <= 9
    assert thread.replies >= 3


@settings(deadline=None)
@given(
    st.text(alphabet="abc123", min_size=1),
    st.integers(1, 12),
    st.integers(1, 6),
    st.integers(0, 30),
)
def test_no_thread_outlives_its_turn_limit_whatever_the_policy(key, max_turns, crowd, cooldown):
    policy = ThreadPolicy(max_turns=max_turns, persona_cooldown_seconds=cooldown, grace_seconds=0)
    thread = Thread(key, tuple(f"p{n}" for n in range(crowd)), policy)
    converse(thread)
    assert len(thread.messages) <= max(2, max_turns + 1)
