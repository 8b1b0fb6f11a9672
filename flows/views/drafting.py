"""What the page asks while a draft is written: checks with the drawing, talks, saving, scripts, exploring."""

from uuid import UUID

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from flows.api.representations import exploration_json, flow_json, script_json
from flows.api.schemas import SimulateBody
from flows.drawing import draw
from flows.engine.parsing import parse_text
from flows.engine.validation import validate_text
from flows.selectors.flows import flow_by
from flows.services.drafts import save_draft
from flows.services.exploration import exploration_by, latest_exploration, start_exploration
from flows.services.scripts import delete_script, failing_scripts, save_script
from flows.services.simulation import lines_of, simulated
from flows.views import bodies
from flows.views.base import EDITORS, READERS, PageCall, person


class CheckView(PageCall):
    """Findings and drawing of a text that need not even be JSON; writes nothing."""

    roles = {"POST": READERS}

    def post(self, request: Request, slug: str) -> Response:
        text = bodies.CheckBody.model_validate(request.data).text
        definition = parse_text(text).definition
        return Response({**validate_text(text).to_json(gettext), "drawing": draw(definition) if definition else None})


class TryView(PageCall):
    """A talk with the definition on the screen, from its beginning; writes nothing."""

    roles = {"POST": READERS}

    def post(self, request: Request, slug: str) -> Response:
        body = SimulateBody.model_validate(request.data)
        script = lines_of(line.model_dump() for line in body.script)
        return Response(simulated(body.definition or {}, script).to_json())


class SaveView(PageCall):
    roles = {"GET": READERS, "POST": EDITORS}

    def get(self, request: Request, slug: str) -> Response:
        return Response(flow_json(flow_by(slug)))

    def post(self, request: Request, slug: str) -> Response:
        body = bodies.DraftBody.model_validate(request.data)
        flow = save_draft(
            slug=slug,
            definition=body.definition,
            author=person(request),
            read_revision=body.revision,
            renames=True,
        )
        return Response(flow_json(flow))


class ScriptsView(PageCall):
    """Saved conversations, each with whether the stored draft still keeps it."""

    roles = {"GET": READERS, "POST": EDITORS, "DELETE": EDITORS}

    def get(self, request: Request, slug: str) -> Response:
        flow = flow_by(slug)
        failing = {failed["name"]: failed["found"] for failed in failing_scripts(flow, flow.draft)}
        return Response({"results": [script_json(each, failing.get(each.name)) for each in flow.scripts.all()]})

    def post(self, request: Request, slug: str) -> Response:
        body = bodies.ScriptBody.model_validate(request.data)
        script = [line.model_dump() for line in body.script]
        return Response(
            script_json(save_script(slug=slug, name=body.name, script=script, author=person(request)), None), status=201
        )

    def delete(self, request: Request, slug: str) -> Response:
        delete_script(slug=slug, name=bodies.NameBody.model_validate(request.data).name)
        return Response(status=204)


class ExploreView(PageCall):
    roles = {"GET": READERS, "POST": EDITORS}

    def get(self, request: Request, slug: str) -> Response:
        job = latest_exploration(slug)
        return Response({"latest": job and exploration_json(job)})

    def post(self, request: Request, slug: str) -> Response:
        return Response(exploration_json(start_exploration(slug=slug)), status=202)


class ExploreJobView(PageCall):
    roles = {"GET": READERS}

    def get(self, request: Request, slug: str, job_id: UUID) -> Response:
        return Response(exploration_json(exploration_by(slug, job_id)))
