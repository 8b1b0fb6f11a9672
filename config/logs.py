"""JSON logs that name requests and conversations, and nobody.

Exceptions are logged as types and places, never with their texts: a database's complaint quotes the
row it complains about.
"""

import logging
import logging.config
import traceback
from types import TracebackType
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

# The only fields of a plain `logging` call's `extra` that are kept.
EXTRA_FIELDS = ["status_code", "part"]


class WithoutPersonalData(logging.Filter):
    """Takes addresses and exception texts out of what Django and Celery log by themselves."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        path = getattr(request, "path", None)
        if path is not None and isinstance(record.args, tuple):
            record.args = tuple(route_of(request) if value == path else value for value in record.args)
        if record.name == "celery.app.trace" and isinstance(record.args, dict) and "name" in record.args:
            record.msg = "task %(name)s[%(id)s] failed"
        return True


def route_of(request: Any) -> str:
    """The pattern of the address, not the address: a path may hold a customer's name."""
    match = getattr(request, "resolver_match", None)
    return f"/{match.route}" if match else "(no route)"


def exception_places(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by the chain of exception types and where each was raised."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["exception"] = chain_of(error)
    return event


def chain_of(error: BaseException) -> list[dict[str, Any]]:
    """The exception and its causes, outermost first."""
    chain: list[dict[str, Any]] = []
    current: BaseException | None = error
    while current is not None and len(chain) < 10:
        kind = type(current)
        chain.append({"type": f"{kind.__module__}.{kind.__qualname__}", "at": _places(current.__traceback__)})
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return chain


def _places(trace: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace, limit=-12)]


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def json_formatter() -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*SHARED, structlog.stdlib.ExtraAdder(allow=EXTRA_FIELDS)],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            exception_places,
            structlog.processors.JSONRenderer(default=lambda value: f"<{type(value).__name__}>"),
        ],
    )


def configure(config: dict[str, Any]) -> None:
    """Django's LOGGING_CONFIG: the standard library's loggers and structlog's end in one handler."""
    logging.config.dictConfig(config)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
