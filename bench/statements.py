"""Counts the statements one intent costs, in the process it is asked in: `reads writes` on standard output.

The intents are those of the load, and the one counted comes late in its conversation, as most of the load does.
"""

import json
import os
import re
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.sayings import INTENTS

BEFORE = 30


def main(key: str) -> None:
    client = Client(SERVER_NAME="127.0.0.1", headers={"Authorization": f"Bearer {key}"})

    def post(path: str, body: bytes) -> dict[str, object]:
        answer = client.post(f"/api/v1{path}", body, content_type="application/json")
        told: dict[str, object] = answer.json()
        return told

    terms = {"initiator": "bank", "responder": "customer", "max_depth": 100}
    relationship = post("/relationships", json.dumps(terms).encode())["id"]
    for body in INTENTS[:BEFORE]:
        answer = post(f"/relationships/{relationship}/intents", body)
        if "loop_hint" in answer or "event" not in answer:
            sys.exit(f"the load is no ordinary conversation: {answer}")
    with CaptureQueriesContext(connection) as asked:
        post(f"/relationships/{relationship}/intents", INTENTS[BEFORE])
    # Django notes a statement run for several rows as "2 times: UPDATE ..."
    words = [re.sub(r"^\d+ times: ", "", query["sql"].lstrip()).split()[0].upper() for query in asked]
    print(words.count("SELECT"), sum(word in ("INSERT", "UPDATE", "DELETE") for word in words))


if __name__ == "__main__":
    main(sys.argv[1])
