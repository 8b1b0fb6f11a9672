"""Drafts: kept broken or not, never over a newer one."""

from flows.models import Flow
from tests.cast import Actor, accepted, refused
from tests.flows.api.support import SLUG, contact_flow, created, put, saved


def test_a_flow_is_made_with_its_draft_and_nothing_published(editor: Actor) -> None:
    made = created(editor)
    assert (made["slug"], made["draft"], made["published"], made["draft_revision"]) == (SLUG, contact_flow(), None, 1)
    assert accepted(editor.get(f"/flows/{SLUG}")) == made
    assert accepted(editor.get("/flows"))["results"] == [made]


def test_a_broken_draft_is_kept_as_it_is(editor: Actor) -> None:
    created(editor)
    broken = {"nodes": "none yet"}
    assert saved(editor, broken)["draft"] == broken
    assert not accepted(editor.post(f"/flows/{SLUG}/validate"))["ok"]


def test_a_second_flow_of_a_name_is_refused(editor: Actor) -> None:
    created(editor)
    refused(editor.post("/flows", {"slug": SLUG, "definition": {}}), 409, "slug_taken")
    assert Flow.objects.get().draft == contact_flow()


def test_an_unknown_flow_is_not_found(editor: Actor) -> None:
    for path in ("/flows/nobody", "/flows/nobody/versions", "/flows/nobody/diff"):
        refused(editor.get(path), 404, "not_found")
    for path in ("validate", "publish", "explore"):
        refused(editor.post(f"/flows/nobody/{path}"), 404, "not_found")
    refused(put(editor, "/flows/nobody/draft", {}), 404, "not_found")


def test_saving_an_old_draft_over_a_newer_one_is_refused_and_says_who_saved_it(editor: Actor) -> None:
    read = created(editor)["draft_revision"]
    put(editor, f"/flows/{SLUG}/draft", {"name": "theirs"}, If_Match=str(read))
    problem = refused(put(editor, f"/flows/{SLUG}/draft", {"name": "mine"}, If_Match=str(read)), 409, "draft_conflict")
    assert (problem["author"], problem["revision"]) == ("the editor", read + 1)
    assert Flow.objects.get().draft == {"name": "theirs"}


def test_a_revision_that_is_no_number_matches_nothing(editor: Actor) -> None:
    created(editor)
    refused(put(editor, f"/flows/{SLUG}/draft", {}, If_Match='"last one"'), 409, "draft_conflict")
    assert Flow.objects.get().draft == contact_flow()


def test_a_draft_that_is_no_object_is_refused(editor: Actor) -> None:
    created(editor)
    problem = refused(put(editor, f"/flows/{SLUG}/draft", ["nodes"]), 422, "flow_invalid")
    assert problem["findings"][0]["path"] == ""
    assert Flow.objects.get().draft == contact_flow()


def test_a_name_the_address_cannot_hold_is_refused(editor: Actor) -> None:
    for slug in ("", "Über", "a/b", "x" * 101):
        refused(editor.post("/flows", {"slug": slug}), 422, "invalid")
    assert not Flow.objects.exists()


def test_lists_are_read_page_by_page(editor: Actor) -> None:
    for slug in ("b", "a", "c"):
        created(editor, slug=slug)
    first = accepted(editor.get("/flows", limit=2))
    assert [flow["slug"] for flow in first["results"]] == ["a", "b"]
    rest = accepted(editor.get("/flows", limit=2, cursor=first["next"]))
    assert ([flow["slug"] for flow in rest["results"]], rest["next"]) == (["c"], None)
    for _ in range(3):
        accepted(editor.post("/flows/a/publish"), 201)
    newest = accepted(editor.get("/flows/a/versions", limit=2))
    assert [each["version"] for each in newest["results"]] == [3, 2]
    assert [
        each["version"] for each in accepted(editor.get("/flows/a/versions", cursor=newest["next"]))["results"]
    ] == [1]


def test_a_senseless_limit_or_cursor_is_refused(editor: Actor) -> None:
    created(editor)
    for query in ({"limit": "0"}, {"limit": "x"}, {"limit": "201"}, {"cursor": "x"}):
        for path in ("/flows", f"/flows/{SLUG}/versions"):
            problem = refused(editor.get(path, **query), 422, "invalid")
            assert problem["errors"][0]["field"] in query
