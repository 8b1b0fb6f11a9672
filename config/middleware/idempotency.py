"""`Idempotency-Key` on any POST of the API: one middleware, so that no view can forget it."""

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import Throttled

from config.problem_json import CONTENT_TYPE, encoded
from config.problems import CODES, described
from conversations.api.throttling import wait_after_request
from conversations.selectors.api_keys import active_key, bearer_of
from conversations.services.idempotency import IdempotencyMismatchError, StoredAnswer, answered_once, digest

API = "/api/v1/"
MAX_KEY = 200
FORBIDDEN = 403


class IdempotencyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = request.headers.get("Idempotency-Key")
        if not key or request.method != "POST" or not request.path.startswith(API):
            return self.get_response(request)
        try:
            return self.answer_once(request, key)
        except RequestDataTooBig:
            return self.get_response(request)  # the view refuses such a body in its own words
        except (IdempotencyMismatchError, OperationalError, Throttled) as problem:
            told, headers = described(problem)
            return HttpResponse(encoded(told), status=told["status"], content_type=CONTENT_TYPE, headers=headers)

    def answer_once(self, request: HttpRequest, key: str) -> HttpResponse:
        authorization = request.headers.get("Authorization", "")
        made: list[HttpResponse] = []

        def work() -> StoredAnswer:
            response = self.get_response(request)
            made.append(response)
            return StoredAnswer(
                response.status_code,
                response.headers["Content-Type"],
                response.content.decode(),
                ruled=response.status_code == FORBIDDEN and getattr(response, "data", {})["code"] != CODES[FORBIDDEN],
            )

        answer = answered_once(
            caller=digest(authorization),
            key=key if len(key) <= MAX_KEY else digest(key),
            fingerprint=digest(f"{request.path}\n".encode() + request.body),
            work=work,
        )
        if not answer.replayed:
            return made[0]
        # a stored answer is no way around the door: the key may be revoked since, and each replay counts as a request
        caller = active_key(bearer_of(authorization))
        if caller is None:
            return self.get_response(request)
        if (seconds := wait_after_request(caller)) is not None:
            raise Throttled(seconds)
        replay = HttpResponse(answer.body, status=answer.status, content_type=answer.content_type)
        replay.headers["Idempotent-Replayed"] = "true"
        return replay
