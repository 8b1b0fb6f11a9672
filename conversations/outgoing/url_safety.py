"""Which addresses we may be sent to: not our own machine, not our own network, not a cloud's metadata.

A URL is checked twice. `check_url` judges what can be seen without asking anybody, for the form in which it
is typed. `vetted_addresses` resolves and judges at the moment of connecting, and its answer is what is
connected to, so that a name which resolves differently a moment later gains nothing.
"""

import re
import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import httpx

Address = IPv4Address | IPv6Address
Resolve = Callable[..., list[Any]]
"""`socket.getaddrinfo` or something that answers like it."""

MAX_URL = 2_000
_HOST = re.compile(rb"[A-Za-z0-9._:-]+")
_PRIVATE = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")))
# Clouds answer with credentials here; some of these lie in ranges that look public or merely private.
_METADATA = frozenset(
    map(ip_address, ("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"))
)
_NAT64 = ip_network("64:ff9b::/96")
_IPV6_UNICAST = ip_network("2000::/3")
_TUNNELS = tuple(map(ip_network, ("2002::/16", "2001::/32")))


class UnsafeUrl(Exception):
    """We do not send there; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def check_url(url: str, *, allow_private: bool) -> httpx.URL:
    """The parsed URL, unless it can be refused without resolving its host. Raises `UnsafeUrl`."""
    try:
        # The parser of the client that will use it: two parsers could disagree about the host.
        parsed = httpx.URL(url[: MAX_URL + 1])
    except (httpx.InvalidURL, ValueError) as error:
        raise UnsafeUrl("url_invalid", "This is no valid URL.") from error
    if len(url) > MAX_URL:
        raise UnsafeUrl("url_too_long", f"A URL has at most {MAX_URL} characters.")
    if parsed.scheme not in ("http", "https"):
        raise UnsafeUrl("url_scheme", "Only http and https URLs are allowed.")
    if parsed.userinfo:
        raise UnsafeUrl("url_userinfo", "A URL may not carry a user name or password.")
    if not _HOST.fullmatch(parsed.raw_host):
        raise UnsafeUrl("url_invalid", "The URL names no host.")
    if parsed.port is not None and not 0 < parsed.port < 65_536:
        raise UnsafeUrl("url_invalid", "The URL's port does not exist.")
    name = parsed.host.rstrip(".").casefold()
    if not allow_private and (name == "localhost" or name.endswith(".localhost")):
        raise UnsafeUrl("address_loopback", "The URL points at this machine.")
    literal = _literal(parsed.host)
    if literal is not None:
        _refuse_unsafe(literal, allow_private=allow_private)
    return parsed


def vetted_addresses(host: str, port: int, *, allow_private: bool, resolve: Resolve = socket.getaddrinfo) -> list[str]:
    """The addresses `host` has now, all of them fit to connect to. Raises `UnsafeUrl` or `OSError`."""
    try:
        answers = resolve(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError("the host name cannot be resolved") from error
    addresses = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
    for address in addresses:
        # One unfit answer spoils all: which one gets used must not be a matter of luck.
        _refuse_unsafe(ip_address(address), allow_private=allow_private)
    return addresses


def address_problem(address: Address, *, allow_private: bool) -> str | None:
    """The code under which the address is refused, or None."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return address_problem(address.ipv4_mapped, allow_private=allow_private)
        if address in _NAT64:
            return address_problem(IPv4Address(int(address) & 0xFFFFFFFF), allow_private=allow_private)
    if address in _METADATA:
        return "address_metadata"
    if address.is_loopback:
        return None if allow_private else "address_loopback"
    if any(address in network for network in _PRIVATE):
        return None if allow_private else "address_private"
    if address.is_link_local:
        return "address_link_local"
    if address.is_multicast:
        return "address_multicast"
    if not address.is_global or address.is_reserved:
        return "address_reserved"
    # `is_global` lets site-local, translated and tunnelled addresses pass, which lead anywhere.
    if address.version == 6 and (address not in _IPV6_UNICAST or any(address in net for net in _TUNNELS)):
        return "address_reserved"
    return None


def _refuse_unsafe(address: Address, *, allow_private: bool) -> None:
    problem = address_problem(address, allow_private=allow_private)
    if problem:
        raise UnsafeUrl(problem, "The URL points at an address that requests are not sent to.")


def _literal(host: str) -> Address | None:
    """The address a host spells out, also as 127.1, 0x7f000001, 2130706433 or 0177.0.0.1."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None
