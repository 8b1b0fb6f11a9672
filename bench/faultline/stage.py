"""What the stories need to be there: keys, a published flow, a persona with a slow agent, guards that let it speak."""

from dataclasses import dataclass

import httpx

from bench.faultline.world import World

FLOW_SLUG = "contact"
FLOW = {
    "name": "Contact",
    "primaryGoal": {"type": "GATE", "gate": "CONTACT"},
    "gateDefinitions": {"CONTACT": {"satisfiedBy": {"metricsAll": ["contact_email"]}}},
    "facts": {"contact_email": {"type": "email"}},
    "nodes": [
        {
            "id": "ask-email",
            "title": "Email",
            "produces": ["contact_email"],
            "satisfies": {"gates": ["CONTACT"]},
            "prompts": ["What is your email?", "I did not see an address in that. Your email?"],
        }
    ],
}
GUARDS = {
    "threads": {
        "grace_seconds": 0,
        "persona_cooldown_seconds": 0,
        "max_active_threads": 10_000,
        "min_delay_seconds": 0,
        "max_delay_seconds": 1,
    }
}


@dataclass(frozen=True, slots=True)
class Stage:
    """The keys of everybody who acts."""

    router: str
    operators: tuple[str, str]


def set_stage(world: World, *, listener: str) -> Stage:
    """`listener` is the bench's own server: it subscribes to every event and is the persona's agent."""
    router, editor, first, second = world.keys("router", "editor", "operator", "operator")
    api = f"{world.url}/api/v1"
    with httpx.Client(timeout=60) as http:

        def send(method: str, path: str, body: object, key: str) -> None:
            headers = {"Authorization": f"Bearer {key}"}
            http.request(method, api + path, json=body, headers=headers).raise_for_status()

        send("POST", "/flows", {"slug": FLOW_SLUG, "name": "Contact", "definition": FLOW}, editor)
        send("POST", f"/flows/{FLOW_SLUG}/publish", {"note": "bench"}, editor)
        send("PUT", "/guards/policy", GUARDS, editor)
        agent = {"kind": "http", "url": f"{listener}agent", "secret": "a secret of the bench"}
        send("POST", "/personas", {"handle": "mo", "name": "Mo", "responder": agent}, router)
        subscription = {"url": listener, "events": ["*"], "secret": "a secret of the bench"}
        send("POST", "/webhook-subscriptions", subscription, router)
    return Stage(router, (first, second))
