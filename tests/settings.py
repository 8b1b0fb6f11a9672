"""The site's own settings in a throw-away data folder; only what slows tests down is changed.

`DATABASE_URL` and `REDIS_URL` choose the stack here as they do in production.
"""

import os
import tempfile

os.environ["LASTWORD_DATA"] = tempfile.mkdtemp(prefix="lastword-tests-")
os.environ.setdefault("LASTWORD_SECRET_KEY", "tests only, and long enough to pass: 0123456789 abcdefghij")
os.environ.setdefault("LASTWORD_HTTPS", "0")
# Off as in the demo, so that a test of something else logs in with a password; tests of the second step turn it on.
os.environ.setdefault("LASTWORD_TWO_FACTOR", "0")

from config.settings import *

# Every test's client loads the middleware anew, and WhiteNoise would look at each static file every time.
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Processes that test at the same time share one Redis, which may be a developer's own: each keeps to
# keys of its own, and nothing flushes the database.
TEST_PREFIX = f"lastword-tests-{os.getpid()}"
CACHES["default"]["KEY_PREFIX"] = TEST_PREFIX
if not EMBEDDED:
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = TEST_PREFIX
    CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"] = f"{TEST_PREFIX}:"
