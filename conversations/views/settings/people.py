"""Users and roles: who can log in, and as what."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from conversations.access import ADMINS, OVERSEERS
from conversations.domain.errors import ConversationError, NotFoundError
from conversations.forms import PersonForm, RolesForm
from conversations.selectors.people import changes_of, keys_of, named_roles, people, person_by
from conversations.selectors.two_factor import two_factor_of
from conversations.services.people import create_person, password_link


class PeopleView(View):
    """Everybody, and a form for one more."""

    roles = {"GET": OVERSEERS, "POST": ADMINS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.shown(request, PersonForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = PersonForm(request.POST)
        if not form.is_valid():
            return self.shown(request, form, status=422)
        try:
            made = create_person(**form.cleaned_data, by=request.user)
        except ConversationError as refusal:
            form.add_error("username", refusal.detail)
            return self.shown(request, form, status=422)
        return redirect("console:settings_person", made.pk)

    def shown(self, request: HttpRequest, form: PersonForm, status: int = 200) -> HttpResponse:
        context = {"title": _("Users and roles"), "people": people(), "form": form}
        return render(request, "console/settings/people.html", context, status=status)


class PersonView(View):
    """One person: roles, second factor, keys, and what administrators changed."""

    roles = {"GET": OVERSEERS}

    def get(self, request: HttpRequest, person_id: int) -> HttpResponse:
        try:
            person = person_by(person_id)
        except NotFoundError as missing:
            raise Http404 from missing
        context = {
            "title": person.get_username(),
            "person": person,
            "form": RolesForm(initial={"roles": named_roles(person)}),
            "two_factor": two_factor_of(person),
            "keys": keys_of(person),
            "changes": changes_of(person),
            "is_yourself": person.pk == request.user.pk,
        }
        return render(request, "console/settings/person.html", context)


@method_decorator(never_cache, name="dispatch")
class PasswordLinkView(View):
    """A link for choosing a password, shown this once; the administrator never learns the password."""

    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, person_id: int) -> HttpResponse:
        try:
            person = person_by(person_id)
            who, token = password_link(person_id=person_id, by=request.user)
        except NotFoundError as missing:
            raise Http404 from missing
        link = request.build_absolute_uri(reverse("welcome", args=[who, token]))
        context = {"title": person.get_username(), "person": person, "link": link}
        return render(request, "console/settings/password_link.html", context)
