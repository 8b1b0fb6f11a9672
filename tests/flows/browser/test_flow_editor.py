"""The flow editor in Chromium, as somebody who is no programmer uses it."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.flows.api.support import contact_flow
from tests.flows.browser.conftest import Desk

pytestmark = pytest.mark.browser


def add_name(card: Locator, label: str, name: str) -> None:
    field = card.get_by_label(f"Add to {label}", exact=True)
    field.fill(name)
    field.press("Enter")


def add_keyed(desk: Desk, tab: str, noun: str, name: str) -> Locator:
    """A new gate, fact or alias; its card."""
    desk.tab(tab)
    field = desk.page.get_by_label(f"New {noun}", exact=True)
    field.fill(name)
    field.press("Enter")
    return desk.page.locator(".fe-card:visible").last


def add_node(desk: Desk, node_id: str, prompt: str) -> Locator:
    """A new node, open; its card."""
    desk.page.get_by_role("button", name="Add a node", exact=True).click()
    card = desk.page.locator("#panel-nodes .fe-card").last
    card.get_by_label("Id", exact=True).fill(node_id)
    card.get_by_label("Prompts, variant 1").fill(prompt)
    return card


def build_four_nodes(desk: Desk) -> None:
    """Greeting, two questions and a farewell, by forms alone."""
    for fact, kind in (("contact_email", "email"), ("day", "date")):
        add_keyed(desk, "Facts", "fact", fact).get_by_label("Kind").select_option(kind)
    add_name(add_keyed(desk, "Gates", "gate", "CONTACT"), "Needs all these facts", "contact_email")
    add_name(add_keyed(desk, "Gates", "gate", "BOOKED"), "Needs all these facts", "day")
    done = desk.page.locator(".fe-card:visible").filter(has=desk.page.locator("[aria-label='Remove gate DONE']"))
    add_name(done, "And all these states", "THANKED")
    desk.tab("Nodes")
    greet = add_node(desk, "greet", "Hello!")
    greet.get_by_label("Runs at most").fill("1")
    add_name(greet, "Then sets states", "GREETED")
    greet.get_by_label("Importance").select_option("high")
    mail = add_node(desk, "mail", "Your email address?")
    add_name(mail, "Asks for facts", "contact_email")
    add_name(mail, "Is done when these gates hold", "CONTACT")
    day = add_node(desk, "day", "Which day?")
    add_name(day, "Asks for facts", "day")
    add_name(day, "Is done when these gates hold", "BOOKED")
    add_name(day, "Waits for gates", "CONTACT")
    thanks = add_node(desk, "thanks", "See you then.")
    thanks.get_by_label("Runs at most").fill("1")
    add_name(thanks, "Waits for gates", "BOOKED")
    add_name(thanks, "Then sets states", "THANKED")


def test_a_flow_of_four_nodes_is_made_broken_mended_tried_published_and_rolled_back(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    build_four_nodes(ada)
    summary = page.locator("[data-summary]")
    expect(summary).to_contain_text("may be published")

    # break it: the finding stands at the field
    day = page.locator("#panel-nodes .fe-card").nth(2)
    add_name(day, "Waits for gates", "NOWHERE")
    field = day.locator("[data-path='/nodes/2/requires']")
    expect(field.locator(".fe-error")).to_contain_text("NOWHERE")
    expect(page.get_by_role("tab", name="Nodes")).to_contain_text("error")
    expect(page.locator("[data-finding-list]")).to_contain_text("day › Waits for gates")
    ada.tab("Versions")
    expect(page.get_by_role("button", name="Publish", exact=True)).to_be_disabled()

    # mend it
    ada.tab("Nodes")
    day.get_by_label("Remove NOWHERE from Waits for gates").click()
    expect(summary).to_contain_text("may be published")
    expect(field.locator(".fe-error")).to_have_count(0)

    # talk to it
    ada.tab("Try it")
    transcript = page.locator("[data-transcript]")
    expect(transcript).to_contain_text("Your email address?")
    for words, answer in (("mail me at a@example.com", "Which day?"), ("on 3 March 2031", "See you then.")):
        page.get_by_label("Say as the visitor").fill(words)
        page.get_by_label("Say as the visitor").press("Enter")
        expect(transcript).to_contain_text(answer)
    expect(page.locator("[data-talk-status]")).to_contain_text("goal reached")
    expect(page.locator("[data-why]")).to_contain_text("has run as often as it may (EXEC_CAP)")

    # keep the talk, publish, change, publish again, roll back
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-notice]")).to_contain_text("saved")
    page.get_by_label("Keep this talk as").fill("the good way")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("[data-scripts]")).to_contain_text("passes")
    expect(page.locator("[data-notice]")).to_contain_text("is kept")
    ada.tab("Versions")
    expect(page.locator("[data-notice]")).to_have_text("")
    page.get_by_label("Note").fill("first")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("[data-notice]")).to_contain_text("Version 1 is published")
    ada.tab("Flow")
    page.get_by_label("Name", exact=True).fill("Booking, renamed")
    ada.tab("Versions")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("[data-notice]")).to_contain_text("Version 2 is published")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Booking, renamed")
    page.get_by_label("Compare version 1 with the draft").click()
    expect(page.locator("[data-diff]")).to_contain_text("Booking, renamed")
    page.get_by_label("Roll back to version 1").click()
    expect(page.locator("[data-notice]")).to_contain_text("Version 3 has the content of version 1")


def test_a_flow_leaves_as_a_file_and_comes_back_into_another(ada: Desk, tmp_path: Path) -> None:
    page = ada.page
    ada.makes_flow("Leaving")
    page.locator("[data-json]").fill(json.dumps(contact_flow()))
    with page.expect_download() as leaving:
        page.get_by_role("button", name="Export JSON").click()
    file = tmp_path / "flow.json"
    leaving.value.save_as(file)
    assert json.loads(file.read_text(encoding="utf-8")) == contact_flow()
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-notice]")).to_contain_text("saved")
    page.get_by_role("link", name="All flows").click()
    ada.makes_flow("Coming")
    page.locator("[data-import]").set_input_files(file)
    expect(page.locator("#panel-nodes .fe-toggle strong")).to_have_text(["hello-1", "mail-1"])
    expect(page.locator("[data-summary]")).to_contain_text("may be published")


def test_the_address_of_a_new_flow_follows_its_name_until_it_is_written_by_hand(ada: Desk) -> None:
    ada.starts_flow()
    address = ada.page.locator("[name=slug]")
    ada.page.locator("[name=name]").fill("Café: eerste  bezoek!")
    expect(address).to_have_value("cafe-eerste-bezoek")
    address.fill("mine")
    ada.page.locator("[name=name]").fill("Other")
    expect(address).to_have_value("mine")


def test_a_script_that_goes_differently_stops_the_publication(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    page.locator("[data-json]").fill(json.dumps(contact_flow()))
    page.get_by_role("button", name="Save draft").click()
    ada.tab("Try it")
    expect(page.locator("[data-transcript]")).to_contain_text("Your email address?")
    page.get_by_label("Keep this talk as").fill("greets first")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("[data-scripts]")).to_contain_text("passes")
    ada.tab("Nodes")
    page.get_by_label("Remove node hello-1").click()
    ada.tab("Versions")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("[data-notice]")).to_contain_text("greets first")
    expect(page.locator("[data-versions]")).to_contain_text("Nothing is published yet")


def test_forms_and_json_edit_the_same_definition(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    text = page.locator("[data-json]")
    text.fill(json.dumps(contact_flow()))
    ada.tab("Gates")
    card = page.locator("#panel-gateDefinitions .fe-card")
    card.get_by_label("Gate name").fill("REACHED")
    card.get_by_label("Gate name").press("Tab")
    edited = json.loads(text.input_value())
    assert edited["primaryGoal"]["gate"] == "REACHED"
    assert edited["nodes"][1]["satisfies"]["gates"] == ["REACHED"]
    text.fill('{"nodes": [')
    expect(page.locator("#panel-gateDefinitions")).to_contain_text("cannot be read")
    expect(page.locator("[data-finding-list]")).to_contain_text("Is not JSON")
    expect(page.get_by_role("button", name="Save draft")).to_be_disabled()


def test_nodes_are_moved_and_removed_by_the_keyboard(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    page.locator("[data-json]").fill(json.dumps(contact_flow()))
    names = page.locator("#panel-nodes .fe-toggle strong")
    expect(names).to_have_text(["hello-1", "mail-1"])
    page.get_by_label("Move hello-1 down").press("Enter")
    expect(names).to_have_text(["mail-1", "hello-1"])
    assert page.evaluate("document.activeElement.closest('[data-path]').dataset.path") == "/nodes/1"
    page.keyboard.press("Alt+ArrowUp")
    expect(names).to_have_text(["hello-1", "mail-1"])
    page.get_by_label("Remove node mail-1").press("Enter")
    expect(names).to_have_text(["hello-1"])
    page.get_by_role("tab", name="Nodes").press("ArrowRight")
    expect(page.get_by_role("tab", name="Gates")).to_be_focused()
    expect(page.locator("#panel-gateDefinitions")).to_be_visible()


def test_exploring_shows_the_dialogue_and_loads_it_into_the_talk(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    page.locator("[data-json]").fill(json.dumps(contact_flow()))
    page.get_by_role("button", name="Save draft").click()
    ada.tab("Explore")
    page.get_by_role("button", name="Explore the saved draft").click()
    endings = page.locator("[data-endings]")
    expect(endings).to_contain_text("A person is asked for at mail-1")
    expect(endings).to_contain_text("The visitor says nothing of use.")
    endings.get_by_role("button", name="Load into Try it").click()
    expect(page.locator("[data-talk-status]")).to_contain_text("HANDOFF")


def test_the_drawing_marks_what_nobody_reaches_in_words_and_leads_to_the_form(ada: Desk) -> None:
    page = ada.page
    document = contact_flow()
    document["nodes"].append({"id": "lost", "requiresStates": ["NEVER"], "runPolicy": {"maxExecutions": 1}})
    ada.makes_flow()
    page.locator("[data-json]").fill(json.dumps(document))
    ada.tab("Drawing")
    lost = page.locator(".fd-item", has_text="lost")
    expect(lost).to_contain_text("never reached")
    expect(page.locator(".fd-item", has_text="mail-1")).to_contain_text("critical")
    lost.click()
    expect(page.locator("[data-path='/nodes/2']").get_by_label("Id", exact=True)).to_be_focused()


def test_a_second_editor_does_not_overwrite_the_first(ada: Desk, grace: Desk) -> None:
    slug = ada.makes_flow()
    grace.opens(slug, "flow")
    ada.tab("Flow")
    ada.page.get_by_label("Name", exact=True).fill("Ada's")
    ada.page.keyboard.press("Control+s")
    expect(ada.page.locator("[data-notice]")).to_contain_text("saved")
    ada.page.get_by_role("link", name="All flows").click()
    expect(ada.page.get_by_role("link", name="Ada's")).to_be_visible()
    grace.page.get_by_label("Name", exact=True).fill("Grace's")
    grace.page.get_by_role("button", name="Save draft").click()
    expect(grace.page.locator("[data-notice]")).to_contain_text("ada saved this draft")
    grace.page.get_by_role("button", name="Load theirs, drop mine").click()
    expect(grace.page.get_by_label("Name", exact=True)).to_have_value("Ada's")


def test_leaving_with_unsaved_changes_is_warned_about(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    ada.tab("Flow")
    page.get_by_label("Name", exact=True).fill("unsaved")
    expect(page.locator("[data-state]")).to_contain_text("unsaved changes")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="All flows").click()
    page.wait_for_url("**/console/flows")
    assert asked == ["beforeunload"]


def test_hostile_text_in_a_definition_stays_text(ada: Desk) -> None:
    page = ada.page
    ada.makes_flow()
    hostile = "<img src=x onerror=\"document.title='owned'\">"
    document = json.loads(json.dumps(contact_flow()).replace("mail-1", "{hostile}"))
    document["nodes"][1] |= {"id": hostile, "title": hostile, "prompts": [hostile]}
    page.locator("[data-json]").fill(json.dumps(document))
    for tab in ("Nodes", "Drawing", "Try it"):
        ada.tab(tab)
        expect(page.get_by_role("tabpanel")).to_contain_text("<img src=x")
    assert page.locator("img[src=x]").count() == 0
    assert page.title() != "owned"
