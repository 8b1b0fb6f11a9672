"""What the parties of a benchmark say: enough different matters that no conversation goes round in circles.

A load that repeats one sentence would measure the loop review's alarms instead of an ordinary message.
"""

import json
from itertools import product

ACTS = ("ask", "confirm", "explain", "compare", "send", "schedule")
SUBJECTS = ("income", "mortgage", "insurance", "pension", "savings", "address", "signature", "interest")
REASONS = (
    "because the offer runs out on Friday",
    "after the notary called about the deed",
    "so that the file can go to the second desk",
    "since the figures of last year are missing",
    "before the branch closes for the holidays",
    "as the customer wished on the telephone",
)


def said(act: str, subject: str, reason: str) -> bytes:
    return json.dumps(
        {
            "sender": "bank",
            "intent": f"{act}_{subject}",
            "context": {"file": f"{subject}-{len(act)}", "desk": reason.rsplit(maxsplit=1)[-1]},
            "humotica": f"The bank wants to {act} the {subject} {reason}.",
        }
    ).encode()


INTENTS = [
    said(act, subject, REASONS[(ACTS.index(act) + SUBJECTS.index(subject)) % len(REASONS)])
    for act, subject in product(ACTS, SUBJECTS)
]
