"""What a Slack event means. All personas share one bot: who spoke only our own map of messages knows."""

from collections.abc import Mapping

from conversations.channels.heard import (
    Envelope,
    Heard,
    Nothing,
    Payload,
    ThreadSaid,
    UnreadableDelivery,
    identifier,
    mapping,
    words,
)

VERIFICATION = "url_verification"
# These wrap another message, or are nobody's words.
WRAPPERS = frozenset({"message_changed", "message_deleted", "message_replied", "thread_broadcast"})
SPOKEN_SUBTYPES = frozenset({"", "bot_message", "file_share", "me_message"})


def envelope(payload: Payload, headers: Mapping[str, str], body: bytes) -> Envelope:
    """An event is known by its id, however often it is sent."""
    kind = words(payload, "type")
    if kind == VERIFICATION:
        return Envelope(kind, "", challenge=words(payload, "challenge"))
    if kind != "event_callback":
        raise UnreadableDelivery(f"unknown type {kind!r}"[:200])
    event = mapping(payload, "event")
    name = ".".join(part for part in (words(event, "type"), words(event, "subtype")) if part)
    return Envelope(name[:60], f"event:{identifier(payload, 'event_id')}")


def read(payload: Payload) -> Heard:
    """The one thing this delivery means."""
    event = mapping(payload, "event")
    if words(event, "type") != "message":
        return Nothing(f"event_{words(event, 'type')}"[:100])
    subtype = words(event, "subtype")
    if subtype in WRAPPERS or subtype not in SPOKEN_SUBTYPES:
        return Nothing(subtype)
    channel, ts = identifier(event, "channel"), identifier(event, "ts")
    return ThreadSaid(
        conversation=thread_key(identifier(payload, "team_id"), channel, words(event, "thread_ts") or ts),
        event_id=identifier(payload, "event_id"),
        sender=words(event, "user") or bot_id_of(event) or "unknown",
        text=words(event, "text"),
        ts=ts,
        own_id=own_id(channel, ts),
        subtype=subtype or None,
        bot_id=bot_id_of(event),
    )


def bot_id_of(event: Payload) -> str | None:
    """Bots come in two shapes; the one without a subtype shows only here."""
    profile = event.get("bot_profile")
    named = event.get("bot_id") or (profile.get("id") or "bot_profile" if isinstance(profile, Mapping) else None)
    return str(named) if named else None


def thread_key(team: str, channel: str, thread_ts: str) -> str:
    return f"{team}:{channel}:{thread_ts}"


def own_id(channel: str, ts: str) -> str:
    """How our own map names a message."""
    return f"{channel}:{ts}"
