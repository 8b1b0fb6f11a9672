"""The channel layer: in memory inside the one process, or Redis between several."""

from typing import Any

from config.settings.runtime import EMBEDDED, REDIS_URL

CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": (
        {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 10_000}}
        if EMBEDDED
        else {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {
                # redis-py 8 by default drops idle subscriptions and caps its pool at 100.
                "hosts": [{"address": REDIS_URL, "socket_timeout": 30, "max_connections": 10_000}],
                "prefix": "lastword",
                "capacity": 10_000,
            },
        }
    )
}
