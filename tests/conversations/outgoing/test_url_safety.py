import socket
from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.outgoing.url_safety import MAX_URL, UnsafeUrl, address_problem, check_url, vetted_addresses

SPELLINGS_OF_THIS_MACHINE = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://127。0。0。1/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://127.255.255.254:8080/x?y#z",
    "http://[64:ff9b::7f00:1]/",
]

SPELLINGS_OF_THIS_NETWORK = [
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://192.168.257/",
    "http://0xc0a80101/",
    "http://100.64.0.1/",
    "http://[fd12::1]/",
    "http://[::ffff:10.0.0.1]/",
]

NEVER = [
    ("http://169.254.169.254/latest/meta-data/", "address_metadata"),
    ("http://2852039166/", "address_metadata"),
    ("http://[::ffff:169.254.169.254]/", "address_metadata"),
    ("http://[64:ff9b::a9fe:a9fe]/", "address_metadata"),
    ("http://168.63.129.16/", "address_metadata"),
    ("http://100.100.100.200/", "address_metadata"),
    ("http://[fd00:ec2::254]/", "address_metadata"),
    ("http://169.254.1.1/", "address_link_local"),
    ("http://[fe80::1]/", "address_link_local"),
    ("http://224.0.0.1/", "address_multicast"),
    ("http://[ff02::1]/", "address_multicast"),
    ("http://0/", "address_reserved"),
    ("http://0.0.0.0/", "address_reserved"),
    ("http://[::]/", "address_reserved"),
    ("http://255.255.255.255/", "address_reserved"),
    ("http://240.0.0.1/", "address_reserved"),
    ("http://192.0.2.1/", "address_reserved"),
    ("http://[::7f00:1]/", "address_reserved"),
    ("http://[2002:7f00:1::]/", "address_reserved"),
    ("http://[2001:0:7f00:1::]/", "address_reserved"),
    ("http://[64:ff9b:1::7f00:1]/", "address_reserved"),
    ("http://[fec0::1]/", "address_reserved"),
    ("http://good.example@127.0.0.1/", "url_userinfo"),
    ("http://good.example\\@127.0.0.1/", "url_userinfo"),
    ("http://user:password@example.com/", "url_userinfo"),
    ("ftp://example.com/", "url_scheme"),
    ("file:///etc/passwd", "url_scheme"),
    ("gopher://example.com/", "url_scheme"),
    ("//example.com/", "url_scheme"),
    ("example.com", "url_scheme"),
    ("", "url_scheme"),
    ("http:///path", "url_invalid"),
    ("http://0177.0.0.1/", "url_invalid"),
    ("http://", "url_invalid"),
    ("http://%31%32%37.0.0.1/", "url_invalid"),
    ("http://127.0.0.1%00.example.com/", "url_invalid"),
    ("http://[fe80::1%25eth0]/", "url_invalid"),
    ("http://exa mple.com/", "url_invalid"),
    ("http://example.com:99999/", "url_invalid"),
    ("http://example.com:0/", "url_invalid"),
    ("http://example.com\r\nHost: x/", "url_invalid"),
    ("http://" + "a" * MAX_URL + ".com/", "url_too_long"),
]


def refusal(url, *, allow_private=False):
    with pytest.raises(UnsafeUrl) as refused:
        check_url(url, allow_private=allow_private)
    return refused.value.code


@pytest.mark.parametrize("url", SPELLINGS_OF_THIS_MACHINE)
def test_no_spelling_of_this_machine_is_reached_unless_allowed(url):
    assert refusal(url) == "address_loopback"
    assert check_url(url, allow_private=True).host


@pytest.mark.parametrize("url", SPELLINGS_OF_THIS_NETWORK)
def test_no_spelling_of_the_own_network_is_reached_unless_allowed(url):
    assert refusal(url) == "address_private"
    assert check_url(url, allow_private=True).host


@pytest.mark.parametrize(("url", "code"), NEVER)
def test_some_places_are_refused_even_where_private_ones_are_allowed(url, code):
    assert refusal(url, allow_private=True) == code


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/hook?x=1",
        "http://8.8.8.8:8080/",
        "https://[2606:4700::1111]/",
        "https://例え.jp/",
        "http://localhost.example.com/",
    ],
)
def test_public_places_are_fine(url):
    assert str(check_url(url, allow_private=False).host)


@given(st.ip_addresses(v=4))
def test_an_address_wrapped_into_ipv6_is_judged_as_itself(address):
    for wrapped in (f"::ffff:{address}", f"64:ff9b::{address}"):
        for allowed in (True, False):
            problem = address_problem(ip_address(wrapped), allow_private=allowed)
            assert problem == address_problem(address, allow_private=allowed)


@given(st.ip_addresses())
def test_what_is_not_global_is_never_reached_by_default(address):
    if not address.is_global and getattr(address, "ipv4_mapped", None) is None:
        nat64 = str(address).startswith("64:ff9b::")
        assert nat64 or address_problem(address, allow_private=False) is not None


@given(st.ip_addresses(v=4))
def test_every_spelling_of_an_address_gets_the_verdict_of_the_address(address):
    number = int(IPv4Address(address))
    expected = address_problem(address, allow_private=False)
    for host in (str(number), hex(number), "0" + oct(number)[2:]):
        try:
            check_url(f"http://{host}/", allow_private=False)
        except UnsafeUrl as refused:
            assert refused.code == expected
        else:
            assert expected is None


def answering(*addresses):
    return lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in addresses]


def test_a_name_is_judged_by_what_it_resolves_to():
    with pytest.raises(UnsafeUrl) as refused:
        vetted_addresses("innocent.example", 80, allow_private=False, resolve=answering("10.0.0.7"))
    assert refused.value.code == "address_private"
    assert vetted_addresses("fine.example", 80, allow_private=False, resolve=answering("8.8.8.8")) == ["8.8.8.8"]


def test_one_unfit_answer_among_fit_ones_spoils_them_all():
    mixed = answering("8.8.8.8", "127.0.0.1")
    with pytest.raises(UnsafeUrl):
        vetted_addresses("mixed.example", 80, allow_private=False, resolve=mixed)


def test_the_systems_own_reading_of_odd_spellings_is_judged_too():
    with pytest.raises(UnsafeUrl):
        vetted_addresses("0x7f.1", 80, allow_private=False)
