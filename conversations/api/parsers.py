"""The API's bodies: strict JSON within the limit."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from conversations.domain.errors import ConversationError
from conversations.domain.strict_json import strict_json


class BodyTooLargeError(ConversationError):
    code = "body_too_large"
    status = 413
    title = "The body is too large"


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        encoding = (parser_context or {})["request"].headers.get("Content-Encoding", "identity")
        if encoding.lower() != "identity":
            raise UnsupportedMediaType(encoding, "A body is sent as it is, without a content encoding.")
        limit = settings.LASTWORD_BODY_LIMIT
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise BodyTooLargeError(f"A body has at most {limit} bytes.", limit=limit)
        return strict_json(raw)
