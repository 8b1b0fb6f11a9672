"""Named filters of the board: on the server, so that they follow a person to any browser, and nobody else."""

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import SavedView
from conversations.services.saved_views import MOST
from tests.console.conftest import sign_in

LIVE = "/admin/console/live"


def save(browser: Client, name: str, query: str = "") -> str:
    """What the page one is led to says."""
    page = browser.post(reverse("console:live_save_view"), {"name": name, "query": query}, follow=True)
    return str(page.content.decode())


def names(browser: Client) -> list[str]:
    return [view.name for view in browser.get(LIVE).context["views"]]


def test_a_view_is_there_in_another_browser_of_the_same_person_only(anna: Client, bert: Client) -> None:
    page = save(anna, "Queue", "owner=queue&sort=newest&page=3")
    assert 'href="?owner=queue&amp;sort=newest" aria-current="page"' in page, "it begins at its first page"
    elsewhere = Client()
    elsewhere.force_login(SavedView.objects.get().user)
    assert names(elsewhere) == ["Queue"]
    assert names(bert) == []


def test_saving_under_a_name_again_changes_the_view(anna: Client) -> None:
    save(anna, "Mine", "q=bank")
    save(anna, " Mine ", "q=gym&driver=flow")
    assert SavedView.objects.get().query == "q=gym&driver=flow"


def test_only_filters_the_board_knows_are_kept(anna: Client) -> None:
    save(anna, "Odd", "driver=nonsense&next=https://evil.example&sort=warned&q=%00a%26b")
    assert SavedView.objects.get().query == "q=a%26b"


@pytest.mark.parametrize("name", ["", "  ", "\0", "x" * 41])
def test_a_view_needs_a_name_of_some_length(anna: Client, name: str) -> None:
    assert "A name has 1 to 40 characters." in save(anna, name)
    assert not SavedView.objects.exists()


def test_thirty_are_enough_but_a_known_one_may_still_change(anna: Client) -> None:
    for number in range(MOST):
        save(anna, f"view {number}")
    assert "forget one first" in save(anna, "one more")
    save(anna, "view 0", "risk=at_risk")
    assert (SavedView.objects.count(), SavedView.objects.get(name="view 0").query) == (MOST, "risk=at_risk")


def test_the_longest_search_fits(anna: Client) -> None:
    save(anna, "Long", "q=" + "%F0%9F%98%80" * 300)
    assert SavedView.objects.get().query == "q=" + "%F0%9F%98%80" * 200


def test_only_its_owner_forgets_a_view(anna: Client, bert: Client) -> None:
    save(anna, "Mine")
    address = reverse("console:live_forget_view", args=[SavedView.objects.get().pk])
    assert "There is no such view any more." in bert.post(address, follow=True).content.decode()
    assert names(anna) == ["Mine"]
    anna.post(address)
    assert names(anna) == []


def test_a_name_is_shown_as_text(anna: Client) -> None:
    assert "&lt;b&gt;bold&lt;/b&gt;" in save(anna, "<b>bold</b>")


def test_who_is_gone_leaves_no_views(anna: Client) -> None:
    visitor = sign_in("gone", "viewer")
    save(visitor, "Mine")
    SavedView.objects.get().user.delete()
    assert not SavedView.objects.exists()
