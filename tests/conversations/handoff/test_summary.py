"""What an operator reads before claiming."""

from tests.cast import Actor, Opens, accepted
from tests.flows.api.support import SLUG, Visitor, contact_flow, published
from tests.flows.engine.support import asker


def test_a_flows_summary_says_what_is_known_what_was_asked_and_what_was_said(
    editor: Actor, router: Actor, operator: Actor, opened: Opens
) -> None:
    document = contact_flow()
    document["nodes"].insert(1, asker("day-1", ["day"], ["DAY"], importance="high", prompts=["Which day?"]))
    document["gateDefinitions"]["DAY"] = {"satisfiedBy": {"metricsAll": ["day"]}}
    published(editor, document)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    visitor.say("on Monday", facts={"day": "Monday"})
    visitor.say("rather not", facts={})
    taken = accepted(operator.post(f"{visitor.path}/takeover", {"reason": "mine"}), 201)
    assert taken["summary"] == "4 events. Known: day. Last asked: It looks like name@host. Said: on Monday · rather not"


def test_a_relays_summary_says_how_deep_it_is(router: Actor, operator: Actor, opened: Opens) -> None:
    path = opened()
    accepted(router.post(f"{path}/intents", {"sender": "bank", "intent": "offer"}), 201)
    taken = accepted(operator.post(f"{path}/takeover", {}), 201)
    assert taken["summary"] == "2 events, depth 1/5. Said: offer"
