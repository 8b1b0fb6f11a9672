"""Lists by cursor, stable while rows are added; filters that say so when they do not understand."""

from typing import Any

import pytest
from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import INITIATOR, RESPONDER, Actor, Clock, Opens, accepted, refused

pytestmark = pytest.mark.django_db


def ids(page: dict[str, Any]) -> list[str]:
    return [row["id"] for row in page["results"]]


def test_pages_follow_each_other_newest_first_without_gap_or_repeat(router: Actor, opened: Opens, clock: Clock) -> None:
    made = []
    for minutes in (0, 0, 1, 0, 1):  # some at the very same moment
        clock.advance(minutes=minutes)
        made.append(opened().rpartition("/")[2])
    whole = ids(accepted(router.get("/relationships")))
    assert set(whole) == set(made)
    walked, cursor = [], ""
    while True:
        page = accepted(router.get("/relationships", limit=2, cursor=cursor))
        walked += ids(page)
        assert len(page["results"]) <= 2
        if page["next"] is None:
            break
        cursor = page["next"]
        clock.advance(seconds=1)
        opened()  # rows added meanwhile come before what was read and disturb nothing
    assert walked == whole


def test_the_last_full_page_is_known_to_be_last(router: Actor, opened: Opens) -> None:
    opened()
    opened()
    assert accepted(router.get("/relationships", limit=2))["next"] is None


def test_an_empty_list_is_a_list(router: Actor) -> None:
    assert accepted(router.get("/relationships")) == {"results": [], "next": None}


@pytest.mark.parametrize("limit", ["0", "-1", "201", "x", "1.5", "", " 5", "٣", "9" * 5000])
def test_a_senseless_limit_is_refused(router: Actor, limit: str) -> None:
    problem = refused(router.get("/relationships", limit=limit), 422, "invalid")
    assert problem["errors"][0]["field"] == "limit"


@pytest.mark.parametrize(
    "cursor",
    ["x", "%00", "eyJhIjoxfQ==", "W10=", "WyJhIiwiYiJd", "[" * 3000, "é", "0001-01-01T00:00:00+23:59", "a:b:c"],
)
def test_a_cursor_that_is_not_ours_is_refused(router: Actor, cursor: str) -> None:
    problem = refused(router.get("/relationships", cursor=cursor), 422, "invalid")
    assert problem["errors"][0]["field"] == "cursor"


def test_a_cursor_signed_for_something_else_is_refused(router: Actor) -> None:
    refused(router.get("/relationships", cursor=signing.dumps(["x", "y"])), 422, "invalid")


def test_each_filter_finds_what_it_names(router: Actor, opened: Opens, clock: Clock) -> None:
    plain = opened().rpartition("/")[2]
    clock.advance(seconds=1)
    other = accepted(
        router.post(
            "/relationships",
            {"initiator": "shop", "responder": RESPONDER, "humotica": "About a MORTGAGE", "driver": "assistant"},
        ),
        201,
    )["id"]
    router.post(f"/relationships/{other}/close", {"closure_type": "incomplete"})
    for query, expected in (
        ({"state": "active"}, [plain]),
        ({"state": "closed"}, [other]),
        ({"driver": "assistant"}, [other]),
        ({"channel": "rest"}, [other, plain]),
        ({"channel": "slack"}, []),
        ({"party": INITIATOR}, [plain]),
        ({"party": RESPONDER}, [other, plain]),
        ({"party": "nobody"}, []),
        ({"owner": "bot"}, [other, plain]),
        ({"owner": "queue"}, []),
        ({"closure_type": "incomplete"}, [other]),
        ({"closure_type": "error"}, []),
        ({"flow": "none"}, []),
        ({"q": "mortgage"}, [other]),
        ({"q": "SHOP"}, [other]),
        ({"q": "%"}, []),
        ({"state": "closed", "party": INITIATOR}, []),
    ):
        assert ids(accepted(router.get("/relationships", **query))) == expected, query


@pytest.mark.parametrize(
    ("name", "value"),
    [("state", "open"), ("driver", "x"), ("owner", "me"), ("closure_type", "bored"), ("q", "a\0b"), ("party", "\0")],
)
def test_a_value_no_filter_knows_is_an_error_not_an_empty_list(router: Actor, name: str, value: str) -> None:
    problem = refused(router.get("/relationships", **{name: value}), 422, "invalid")
    assert problem["errors"][0]["field"] == name


def test_a_party_lists_its_own_conversations_only(router: Actor, initiator: Actor, opened: Opens) -> None:
    mine = opened().rpartition("/")[2]
    accepted(router.post("/relationships", {"initiator": "shop", "responder": "other"}), 201)
    assert ids(accepted(initiator.get("/relationships"))) == [mine]


def test_a_page_costs_the_same_however_many_rows_it_has(router: Actor, opened: Opens) -> None:
    def cost() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            accepted(router.get("/relationships"))
        return len(queries)

    def closed_and_continued() -> None:
        path = opened()
        router.post(f"{path}/close", {"closure_type": "completed"})
        accepted(router.post(f"{path}/followups"), 201)

    closed_and_continued()
    before = cost()
    for _ in range(3):
        closed_and_continued()
    assert cost() == before


def test_events_are_read_from_where_one_left_off(router: Actor, initiator: Actor, opened: Opens) -> None:
    path = opened()
    for name in "abcd":
        initiator.post(f"{path}/intents", {"intent": name})
    page = accepted(router.get(f"{path}/events", after_seq=1, limit=2))
    assert [event["seq"] for event in page["results"]] == [2, 3]
    assert page["head"]["seq"] == 5
    rest = accepted(router.get(f"{path}/events", cursor=page["next"]))
    assert [event["seq"] for event in rest["results"]] == [4, 5]
    assert rest["next"] is None
    assert set(rest["results"][0]) == {"seq", "type", "at", "actor", "payload", "prev_hash", "hash"}
