"""What an administrator can do to somebody's login."""

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from conversations.access import ADMINS, Person
from conversations.services import people
from conversations.views.acting import Done, act_view


def page_of(person_id: int) -> str:
    return reverse("console:settings_person", args=[person_id])


def set_roles(form: QueryDict, by: Person, person_id: int) -> Done:
    people.set_roles(person_id=person_id, roles=form.getlist("roles"), by=by)
    return Done(_("The roles are changed; they hold at once."), page_of(person_id))


def disable(form: QueryDict, by: Person, person_id: int) -> Done:
    people.disable(person_id=person_id, by=by)
    return Done(_("Disabled: logged out everywhere, and the keys open nothing."), page_of(person_id))


def enable(form: QueryDict, by: Person, person_id: int) -> Done:
    people.enable(person_id=person_id, by=by)
    return Done(_("Enabled again."), page_of(person_id))


def reset_two_factor(form: QueryDict, by: Person, person_id: int) -> Done:
    people.reset_two_factor(person_id=person_id, by=by)
    return Done(_("Two-factor login is reset; the next login sets it up anew."), page_of(person_id))


ACTS = {
    act.__name__: act_view(act.__name__, act, back=page_of, roles=ADMINS)
    for act in (set_roles, disable, enable, reset_two_factor)
}
