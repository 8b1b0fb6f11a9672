"""The policy in a person's words: each part and setting by its name, and what its number does, by an example.

`{n}` in an example stands for the number on the screen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class SettingWords:
    label: str | Promise
    example: str | Promise


PARTS: Mapping[str, str | Promise] = {
    "threads": _("Persona threads"),
    "relationship": _("Conversations"),
    "dialogue": _("Assistant dialogue"),
    "workflow": _("Workflow runs and loops"),
    "flow": _("Flows"),
    "handoff": _("Handoff to people"),
}

SETTINGS: Mapping[str, SettingWords] = {
    "relationship.max_depth": SettingWords(
        _("Depth"), _("{n} intents pass; one more is refused and closes the conversation.")
    ),
    "relationship.timebox_hours": SettingWords(
        _("Time box, hours"), _("Without an intent or a response for {n} hours a conversation expires.")
    ),
    "threads.max_turns": SettingWords(
        _("Turn limit"), _("A thread with {n} messages is over: the next one gets no reply.")
    ),
    "threads.grace_seconds": SettingWords(
        _("Grace period, seconds"), _("Nobody replies to a message that comes within {n} seconds of another.")
    ),
    "threads.persona_cooldown_seconds": SettingWords(
        _("Persona cooldown, seconds"),
        _("A persona that has posted rests {n} seconds before it posts again, in any thread."),
    ),
    "threads.max_active_threads": SettingWords(
        _("Active threads"), _("While {n} threads are active, a message in another one gets no reply.")
    ),
    "threads.active_window_minutes": SettingWords(
        _("Active for, minutes"), _("A thread counts as active until {n} minutes after its last turn.")
    ),
    "threads.persona_min_turns": SettingWords(
        _("Turns before personas answer each other"),
        _("A persona's own message is answered once {n} messages came before it."),
    ),
    "threads.min_delay_seconds": SettingWords(
        _("Shortest delay, seconds"), _("No reply is posted sooner than {n} seconds after its message.")
    ),
    "threads.max_delay_seconds": SettingWords(
        _("Longest delay, seconds"), _("A reply nothing holds back is posted at most {n} seconds after its message.")
    ),
    "dialogue.clarification_cap": SettingWords(
        _("Clarifications"), _("After {n} questions for clarification the next one is a person's.")
    ),
    "dialogue.repeat_intent": SettingWords(
        _("Repeated intent"), _("The {n}th time in a row of the same wish without progress, the assistant asks back.")
    ),
    "dialogue.confirmation_seconds": SettingWords(
        _("Confirmation, seconds"), _("A “yes” later than {n} seconds after the question does nothing.")
    ),
    "dialogue.page_limit": SettingWords(_("Cards a page"), _("At most {n} cards are shown at once; 5 is the most.")),
    "dialogue.timeout_minutes": SettingWords(
        _("Silence, minutes"), _("After {n} minutes without a message the dialogue begins afresh.")
    ),
    "dialogue.error_cap": SettingWords(_("Errors in a row"), _("The {n}th failed turn in a row goes to a person.")),
    "workflow.max_steps": SettingWords(_("Steps"), _("Step number {n} of a run is recorded and told to be the last.")),
    "workflow.max_retries": SettingWords(_("Retries"), _("A failed or cut-off step is tried again at most {n} times.")),
    "workflow.loop_detection_threshold": SettingWords(
        _("Loop threshold, 0 to 1"), _("A finding counts as a loop from a confidence of {n} on.")
    ),
    "workflow.max_response_length": SettingWords(
        _("Longest response, characters"), _("What is longer than {n} characters is cut, and said to be.")
    ),
    "workflow.truncation_detection_enabled": SettingWords(
        _("Detect cut-off responses"),
        _("A response that ends in the middle is recognised and never counts as a loop."),
    ),
    "workflow.auto_retry_on_truncation": SettingWords(
        _("Retry cut-off responses"), _("A cut-off response is asked for again instead of shown in part.")
    ),
    "workflow.progress_tracking_enabled": SettingWords(
        _("Track progress"), _("Each step says how much of the request is done.")
    ),
    "workflow.completion_threshold": SettingWords(
        _("Complete from, 0 to 1"), _("A request counts as fulfilled when a share of {n} of it is.")
    ),
    "workflow.quality_threshold": SettingWords(
        _("Good enough from, 0 to 1"), _("A response below a quality of {n} does not count as fulfilment.")
    ),
    "flow.consecutive_cap": SettingWords(
        _("Same node in a row"), _("A node chosen for the {n}th time in a row is broadened or handed to a person.")
    ),
    "handoff.idle_release_minutes": SettingWords(
        _("Idle claim, minutes"), _("A claim without a word for {n} minutes goes back to the queue.")
    ),
    "handoff.warn_minutes": SettingWords(
        _("Warn after, minutes"), _("Somebody who has waited {n} minutes is marked “waiting long”.")
    ),
    "handoff.breach_minutes": SettingWords(
        _("Too long after, minutes"), _("Somebody who has waited {n} minutes is marked “waiting too long”.")
    ),
}

GUARDS: Mapping[str, str | Promise] = {
    "bot_message_filter": _("Bot messages"),
    "turn_limit": _("Turn limit"),
    "grace_period": _("Grace period"),
    "persona_cooldown": _("Persona cooldown"),
    "self_reply": _("Self-reply"),
    "concurrent_thread_limit": _("Active threads"),
    "last_persona_exclusion": _("Last persona"),
}
