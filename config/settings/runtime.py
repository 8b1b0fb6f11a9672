"""How this process runs: where its data lives, which mode, which limits."""

from pathlib import Path

from config import env
from config.env import EnvError

BASE_DIR = Path(__file__).resolve().parents[2]

LASTWORD_DATA = env.path("LASTWORD_DATA", BASE_DIR / "var")
DATABASE_URL = env.text("DATABASE_URL")
REDIS_URL = env.url("REDIS_URL", schemes=("redis", "rediss", "unix"))

# One switch, not two: half a production stack (PostgreSQL without Redis) loses broadcasts silently.
if bool(DATABASE_URL) != bool(REDIS_URL):
    raise EnvError(
        "REDIS_URL" if DATABASE_URL else "DATABASE_URL",
        "is not set; production needs DATABASE_URL and REDIS_URL, embedded mode neither",
    )
EMBEDDED = not DATABASE_URL

# Never on: its pages show source and data, and it keeps every query in memory.
DEBUG = False
LASTWORD_DEMO = env.boolean("DEMO", EMBEDDED)
LASTWORD_THREADS = env.integer("LASTWORD_THREADS", 8, low=1, high=256)
LASTWORD_WORKER_THREADS = env.integer("LASTWORD_WORKER_THREADS", 4, low=1, high=64)
LASTWORD_GRACE_SECONDS = env.integer("LASTWORD_GRACE_SECONDS", 10, low=1, high=600)
LASTWORD_QUEUE_LIMIT = env.integer("LASTWORD_QUEUE_LIMIT", 512, low=1, high=100_000)

LASTWORD_BODY_LIMIT = env.integer("LASTWORD_BODY_LIMIT", 256 * 1024, low=1024, high=64 * 1024 * 1024)
LASTWORD_RATE_LIMIT = env.integer("LASTWORD_RATE_LIMIT", 1000, low=1, high=1_000_000)
LASTWORD_RATE_WINDOW_SECONDS = env.integer("LASTWORD_RATE_WINDOW_SECONDS", 10, low=1, high=3600)

LASTWORD_ALLOW_PRIVATE_URLS = env.boolean("LASTWORD_ALLOW_PRIVATE_URLS", False)
LASTWORD_CHECKPOINT_URL = env.url("LASTWORD_CHECKPOINT_URL")
LASTWORD_CHECKPOINT_FILE = env.path("LASTWORD_CHECKPOINT_FILE", LASTWORD_DATA / "checkpoints.log")

LLM_BASE_URL = env.url("LLM_BASE_URL")
LLM_API_KEY = env.text("LLM_API_KEY")
LLM_MODEL = env.text("LLM_MODEL")

# Django must never buffer what the ASGI handler has already refused; forms stay below it too.
DATA_UPLOAD_MAX_MEMORY_SIZE = LASTWORD_BODY_LIMIT
FILE_UPLOAD_MAX_MEMORY_SIZE = LASTWORD_BODY_LIMIT
