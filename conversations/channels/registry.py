"""The channels there are: one shape, a visible list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from conversations.channels.chatwoot import reading as chatwoot_reading
from conversations.channels.chatwoot import speaking as chatwoot_speaking
from conversations.channels.heard import Envelope, Heard, Payload
from conversations.channels.signatures import Signature, chatwoot_signature, slack_signature
from conversations.channels.slack import reading as slack_reading
from conversations.channels.slack import speaking as slack_speaking
from conversations.channels.spoken import Call, Request, Sent
from conversations.domain.events import Recorded
from conversations.models import Channel, ChannelConversation


@dataclass(frozen=True, slots=True)
class Adapter:
    """What one kind of channel knows: to read what arrives, and to say what goes out."""

    verify: Callable[..., Signature]
    envelope: Callable[[Payload, Mapping[str, str], bytes], Envelope]
    read: Callable[[Payload], Heard]
    calls: Callable[[Recorded, ChannelConversation, Channel], list[Call]]
    request: Callable[[Payload, str, Channel, str], Request]
    judged: Callable[[int, Payload], Sent]
    typing: Callable[[bool], Call | None]
    probe: Callable[[Channel, str], Request]
    accepts_us: Callable[[Sent], bool]


ADAPTERS: dict[str, Adapter] = {
    Channel.Kind.CHATWOOT: Adapter(
        verify=chatwoot_signature,
        envelope=chatwoot_reading.envelope,
        read=chatwoot_reading.read,
        calls=chatwoot_speaking.calls,
        request=chatwoot_speaking.request,
        judged=chatwoot_speaking.judged,
        typing=chatwoot_speaking.typing,
        probe=chatwoot_speaking.probe,
        accepts_us=chatwoot_speaking.accepts_us,
    ),
    Channel.Kind.SLACK: Adapter(
        verify=slack_signature,
        envelope=slack_reading.envelope,
        read=slack_reading.read,
        calls=slack_speaking.calls,
        request=slack_speaking.request,
        judged=slack_speaking.judged,
        typing=slack_speaking.typing,
        probe=slack_speaking.probe,
        accepts_us=slack_speaking.accepts_us,
    ),
}
