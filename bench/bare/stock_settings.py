"""As the bare view's, with connections as Django keeps them by itself: kept ones run PostgreSQL out of them here."""

from bench.bare.settings import *

DATABASES["default"]["CONN_MAX_AGE"] = 0  # noqa: F405 it comes with the star
