"""What this process counts while it works; everything else is read from the database when somebody asks.

With PROMETHEUS_MULTIPROC_DIR set (`config.stack` does), the numbers of all processes lie in files of that folder, and
any of them answers for all. Labels are routes, codes and names of our own: never an address, a name or a word.
"""

from prometheus_client import Counter, Gauge, Histogram

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})

REQUESTS = Counter("lastword_http_requests", "HTTP requests answered.", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "lastword_http_request_seconds", "Time to answer.", ["route"], buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10)
)
REFUSALS = Counter("lastword_refusals", "Refusals of the API, by their code.", ["code"])
TASKS = Counter("lastword_tasks", "Background tasks run.", ["task", "outcome"])
SOCKETS = Gauge("lastword_sockets", "Open websockets.", ["route"], multiprocess_mode="livesum")


def count_request(method: str | None, route: str, status: int, seconds: float) -> None:
    REQUESTS.labels(method if method in METHODS else "other", route, str(status)).inc()
    REQUEST_SECONDS.labels(route).observe(seconds)
