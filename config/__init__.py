"""Wires everything together and holds no domain."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
