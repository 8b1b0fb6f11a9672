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


def test_the_words_that_led_to_the_request_are_in_it_and_colleagues_notes_are_not(
    editor: Actor, router: Actor, operator: Actor, opened: Opens
) -> None:
    document = contact_flow()
    document["nodes"][1]["prompts"] = ["Your email address?"]
    published(editor, document)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    taken = accepted(operator.post(f"{visitor.path}/takeover", {}), 201)
    accepted(operator.post(f"/handoffs/{taken['id']}/note", {"text": "between us"}))
    accepted(operator.post(f"/handoffs/{taken['id']}/return", {}))
    asked = accepted(operator.get(f"/handoffs/{visitor.say('I said no', facts={})['handoff_id']}"))
    assert asked["summary"] == "8 events. Last asked: Your email address? Said: I said no"


def test_a_wish_for_a_person_is_in_the_summary_of_the_assistants_request(
    router: Actor, operator: Actor, opened: Opens
) -> None:
    path = opened(driver="assistant")
    wish = {"message_id": "m1", "text": "a human please", "meaning": "human"}
    asked = accepted(router.post(f"{path}/turns", wish))["handoff_id"]
    assert accepted(operator.get(f"/handoffs/{asked}"))["summary"].endswith("Said: a human please")
