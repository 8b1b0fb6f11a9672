"""A channel's thread and the personas' thread are one; who wrote a bot's message only our own map knows (G2)."""

from conversations.channels.heard import ThreadSaid
from conversations.models import Channel, ChannelConversation
from conversations.selectors.channels import own_message
from conversations.services.echoes import is_our_own
from conversations.services.threads import ThreadAnswer, ThreadEvent, handle_thread_event, thread_for


def thread_answer(channel: Channel, heard: ThreadSaid) -> ThreadAnswer:
    """Records the message and what the guards decide; asked again about the same event, the same."""
    key = f"{channel.kind}:{channel.pk}:{heard.conversation}"
    sender = f"{channel.kind}:{channel.pk}:{heard.sender}"
    thread = thread_for(key=key, sender=sender, actor=channel.actor, channel=channel.kind)
    # Known before anybody may answer: a reply without a way out would be lost.
    ChannelConversation.objects.get_or_create(
        relationship_id=thread.pk, defaults={"channel": channel, "external_id": heard.conversation}
    )
    ours = is_our_own(channel, heard.conversation, heard.own_id, heard.text)
    post = own_message(channel, heard.own_id) if ours else None
    author = post.persona if post is not None else ""
    told = ThreadEvent(
        key=key,
        event_id=heard.event_id,
        sender=sender,
        text=heard.text,
        subtype=heard.subtype,
        bot_id=heard.bot_id,
        ts=heard.ts,
        own_identity=ours,
        persona=author or None,
        own_seq=post.event.seq if post is not None and author else None,
        among=channel.personas or None,
    )
    return handle_thread_event(told, actor=channel.actor, channel=channel.kind)
