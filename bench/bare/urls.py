"""One address, and the statements of an intent through the plain ORM: reads, a lock, writes."""

import os
import uuid

from django.db import transaction
from django.urls import path
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.models import ApiKey, IdempotencyRecord, Relationship

READS, WRITES = (int(os.environ[name]) for name in ("BENCH_READS", "BENCH_WRITES"))
KEY = ApiKey.objects.values_list("digest", flat=True).first()


class Bare(APIView):
    def post(self, request: Request) -> Response:
        now = timezone.now()
        for _ in range(READS - 1):
            ApiKey.objects.get(digest=KEY)
        with transaction.atomic():
            row = Relationship.objects.select_for_update().get(pk=request.data["row"])
            for _ in range(WRITES - 1):
                IdempotencyRecord.objects.create(caller="bench", key=uuid.uuid4().hex, fingerprint="", created_at=now)
            Relationship.objects.filter(pk=row.pk).update(last_activity_at=now, expires_at=now, head_seq=row.head_seq)
        return Response({"row": str(row.pk)}, status=201)


urlpatterns = [path("bare", Bare.as_view())]
