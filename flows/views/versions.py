"""What the page asks about versions: the list, publishing, going back, what differs."""

from rest_framework.request import Request
from rest_framework.response import Response

from flows.api.representations import version_json
from flows.api.schemas import RollbackBody
from flows.engine.diff import diff
from flows.selectors.flows import flow_by, version_by, versions_of
from flows.services.loading import readable
from flows.services.publishing import publish, rollback
from flows.views import bodies
from flows.views.base import EDITORS, READERS, PageCall, person


class VersionsView(PageCall):
    roles = {"GET": READERS}

    def get(self, request: Request, slug: str, version: int | None = None) -> Response:
        if version is not None:
            found = version_by(slug, version)
            return Response({**version_json(found), "definition": found.definition})
        return Response({"results": [version_json(each) for each in versions_of(flow_by(slug))]})


class PublishView(PageCall):
    roles = {"POST": EDITORS}

    def post(self, request: Request, slug: str) -> Response:
        body = bodies.PublishBody.model_validate(request.data)
        made = publish(slug=slug, author=person(request), note=body.note, read_revision=body.revision)
        return Response(version_json(made), status=201)


class RollbackView(PageCall):
    roles = {"POST": EDITORS}

    def post(self, request: Request, slug: str) -> Response:
        body = RollbackBody.model_validate(request.data)
        return Response(version_json(rollback(slug=slug, version=body.version, author=person(request))), status=201)


class DiffView(PageCall):
    """What changes from a version to another, or to the definition on the screen."""

    roles = {"POST": READERS}

    def post(self, request: Request, slug: str) -> Response:
        body = bodies.DiffBody.model_validate(request.data)
        old = version_by(slug, body.version).definition
        new = version_by(slug, body.other).definition if body.other else readable(body.definition)
        return Response(diff(old, new).to_json())
