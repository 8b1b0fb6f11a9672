"""The look of the console."""

from django.http import HttpRequest
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _


def _link(title: str, icon: str, name: str) -> dict[str, object]:
    return {"title": title, "icon": icon, "link": reverse_lazy(name)}


def _is_home(request: HttpRequest) -> bool:
    """Every screen's address begins with Home's, which would mark Home on all of them."""
    return request.path == reverse("console:home")


def _may_audit(request: HttpRequest) -> bool:
    from conversations.access import AUDITORS, roles_of

    return bool(roles_of(request.user) & AUDITORS)


def _may_read_labelling(request: HttpRequest) -> bool:
    from conversations.access import AUDITORS, OPERATORS, roles_of

    return bool(roles_of(request.user) & (AUDITORS | OPERATORS))


UNFOLD = {
    "SITE_TITLE": "Lastword",
    "SITE_HEADER": "Lastword",
    "SITE_SUBHEADER": _("Every conversation has an end"),
    "SITE_SYMBOL": "forum",
    "SITE_URL": None,
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: "/static/img/icon.svg"},
    ],
    "STYLES": [
        lambda request: "/static/css/console.css",
        lambda request: "/static/css/settings.css",
        lambda request: "/static/css/identity.css",
        lambda request: "/static/css/metrics.css",
        lambda request: "/static/css/audit.css",
    ],
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "title": _("Work"),
                "items": [
                    {**_link(_("Home"), "home", "console:home"), "active": _is_home},
                    _link(_("Live"), "monitoring", "console:live"),
                    _link(_("Inbox"), "inbox", "console:inbox"),
                    _link(_("Flows"), "account_tree", "console:flows"),
                    _link(_("Metrics"), "bar_chart", "console:metrics"),
                    {**_link(_("Labelling"), "label", "console:labelling"), "permission": _may_read_labelling},
                    _link(_("Accuracy"), "query_stats", "console:accuracy"),
                    _link(_("Guards"), "shield", "console:guards"),
                    {**_link(_("Audit"), "verified_user", "console:audit"), "permission": _may_audit},
                    _link(_("Settings"), "settings", "console:settings"),
                ],
            },
        ],
    },
    "SHOW_LANGUAGES": True,
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
}
