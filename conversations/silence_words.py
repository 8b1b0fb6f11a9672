"""Why nothing was said, sent or let through, in the page's language.

Deliveries, the outbox and the guards keep a code; some carry a figure behind it. What has no words here (a server's
own answer, what made a body unreadable) is shown as it is.
"""

import re

from django.utils.translation import gettext_lazy as _

from conversations.console_words import Words

WHY: Words = {
    # a delivery that was left alone, or whose words were only kept
    "no_text": _("there are no words in it"),
    "own_message": _("our own message coming back"),
    "bot_message": _("a bot said it"),
    "private_note": _("a private note"),
    "activity": _("a notice of the channel, nobody's words"),
    "template": _("a template of the channel, nobody's words"),
    "nothing_submitted": _("nothing was filled in"),
    "no_conversation": _("there is no conversation of ours to it"),
    "already_closed": _("the conversation is closed already"),
    "already_received": _("it was received before"),
    "replayed": _("somebody asked to have it worked again"),
    "challenge": _("a check of our address"),
    "nothing_to_say": _("there was nothing to say to it"),
    "assigned_to_a_person": _("a person is assigned to it over there"),
    "a_person_speaks": _("a person speaks"),
    "owned_by_human": _("a person has the conversation"),
    "webwidget_triggered": _("the chat window was opened"),
    "conversation_open": _("a person has it open over there"),
    "conversation_resolved": _("it is resolved over there"),
    "conversation_snoozed": _("it is put aside over there"),
    "status_open": _("opened over there"),
    "status_pending": _("given to the bot over there"),
    "status_resolved": _("resolved over there"),
    "status_snoozed": _("put aside over there"),
    "message_changed": _("a message was edited"),
    "message_deleted": _("a message was deleted"),
    "message_replied": _("a notice that somebody replied"),
    "thread_broadcast": _("a copy of a reply in a thread"),
    "signature_missing": _("it is not signed"),
    "signature_stale": _("it was signed too long ago, or ahead of time"),
    "signature_wrong": _("its signature is wrong"),
    "conversation_closed": _("the conversation is closed"),
    "conversation_expired": _("the conversation has expired"),
    "nobody_to_answer": _("nobody would answer after it"),
    # a call of ours that did not come through
    "breaker_open": _("too many failures in a row: we keep off for a while"),
    "channel_disabled": _("the channel is off"),
    "subscription_disabled": _("the subscription is off"),
    "said_already": _("this was said already"),
    "erased": _("its words were erased"),
    "timeout": _("no answer in time"),
    "unreachable": _("the other side cannot be reached"),
    "answer_too_large": _("the answer was too long to read"),
    "not_json": _("the answer is no JSON"),
    "bad_answer": _("the answer has no text"),
    "empty_answer": _("the answer is empty"),
    "answer_too_long": _("the answer was too long to post"),
    "url_invalid": _("the address is none"),
    "url_too_long": _("the address is too long"),
    "url_scheme": _("the address is neither http nor https"),
    "url_userinfo": _("the address carries a user name or password"),
    "address_loopback": _("the address is this machine's own"),
    "address_private": _("the address is in a private network"),
    "address_link_local": _("the address is of the local link"),
    "address_metadata": _("the address is a cloud's own"),
    "address_multicast": _("the address is for many at once"),
    "address_reserved": _("the address is reserved"),
    # a reply that a guard, or the moment of posting, held back
    "max_turns": _("the thread has had its turns"),
    "grace_period": _("too soon after the last message"),
    "persona_cooldown": _("the persona is still resting"),
    "self_reply": _("personas do not answer this message"),
    "too_many_active_threads": _("too many threads are active"),
    "last_persona": _("who posted last may not post next"),
    "no_eligible_persona": _("no persona is free to reply"),
    "guard_error": _("a guard failed, so the reply is refused"),
    "owner_changed": _("the conversation changed hands"),
    "responder_failed": _("the responder gave no answer"),
    "lease_expired": _("the responder took too long"),
    # the guards' own sentences, in the words of the seed
    "All guards allow a reply": _("All guards allow a reply"),
    "All guards allow the post": _("All guards allow the post"),
    "Bot message ignored": _("Bot message ignored"),
    "Thread reached max turns": _("Thread reached max turns"),
    "Thread too recent (grace period)": _("Thread too recent (grace period)"),
    "Persona cooling down": _("Persona cooling down"),
    "Persona message in a thread too young": _("Persona message in a thread too young"),
    "Only the sender itself could reply": _("Only the sender itself could reply"),
    "Too many active threads": _("Too many active threads"),
    "Last persona may not post again": _("Last persona may not post again"),
    "No persona is free to reply": _("No persona is free to reply"),
    "The persona is gone": _("The persona is gone"),
    "Guard failed, reply refused": _("Guard failed, reply refused"),
    "The conversation changed hands": _("The conversation changed hands"),
    "A human owns this conversation": _("A human owns this conversation"),
}
PATTERNS = (
    (re.compile(r"http_(\d+)"), _("answered with status %(what)s")),
    (re.compile(r"held_by (.+)"), _("%(what)s has it")),
    (re.compile(r"event_(.+)"), _("not a message (%(what)s)")),
    (re.compile(r"unknown event (.+)"), _("an event we do not know (%(what)s)")),
    (re.compile(r"unknown type (.+)"), _("a type we do not know (%(what)s)")),
)
GAVE_UP = re.compile(r"gave up: (.+)")
# A code may be followed by the state it left behind, or by the API's own words for it.
CODE = re.compile(r"(\w+)(?: \(status \w+\)|: .+)", re.DOTALL)


def silence_words(reason: str) -> str:
    """The words for a reason; empty where there are none."""
    if reason in WHY:
        return str(WHY[reason])
    if gave_up := GAVE_UP.fullmatch(reason):
        return str(_("given up after many tries: %(what)s")) % {"what": silence_words(gave_up[1]) or gave_up[1]}
    for pattern, words in PATTERNS:
        if found := pattern.fullmatch(reason):
            return str(words) % {"what": found[1]}
    code = CODE.fullmatch(reason)
    return str(WHY[code[1]]) if code and code[1] in WHY else ""
