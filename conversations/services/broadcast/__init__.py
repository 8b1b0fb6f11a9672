"""The only package that touches the channel layer. Everything is told after commit, and what is told is a hint.

`publishing` sends items, `listening` receives them in every serving process, `hub` hands them to that process's
sockets. A reader that missed a hint catches up from the database: by a gap in its numbers, or when `reconciling` looks.
"""

from conversations.services.broadcast.publishing import bind_loop, publish, publish_on_commit, queue_on_commit

__all__ = ["bind_loop", "publish", "publish_on_commit", "queue_on_commit"]
