"""`python -m config.serve`: one server process with the options Lastword relies on."""

import argparse
import contextlib
import os
import socket
import subprocess
import sys
from typing import Any

import uvicorn

from config import env


class AnnouncingServer(uvicorn.Server):
    """Says where it listens, once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets is None:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            print(f"Lastword is at http://{host}:{port}/ (Ctrl-C stops it)", flush=True)
            self.visitors = demo_visitors(f"http://{host}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if (visitors := getattr(self, "visitors", None)) is not None:
            visitors.terminate()
        await super().shutdown(sockets)


def demo_visitors(base_url: str) -> subprocess.Popen[bytes] | None:
    """Somebody to watch: a process of its own that talks through the public API, where the demo was loaded."""
    from django.conf import settings

    if not settings.LASTWORD_DEMO or not (settings.LASTWORD_DATA / "demo_key").exists():
        return None
    command = [sys.executable, "manage.py", "demo_visitors", base_url]
    return subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 our own command


def options() -> dict[str, Any]:
    """Uvicorn's options. Its access log is off: it would print query strings, tickets included."""
    proxies = env.words("LASTWORD_TRUSTED_PROXIES")
    return {
        "lifespan": "on",
        "loop": "uvloop",
        "http": "httptools",
        "ws": "websockets-sansio",
        # The sockets' own limit is far lower and is answered in words; this one only bounds memory.
        "ws_max_size": 1024 * 1024,
        # Compressing the same message again for every watcher costs more than the fan-out itself.
        "ws_per_message_deflate": False,
        "access_log": False,
        "log_config": None,
        "server_header": False,
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": proxies,
        "timeout_graceful_shutdown": env.integer("LASTWORD_GRACE_SECONDS", 10, low=1, high=600),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fd", type=int, help="an inherited listening socket instead of HOST and PORT")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    server = AnnouncingServer(
        uvicorn.Config(
            "config.asgi:application",
            host=env.text("HOST", "127.0.0.1"),
            port=env.integer("PORT", 8000, low=0, high=65535),
            **options(),
        )
    )
    # Uvicorn stops in good order on Ctrl-C and then raises it again, for whoever started it.
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=None if arguments.fd is None else [socket.socket(fileno=arguments.fd)])


if __name__ == "__main__":
    main()
