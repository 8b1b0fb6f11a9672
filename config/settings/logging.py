"""One JSON line an occurrence, on standard error."""

from config import env
from config.settings.runtime import EMBEDDED

# On a laptop's terminal only what is worth reading; in production every request.
LOG_LEVEL = env.choice(
    "LASTWORD_LOG_LEVEL",
    "WARNING" if EMBEDDED else "INFO",
    among=("DEBUG", "INFO", "WARNING", "ERROR"),
)

LOGGING_CONFIG = "config.logs.configure"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"impersonal": {"()": "config.logs.WithoutPersonalData"}},
    "formatters": {"json": {"()": "config.logs.json_formatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["impersonal"]}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # These four would print every socket's address with its ticket, every task's arguments,
        # every refused request twice, and a banner.
        "uvicorn": {"level": "WARNING", "propagate": True, "handlers": []},
        "celery": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},
        "axes": {"level": "WARNING"},
        # And these every URL called, which may hold a token, and at DEBUG every prompt with its visitor's words.
        **{name: {"level": "WARNING"} for name in ("httpx", "httpx2", "httpcore", "httpcore2", "openai")},
        # Django's own handlers (console, error mail) stay empty.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
    },
}
