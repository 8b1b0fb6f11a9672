"""Celery: the same tasks and timetable in both modes, on a broker in memory or on Redis.

Tasks are idempotent and take ids. What a broker loses, the periodic database sweeps find.
"""

from typing import Any

from kombu import Queue

from config.settings.runtime import EMBEDDED, REDIS_URL

CELERY_BROKER_URL = "memory://localhost" if EMBEDDED else REDIS_URL
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {"polling_interval": 0.05} if EMBEDDED else {"global_keyprefix": "lastword:", "socket_timeout": 30}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "lastword"
# Deliveries to the outside have a queue of their own: slow receivers must not delay deadlines. So have webhooks, which
# the same workers take by turns with the timetable: behind a burst of them every tick would be too old to be run.
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in ("lastword", "webhooks", "relay")]
CELERY_TASK_ROUTES = {
    "conversations.work_delivery": {"queue": "webhooks"},
    "conversations.relay_outbox": {"queue": "relay"},
    "conversations.think_reply": {"queue": "relay"},
}
# In memory: every entry is periodic and idempotent, so there is no state worth a file.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND = None
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_SEND_SENT_EVENT = False
CELERY_TIMEZONE = "UTC"

# A tick missed while the worker was busy is worth nothing once the next one is due: `expires`.
CELERY_BEAT_SCHEDULE = {
    "sweep expired conversations": {
        "task": "conversations.sweep_expired",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "release idle handoffs": {
        "task": "conversations.release_idle_handoffs",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "relay the outbox": {
        "task": "conversations.relay_outbox",
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    "work waiting deliveries": {
        "task": "conversations.work_deliveries",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "purge refused deliveries": {
        "task": "conversations.purge_refused_deliveries",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "post due replies": {
        "task": "conversations.post_due_replies",
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    "number the ledger's leaves": {
        "task": "audit.sequence_leaves",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    "sign a checkpoint": {
        "task": "audit.make_checkpoint",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "roll up the figures": {
        "task": "audit.roll_up",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "let the audit search know new events": {
        "task": "audit.index_events",
        "schedule": 3.0,
        "options": {"expires": 5},
    },
    "verify the ledger once a day": {
        "task": "audit.verify_when_due",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "erase words whose time is over": {
        "task": "audit.apply_retention",
        "schedule": 900.0,
        "options": {"expires": 900},
    },
    "queue lost explorations again": {
        "task": "flows.requeue_lost_explorations",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "purge idempotency keys": {
        "task": "conversations.purge_idempotency",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
}
