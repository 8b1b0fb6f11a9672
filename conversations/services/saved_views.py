"""Filters of the Live board that somebody keeps under a name; each person has their own."""

from django.utils.translation import gettext as _

from conversations.domain.errors import InvalidTermsError, NotFoundError
from conversations.models import SavedView
from conversations.selectors.board import BoardQuery

MOST = 30
LONGEST_NAME = 40


def save_view(*, user_id: int, name: str, query: BoardQuery) -> SavedView:
    """A new view, or other filters for the one of that name."""
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidTermsError(field="name", code="required", message=_("A name has 1 to 40 characters."))
    others = SavedView.objects.filter(user_id=user_id).exclude(name=name)
    if others.count() >= MOST:
        raise InvalidTermsError(field="name", code="too_many", message=_("You have 30 views; forget one first."))
    saved, _made = SavedView.objects.update_or_create(user_id=user_id, name=name, defaults={"query": query.address()})
    return saved


def forget_view(*, user_id: int, view_id: int) -> None:
    if not SavedView.objects.filter(user_id=user_id, pk=view_id).delete()[0]:
        raise NotFoundError(_("There is no such view any more."))
