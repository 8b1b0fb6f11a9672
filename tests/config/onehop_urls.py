"""Views that show what the one-hop handler does with them."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from django.db import connection
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.urls import get_script_prefix, path
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt

gate = threading.Event()
entered = threading.Semaphore(0)
notes: list[str] = []


@csrf_exempt
def echo(request: HttpRequest) -> HttpResponse:
    return JsonResponse(
        {
            "method": request.method,
            "body": request.body.decode(),
            "query": request.GET.dict(),
            "scheme": request.scheme,
            "path_info": request.path_info,
            "prefix": get_script_prefix(),
            "agent": request.headers.get("User-Agent"),
            "address": request.META.get("REMOTE_ADDR"),
            "thread": threading.current_thread().name,
        }
    )


def cookies(request: HttpRequest) -> HttpResponse:
    response = HttpResponse("ok", headers={"X-Name": "grün"})
    response.set_cookie("one", "1", httponly=True)
    response.set_cookie("two", "2")
    return response


def fails(request: HttpRequest) -> HttpResponse:
    raise ValueError("secret detail")


def exits(request: HttpRequest) -> HttpResponse:
    raise SystemExit(3)


def waits(request: HttpRequest) -> HttpResponse:
    entered.release()
    gate.wait(10)
    notes.append("finished")
    return HttpResponse("waited")


def streams(request: HttpRequest) -> StreamingHttpResponse:
    def chunks() -> Iterator[bytes]:
        me = threading.current_thread().name
        try:
            for number in range(int(request.GET.get("n", "3"))):
                assert threading.current_thread().name == me
                yield f"{number};".encode()
                notes.append(f"after {number}")
        finally:
            notes.append("closed")

    return StreamingHttpResponse(chunks())


def breaks(request: HttpRequest) -> StreamingHttpResponse:
    def chunks() -> Iterator[bytes]:
        yield b"one"
        raise ValueError("in the middle")

    return StreamingHttpResponse(chunks())


def ticks(request: HttpRequest) -> StreamingHttpResponse:
    async def chunks() -> AsyncIterator[bytes]:
        try:
            for number in range(int(request.GET.get("n", "3"))):
                yield f"{number};".encode()
                await asyncio.sleep(0.01)
        finally:
            notes.append("closed")

    return StreamingHttpResponse(chunks())


def file(request: HttpRequest) -> FileResponse:
    return FileResponse(Path(__file__).open("rb"))


def speaks(request: HttpRequest) -> HttpResponse:
    before = translation.get_language()
    translation.activate(request.GET["language"])
    return HttpResponse(str(before))


def backend_pid(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if "seconds" in request.GET:
        time.sleep(float(request.GET["seconds"]))
    return HttpResponse(f"{threading.current_thread().name} {id(connection.connection)}")


def breaks_connection(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    return HttpResponse("unreachable")


urlpatterns = [
    path("echo", echo),
    path("cookies", cookies),
    path("fails", fails),
    path("exits", exits),
    path("waits", waits),
    path("streams", streams),
    path("breaks", breaks),
    path("ticks", ticks),
    path("file", file),
    path("speaks", speaks),
    path("backend", backend_pid),
    path("breaks-connection", breaks_connection),
]
