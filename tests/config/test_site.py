"""Health, errors, headers and sessions around every page."""

import re
import time
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from config import health
from config.middleware.session_age import SIGNED_IN_AT


def fails(_request: HttpRequest) -> HttpResponse:
    raise ValueError("secret detail")


def forbids(_request: HttpRequest) -> HttpResponse:
    raise PermissionDenied("secret detail")


def suspects(_request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("secret detail")


FAILING = [path("fails", fails), path("forbids", forbids), path("suspects", suspects)]
urlpatterns = [path("api/", include(FAILING)), path("pages/", include(FAILING)), path("", include("config.urls"))]
handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"


@pytest.fixture
def site() -> Client:
    return Client(raise_request_exception=False)


class TestHealth:
    def test_a_running_process_is_healthy_without_a_database(self, site: Client) -> None:
        assert site.get("/healthz").json() == {"status": "ok"}

    @pytest.mark.django_db
    def test_ready_means_every_part_answered(self, site: Client) -> None:
        answer = site.get("/readyz")
        assert (answer.status_code, answer.json()["parts"]) == (200, ["database", "channel_layer", "broker"])

    @pytest.mark.django_db
    @pytest.mark.parametrize("part", health.PARTS)
    def test_a_part_that_does_not_answer_is_named(self, site: Client, monkeypatch: Any, part: str) -> None:
        def unreachable() -> None:
            raise ConnectionError("host and password")

        monkeypatch.setitem(health.PARTS, part, unreachable)
        answer = site.get("/readyz")
        assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
        assert (answer.json()["code"], answer.json()["failing"]) == ("not_ready", [part])
        assert b"password" not in answer.content

    def test_health_cannot_be_posted(self, site: Client) -> None:
        refused = Client(enforce_csrf_checks=True).post("/healthz")
        assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD")
        assert refused["Content-Type"] == "application/problem+json"
        assert refused.json()["code"] == "method_not_allowed"


@pytest.mark.urls("tests.config.test_site")
class TestErrors:
    @pytest.mark.parametrize(
        ("address", "status", "code"),
        [
            ("/api/fails", 500, "internal_error"),
            ("/api/forbids", 403, "forbidden"),
            ("/api/suspects", 400, "bad_request"),
            ("/api/v1/nothing", 404, "not_found"),
            ("/api", 404, "not_found"),
        ],
    )
    def test_a_program_gets_a_problem(self, site: Client, address: str, status: int, code: str) -> None:
        answer = site.get(address, headers={"Accept": "text/html"})
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
        assert answer.json()["code"] == code
        assert b"secret detail" not in answer.content

    @pytest.mark.parametrize("address", ["/pages/fails", "/pages/forbids", "/pages/suspects", "/nothing"])
    def test_a_person_gets_a_page_and_a_json_client_a_problem(self, site: Client, address: str) -> None:
        page = site.get(address, headers={"Accept": "text/html,*/*;q=0.8"})
        program = site.get(address, headers={"Accept": "application/json"})
        assert page["Content-Type"].startswith("text/html")
        assert program["Content-Type"] == "application/problem+json"
        assert page.status_code == program.status_code
        assert b"secret detail" not in page.content + program.content

    def test_a_post_without_a_slash_is_not_redirected(self, site: Client) -> None:
        assert site.post("/api/v1/nothing", "{}", content_type="application/json").status_code == 404

    def test_a_missing_csrf_token_is_a_problem_for_a_json_client(self) -> None:
        answer = Client(enforce_csrf_checks=True).post("/admin/login/", "{}", content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


class TestHeaders:
    def test_every_answer_has_a_request_id_and_a_policy(self, site: Client) -> None:
        for address in ("/healthz", "/api/v1/nothing", "/admin/login/"):
            answer = site.get(address)
            assert len(answer["X-Request-ID"]) == 32
            assert "script-src 'self'" in answer["Content-Security-Policy"]
            assert "unsafe-inline" not in answer["Content-Security-Policy"].partition("style-src")[0]

    def test_a_sensible_request_id_is_kept_and_another_replaced(self, site: Client) -> None:
        assert site.get("/healthz", headers={"X-Request-ID": "trace-1234.a"})["X-Request-ID"] == "trace-1234.a"
        assert site.get("/healthz", headers={"X-Request-ID": "a b\tc"})["X-Request-ID"] != "a b\tc"

    def test_the_start_page_leads_to_the_console(self, site: Client) -> None:
        for address in ("/", "/admin", "/admin/"):
            assert site.get(address)["Location"] == "/admin/console/"

    def test_a_page_names_its_icon_and_it_is_served(self, site: Client) -> None:
        [icon] = re.findall(r'<link rel="icon" href="([^"]+)"', site.get("/admin/login/").content.decode())
        assert site.get(icon)["Content-Type"] == "image/svg+xml"

    def test_static_files_are_served_without_a_build_step(self, site: Client) -> None:
        answer = site.get("/static/admin/css/base.css")
        assert answer.status_code == 200
        assert b"".join(answer)


@pytest.mark.django_db
class TestSessions:
    def test_a_login_ends_after_twelve_hours_however_busy(self, site: Client) -> None:
        site.force_login(get_user_model().objects.create_superuser("op"))
        assert site.get("/admin/console/").status_code == 200
        session = site.session
        session[SIGNED_IN_AT] = int(time.time()) - 12 * 3600 - 1
        session.save()
        assert "/admin/login/" in site.get("/admin/console/")["Location"]

    def test_a_disabled_user_is_out_at_once(self, site: Client) -> None:
        user = get_user_model().objects.create_superuser("op")
        site.force_login(user)
        assert site.get("/admin/console/").status_code == 200
        user.is_active = False
        user.save()
        assert "/admin/login/" in site.get("/admin/console/")["Location"]

    def test_a_session_idles_for_half_an_hour(self, site: Client) -> None:
        site.force_login(get_user_model().objects.create_superuser("op"))
        assert site.get("/admin/console/").cookies["sessionid"]["max-age"] == 30 * 60

    def test_a_forwarded_address_does_not_reset_the_login_throttle(self, site: Client) -> None:
        get_user_model().objects.create_superuser("op", password="right")
        for attempt in range(6):
            answer = site.post(
                "/admin/login/",
                {"username": "op", "password": "wrong"},
                headers={"X-Forwarded-For": f"203.0.113.{attempt}"},
            )
        assert answer.status_code == 429
        assert site.post("/admin/login/", {"username": "op", "password": "right"}).status_code == 429
