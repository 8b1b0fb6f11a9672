"""`verify` asks the server and believes it only as far as this side's own check goes."""

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import httpx
import lastword_client as sdk
import pytest
from lastword_client import LastwordClient, Receipt, verify_command
from verify_bundle import problems

from tests.client.test_sdk_chain import R, chain
from tests.client.wire import Wire, answer, result_of
from tests.live_server import LiveServer

ODD_TEXT = "line\u2028separator \u0085 and \r\n more"


def zipped(**files: list[dict[str, Any]]) -> httpx.Response:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, records in files.items():
            lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
            archive.writestr(f"{name}.jsonl", "".join(lines))
    return httpx.Response(200, content=buffer.getvalue())


def honest_answers(*payloads: dict[str, Any]) -> list[httpx.Response]:
    """What a server with nothing to hide answers to the three questions of a verification."""
    events, sealed = chain(*payloads)
    head = {"seq": events[-1].seq, "hash": events[-1].hash}
    return [
        answer({"ok": True, "events": len(events), "head": head, "first_bad_seq": None, "reason": None}),
        answer({"results": [dict(event.raw) for event in events], "head": head}),
        zipped(
            events=[{"seq": seq, "hash": "", "header": seal.header} for seq, seal in sealed.items()],
            payloads=[
                {"seq": seq, "text": seal.text, "salt": (seal.salt or b"").hex()} for seq, seal in sealed.items()
            ],
        ),
    ]


async def test_an_honest_server_is_confirmed(wire: Wire) -> None:
    client = wire.client(*honest_answers({"intent": "a"}, {"note": ODD_TEXT}))
    verified = await result_of(client.verify(R))
    assert verified.ok
    assert (verified.local.events, verified.local.rehashed) == (2, 2)
    assert verified.first_bad_seq is verified.reason is None
    assert [request.url.path.rsplit("/", 1)[1] for request in wire.requests] == ["verify", "events", "export"]


async def test_a_server_that_rewrote_its_history_is_convicted_by_a_kept_receipt(wire: Wire) -> None:
    kept = sdk.ReceiptBook([Receipt(R, 2, "what it was then")])
    verified = await result_of(wire.client(*honest_answers({}, {}, {}), receipts=kept).verify(R))
    assert verified.server.ok
    assert not verified.ok
    assert verified.first_bad_seq == 2
    assert "receipt" in str(verified.reason)


async def test_a_server_that_admits_a_flaw_is_believed(wire: Wire) -> None:
    _, events, bundle = honest_answers({}, {})
    admitted = answer({"ok": False, "events": 2, "head": None, "first_bad_seq": 2, "reason": "payload edited"})
    verified = await result_of(wire.client(admitted, events, bundle).verify(R))
    assert verified.local.ok
    assert (verified.ok, verified.first_bad_seq, verified.reason) == (False, 2, "payload edited")


@pytest.mark.parametrize("export", [httpx.Response(200, content=b"no zip"), zipped(other=[]), zipped(events=[{}])])
async def test_an_export_that_is_no_bundle_is_an_unexpected_answer(wire: Wire, export: httpx.Response) -> None:
    verdict, events, _ = honest_answers({})
    with pytest.raises(sdk.UnexpectedAnswer):
        await result_of(wire.client(verdict, events, export).verify(R))


def test_a_live_chain_is_verified_on_both_sides(bank: LastwordClient, customer: LastwordClient) -> None:
    fir_a = bank.init_relationship("bank", "customer", context={"note": ODD_TEXT})
    bank.send_intent(fir_a.id, "advice", {"note": ODD_TEXT})
    customer.send_response(fir_a.id, "accepted")
    bank.close_conversation(fir_a.id, "completed")
    verified = bank.verify(fir_a.id)
    assert verified.ok, verified.reason
    assert (verified.local.events, verified.local.rehashed, verified.local.receipts) == (4, 4, 4)


async def test_a_live_bundle_is_sound_offline(server: LiveServer) -> None:
    async with sdk.AsyncLastwordClient(server.url, server.key("router"), sender="bank") as bank:
        fir_a = await bank.init_relationship("bank", "customer")
        await bank.send_intent(fir_a.id, "advice", {"note": ODD_TEXT})
        bundle = await bank.export(fir_a.id)
        assert (await bank.verify(fir_a.id)).ok
    assert problems(bundle) == []


def test_the_command_without_its_dependency_does_not_call_a_bundle_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    monkeypatch.delitem(sys.modules, "verify_bundle")
    assert verify_command.main() == 2
    assert "lastword-client[verify]" in capsys.readouterr().err


def test_the_command_is_the_verifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no zip")
    monkeypatch.setattr(sys, "argv", ["lastword-verify", str(broken)])
    assert verify_command.main() == 1


def test_a_participant_verifies_its_own_chain_by_links_and_receipts(server: LiveServer, router: LastwordClient) -> None:
    person = {"base_url": f"{server.url}/api/v1", "headers": {"Authorization": f"Bearer {server.key('operator')}"}}
    with (
        LastwordClient(server.url, server.key("participant", "bank")) as bank,
        httpx.Client(**person) as operator,
    ):
        opened = router.init_relationship("bank", "customer")
        bank.send_intent(opened.id, "identify")
        taken = operator.post(f"/relationships/{opened.id}/takeover", json={"reason": "a look"}).json()
        operator.post(f"/handoffs/{taken['id']}/note", json={"text": "between us"}).raise_for_status()
        verified = bank.verify(opened.id)
        assert verified.ok
        assert (verified.server, verified.local.events, verified.local.receipts) == (None, 5, 1)
        [note] = [event for event in bank.events(opened.id) if event.type == "operator_noted"]
        assert (note.payload, note.withheld) == (None, True)


async def test_a_participant_convicts_a_server_by_its_receipt(wire: Wire) -> None:
    _, chain_shown, _ = honest_answers({}, {}, {})
    problem = {
        "code": "forbidden",
        "status": 403,
        "title": "No",
        "detail": "No",
        "type": "urn:lastword:problem:forbidden",
    }
    kept = sdk.ReceiptBook([Receipt(R, 2, "what it was then")])
    verified = await result_of(wire.client(httpx.Response(403, json=problem), chain_shown, receipts=kept).verify(R))
    assert not verified.ok
    assert verified.first_bad_seq == 2
