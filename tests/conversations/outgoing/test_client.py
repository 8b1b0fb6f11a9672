import socket
import ssl
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from conversations.outgoing.client import AnswerTooLarge, post_bounded, safe_client
from conversations.outgoing.url_safety import UnsafeUrl
from tests.conversations.outgoing.http_server import http_server


@pytest.fixture
def endpoint():
    with http_server() as running:
        yield running


def post(client, url, *, max_bytes=1000):
    return post_bounded(client, url, content=b"{}", headers={}, max_bytes=max_bytes)


class Resolver:
    """Answers like getaddrinfo, one prepared address a call."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __call__(self, host, port, **_):
        self.asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (self.answers.pop(0), port))]


def test_it_answers_with_status_and_body(endpoint):
    endpoint.status, endpoint.body = 201, b"made"
    with safe_client(allow_private=True) as client:
        answer = post(client, endpoint.url)
    assert (answer.status, answer.body) == (201, b"made")
    assert endpoint.received[0].path == "/agent"


def test_a_private_address_is_refused_and_nothing_is_sent(endpoint):
    with safe_client(allow_private=False) as client, pytest.raises(UnsafeUrl):
        post(client, endpoint.url)
    assert endpoint.received == []


def test_a_name_that_resolves_to_a_private_address_is_refused_and_nothing_is_sent(endpoint):
    resolver = Resolver("127.0.0.1")
    with safe_client(allow_private=False, resolve=resolver) as client, pytest.raises(UnsafeUrl):
        post(client, f"http://innocent.example:{endpoint.port}/")
    assert endpoint.received == []


def test_the_address_that_was_judged_is_the_one_connected_to(endpoint):
    rebinding = Resolver("127.0.0.1", "10.255.255.1")
    with safe_client(allow_private=True, resolve=rebinding) as client:
        post(client, f"http://agent.example:{endpoint.port}/")
    assert rebinding.asked == ["agent.example"]
    assert endpoint.received[0].headers["Host"] == f"agent.example:{endpoint.port}"


def test_every_request_is_judged_anew(endpoint):
    rebinding = Resolver("127.0.0.1", "169.254.169.254")
    with safe_client(allow_private=True, resolve=rebinding) as client:
        post(client, f"http://agent.example:{endpoint.port}/")
        with pytest.raises(UnsafeUrl):
            post(client, f"http://agent.example:{endpoint.port}/")
    assert len(endpoint.received) == 1


def test_a_redirect_is_an_answer_not_an_order(endpoint):
    endpoint.status, endpoint.headers = 302, {"Location": "http://169.254.169.254/"}
    with safe_client(allow_private=True) as client:
        assert post(client, endpoint.url).status == 302
    assert len(endpoint.received) == 1


def test_proxy_variables_are_not_obeyed(endpoint, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with safe_client(allow_private=True) as client:
        assert post(client, endpoint.url).status == 200


def test_an_answer_beyond_the_limit_is_dropped(endpoint):
    endpoint.body = b"x" * 1001
    with safe_client(allow_private=True) as client, pytest.raises(AnswerTooLarge):
        post(client, endpoint.url, max_bytes=1000)


def test_compression_is_neither_asked_for_nor_undone(endpoint):
    endpoint.headers, endpoint.body = {"Content-Encoding": "gzip"}, b"not gzip at all"
    with safe_client(allow_private=True) as client:
        assert post(client, endpoint.url).body == b"not gzip at all"
    assert endpoint.received[0].headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("trouble", [{"delay": 20.0}, {"drip": 0.05, "body": b"x" * 900}, {"drip_headers": 0.05}])
def test_the_whole_request_ends_in_time_however_busily_the_answer_drips(endpoint, trouble):
    for name, value in trouble.items():
        setattr(endpoint, name, value)
    with safe_client(allow_private=True, timeout_seconds=0.4) as client, pytest.raises(httpx.TimeoutException):
        post(client, endpoint.url)


def test_nobody_listening_or_no_such_name_is_a_transport_error():
    def unknown(*_, **__):
        raise socket.gaierror("unknown")

    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        with safe_client(allow_private=True) as client, pytest.raises(httpx.TransportError):
            post(client, f"http://127.0.0.1:{reserved.getsockname()[1]}/")
    with safe_client(allow_private=True, resolve=unknown) as client, pytest.raises(httpx.TransportError):
        post(client, "http://nowhere.example/")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for agent.example, as (server context, client context)."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "agent.example")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("agent.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    pem = signed.public_bytes(serialization.Encoding.PEM)
    plain = serialization.NoEncryption()
    path.write_bytes(pem + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    return server, ssl.create_default_context(cadata=pem.decode())


def test_tls_is_checked_against_the_name_although_the_address_is_pinned(certificate):
    server, trusting = certificate
    with http_server(tls=server) as endpoint:
        resolver = Resolver("127.0.0.1")
        with safe_client(allow_private=True, resolve=resolver, ssl_context=trusting) as client:
            assert post(client, f"https://agent.example:{endpoint.port}/").status == 200
        assert endpoint.server_names == ["agent.example"]
        impostor = Resolver("127.0.0.1")
        with (
            safe_client(allow_private=True, resolve=impostor, ssl_context=trusting) as client,
            pytest.raises(httpx.TransportError),
        ):
            post(client, f"https://bank.example:{endpoint.port}/")
        assert len(endpoint.received) == 1
