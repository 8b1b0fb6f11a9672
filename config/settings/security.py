"""Secrets, hosts, cookies, logins. Strict by default; plain HTTP only on the laptop's own modes."""

from datetime import timedelta

from config import env, secrets
from config.env import EnvError
from config.settings.runtime import EMBEDDED, LASTWORD_DATA, LASTWORD_DEMO

MIN_SECRET = 50
MIN_DISTINCT = 10


def _secret_key() -> str:
    """From the environment, else from the data folder, where only embedded mode makes one by itself.

    Several production machines must share their secret, so none may invent its own at start.
    """
    file = LASTWORD_DATA / "secret_key"
    if EMBEDDED and not env.text("LASTWORD_SECRET_KEY"):
        return secrets.read_or_create(file)
    key = env.text("LASTWORD_SECRET_KEY") or secrets.read(file)
    if not key:
        raise EnvError("LASTWORD_SECRET_KEY", f"is not set, and there is no {file.name} in LASTWORD_DATA")
    if len(key) < MIN_SECRET or len(set(key)) < MIN_DISTINCT or key.startswith("django-insecure-"):
        raise EnvError("LASTWORD_SECRET_KEY", f"must be at least {MIN_SECRET} random characters")
    return key


def _own_host() -> list[str]:
    """The address the server was told to listen on, unless it is every address."""
    host = env.text("HOST")
    return [host] if host and host not in {"0.0.0.0", "::"} else []  # noqa: S104 compared, not bound


SECRET_KEY = _secret_key()

# The ledger's Ed25519 seed (base64url of 32 bytes). Several hosts must be given the same one.
LASTWORD_SIGNING_KEY_FILE = LASTWORD_DATA / "signing_key"
LASTWORD_SIGNING_KEY = env.text("LASTWORD_SIGNING_KEY") or secrets.read_or_create(LASTWORD_SIGNING_KEY_FILE, length=32)

LASTWORD_HTTPS = env.boolean("LASTWORD_HTTPS", not EMBEDDED)
ALLOWED_HOSTS = env.words("LASTWORD_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]", *_own_host()])
CSRF_TRUSTED_ORIGINS = env.words("LASTWORD_TRUSTED_ORIGINS")

SECURE_SSL_REDIRECT = LASTWORD_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("LASTWORD_BEHIND_PROXY", False) else None
SECURE_HSTS_SECONDS = env.integer("LASTWORD_HSTS_SECONDS", 31_536_000, low=0, high=63_072_000) if LASTWORD_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = LASTWORD_HTTPS
SECURE_HSTS_PRELOAD = LASTWORD_HTTPS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LASTWORD_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# Half an hour idle: every answer renews the session.
SESSION_COOKIE_AGE = 30 * 60
SESSION_SAVE_EVERY_REQUEST = True
# Twelve hours in all: `SessionAgeMiddleware`.
LASTWORD_SESSION_SECONDS = 12 * 60 * 60
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Name and address together: a stranger's failures must not lock an operator out elsewhere. The
# address is the connection's; forwarded-for is believed only through a configured proxy.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ACCESS_FAILURE_LOG = False

OTP_TOTP_ISSUER = "Lastword"
# Operators, editors and administrators prove themselves with a code besides the password. Only the demo
# on somebody's own machine does without, so that one click opens it; `check --deploy` says when it is off.
LASTWORD_TWO_FACTOR = env.boolean("LASTWORD_TWO_FACTOR", not (EMBEDDED and LASTWORD_DEMO))
# How long a link for setting a password opens anything.
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
LOGIN_URL = "admin:login"
# Errors are logged; nobody is mailed request data.
ADMINS: list[str] = []
