"""When the other side is told that somebody writes: at the first sign, again while it lasts, and when it ends."""

# Chatwoot's widget takes the sign away after 30 seconds by itself.
REPEAT_SECONDS = 20.0
# A sign that had to wait longer says nothing true any more.
STALE_SECONDS = 3.0


def sign_due(told_at: float | None, *, writing: bool, now: float) -> bool | None:
    """The sign to give now, on or off; None where the one given last (at `told_at`) still stands."""
    if not writing:
        return None if told_at is None else False
    return True if told_at is None or now - told_at >= REPEAT_SECONDS else None


def is_stale(wished_at: float, *, now: float) -> bool:
    return now - wished_at > STALE_SECONDS
