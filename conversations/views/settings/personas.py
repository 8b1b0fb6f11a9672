"""Personas: the voices of ours that answer in threads."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import ADMINS, EVERYBODY
from conversations.channel_forms import PersonaForm
from conversations.domain.errors import NotFoundError
from conversations.models import Persona
from conversations.selectors.threads import persona_named, personas
from conversations.services.personas import change_persona, create_persona
from conversations.views.settings.saving import found, saved, told

LIST = "console:settings_personas"


class PersonasView(View):
    roles = {"GET": EVERYBODY, "POST": ADMINS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(request, PersonaForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = PersonaForm(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            responder = form.responder()
            if saved(form, lambda: create_persona(handle=given["handle"], name=given["name"], responder=responder)):
                return told(request, _("%(name)s may answer from now on.") % {"name": given["handle"]}, LIST)
        return self.page(request, form, status=422)

    def page(self, request: HttpRequest, form: PersonaForm, *, status: int = 200) -> HttpResponse:
        context = {"title": _("Personas"), "personas": personas(), "form": form}
        return render(request, "console/settings/personas.html", context, status=status)


class PersonaView(View):
    roles = {"GET": EVERYBODY, "POST": ADMINS}

    def get(self, request: HttpRequest, handle: str) -> HttpResponse:
        persona = found(lambda: known(handle))
        return self.page(request, persona, PersonaForm.of(persona))

    def post(self, request: HttpRequest, handle: str) -> HttpResponse:
        persona = found(lambda: known(handle))
        form = PersonaForm({**request.POST.dict(), "handle": handle})
        if form.is_valid():
            name, responder = form.cleaned_data["name"], form.responder()
            if saved(form, lambda: change_persona(handle=handle, name=name, responder=responder)):
                return told(request, _("Saved."), LIST)
        return self.page(request, persona, form, status=422)

    def page(self, request: HttpRequest, persona: Persona, form: PersonaForm, *, status: int = 200) -> HttpResponse:
        form.fields["handle"].disabled = True
        context = {"title": persona.name, "persona": persona, "form": form}
        return render(request, "console/settings/persona.html", context, status=status)


def known(handle: str) -> Persona:
    persona = None if "\0" in handle else persona_named(handle)  # PostgreSQL refuses to look for a NUL
    if persona is None:
        raise NotFoundError("There is no such persona.")
    return persona
