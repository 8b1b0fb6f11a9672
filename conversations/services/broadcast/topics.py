"""What a socket can listen to."""

from uuid import UUID

LIVE = "live"
INBOX = "inbox"
# Announcements of who is where; every process's presence table listens, no socket does.
ATTENDANCE = "attendance"


def relationship(relationship_id: UUID | str) -> str:
    """Every event of one conversation, whole: for our own people."""
    return f"relationship.{relationship_id}"


def party(relationship_id: UUID | str) -> str:
    """Every event of one conversation as its parties may read it."""
    return f"party.{relationship_id}"


def participant(participant_id: UUID | str) -> str:
    """Summaries of the conversations somebody is a party to."""
    return f"participant.{participant_id}"


def presence(relationship_id: UUID | str) -> str:
    """Who views a conversation and who writes: for our own people."""
    return f"presence.{relationship_id}"


def writing(relationship_id: UUID | str) -> str:
    """That the other side writes: for the parties, who must not learn who watches."""
    return f"writing.{relationship_id}"


def place(relationship_id: UUID | str) -> str:
    """Which number in the queue a conversation has: for the parties."""
    return f"place.{relationship_id}"


def beat(hub: str) -> str:
    """A process's own heartbeat, sent to itself by way of the layer."""
    return f"beat.{hub}"
