"""What the state handlers and the guards can do in a turn, each in one place."""

from dataclasses import replace

from conversations.domain.dialogue import messages
from conversations.domain.dialogue.confirmation import Answer
from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.record import PendingConfirmation
from conversations.domain.dialogue.reply import Card, QuickReply, Reply
from conversations.domain.dialogue.states import State, path_to_handoff
from conversations.domain.intents.types import Meaning
from conversations.domain.times import to_text


def say(
    draft: Draft,
    situation: Situation,
    code: str,
    *,
    buttons: tuple[QuickReply, ...] = (),
    cards: tuple[Card, ...] = (),
    **figures: str,
) -> Draft:
    """Answer with a sentence of the catalogue in the visitor's language."""
    text = messages.text(situation.turn.language, code, **figures)
    return replace(draft, reply=Reply(code, text, buttons, cards))


def button(situation: Situation, meaning: Meaning, target_id: str | None = None) -> QuickReply:
    """A quick reply with its title in the visitor's language."""
    return QuickReply(messages.text(situation.turn.language, f"button_{meaning}"), meaning, target_id)


def clarify(draft: Draft, situation: Situation, code: str, trigger: str) -> Draft:
    """Ask instead of acting; the cap decides afterwards whether the question may be sent."""
    asked = replace(draft.hop(State.CLARIFYING, trigger), prompting=True)
    pending = asked.state.pending_confirmation
    if pending.action is None:
        return say(asked, situation, code, buttons=(button(situation, Meaning.HUMAN),))
    buttons = tuple(button(situation, meaning, pending.target_id) for meaning in (Meaning.CONFIRM, Meaning.CANCEL))
    target = situation.turn.pending_title or pending.target_id or ""
    return say(asked, situation, "ask_yes_or_no", buttons=buttons, target=target)


def hand_over(draft: Draft, situation: Situation, reason: str) -> Draft:
    """Go to `handoff` by the table's way and pass the visitor on to a person."""
    for target in path_to_handoff(draft.at):
        draft = draft.hop(target, reason)
    side = draft.side.handed_over(reason)
    draft = replace(draft, side=side, handoff_reason=reason, prompting=False)
    return say(draft, situation, "handoff")


def fail(draft: Draft, situation: Situation, trigger: str) -> Draft:
    """Record a recoverable failure; the last one the policy allows goes to a person."""
    errors = draft.side.error_count + 1
    draft = draft.hop(State.ERROR, trigger)
    draft = replace(draft, failed=True, side=replace(draft.side, error_count=errors))
    if errors >= situation.policy.error_cap:
        return hand_over(draft, situation, "repeated_errors")
    return say(draft, situation, "error")


def ask_confirmation(draft: Draft, situation: Situation, target_id: str, trigger: str) -> Draft:
    """Put the chosen item up for a yes or a no."""
    draft = draft.hop(State.AWAITING_CONFIRMATION, trigger)
    pending = PendingConfirmation("select", target_id, to_text(situation.now))
    draft = replace(draft, state=replace(draft.state, pending_confirmation=pending), progress=True)
    buttons = tuple(button(situation, meaning, target_id) for meaning in (Meaning.CONFIRM, Meaning.CANCEL))
    target = situation.turn.target_title or target_id
    return say(draft, situation, "ask_confirmation", buttons=buttons, target=target)


def answer_pending(draft: Draft, situation: Situation, answer: Answer) -> Draft:
    """Settle the open question. The hop to idle clears it first, so a second yes finds nothing to run."""
    pending = draft.state.pending_confirmation
    if draft.at is State.CLARIFYING:
        draft = draft.hop(State.AWAITING_CONFIRMATION, "clarification_resolved")
    draft = replace(draft.heard(answer), progress=True)
    if answer is Answer.CANCEL:
        return say(draft.hop(State.IDLE, "cancelled"), situation, "cancelled")
    draft = replace(draft.hop(State.IDLE, "confirmed"), confirmed=pending)
    return say(draft, situation, "confirmed", target=situation.turn.pending_title or pending.target_id or "")


def reset(draft: Draft, situation: Situation, reason: str) -> Draft:
    """Section 7: back to idle, nothing of this turn kept but its trace. Not a transition of the table."""
    idle = situation.stored.moved_to(State.IDLE).with_counters_reset()
    side = replace(situation.side, repeat_count=0, error_count=0)
    fresh = Draft(idle, side, notes=draft.notes, reset_reason=reason)
    return say(fresh, situation, "fallback")
