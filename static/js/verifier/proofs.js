// The signed root, and how every event leads to it.
import { decoded, encoded, equal, sha256, signed, unbase64, unhex } from "./bytes.js";
import { key, must } from "./ledger.js";

export async function checkNote(bundle) {
  const name = bundle.noteName;
  const note = decoded(bundle.bytes(name));
  const blank = note.indexOf("\n\n");
  const text = note.slice(0, blank);
  const origin = text.split("\n")[0];
  const line = note.slice(blank + 2);
  const start = `— ${origin} `;
  if (blank < 0) {
    bundle.found(`${name}: not signed for this log by a trusted key`);
    return;
  }
  if (!line.startsWith(start) || !line.endsWith("\n")) {
    throw new TypeError("not a checkpoint note");
  }
  const raw = unbase64(line.slice(start.length, -1));
  let signer = "";
  for (const publicKey of bundle.trusted) {
    const id = (await sha256(encoded(`${origin}\n\x01`), unhex(publicKey))).subarray(0, 4);
    signer = equal(id, raw.subarray(0, 4)) ? publicKey : signer;
  }
  const isOurs = origin === must(bundle.document("keys.json"), "origin");
  if (!isOurs || !(await signed(signer, raw.subarray(4), encoded(`${text}\n`)))) {
    bundle.found(`${name}: not signed for this log by a trusted key`);
  }
}

export async function checkProofs(bundle) {
  const told = bundle.document("proofs.json");
  const lines = decoded(bundle.bytes(bundle.noteName)).split("\n");
  const root = unbase64(lines[2] ?? "");
  const size = /^\d+$/.test(lines[1]) ? Number(lines[1]) : NaN;
  if (must(told, "checkpoint") !== bundle.noteName || bundle.noteName !== `checkpoints/${size}.note`) {
    bundle.found("proofs.json: for another checkpoint");
  }
  const proofs = new Map(must(told, "leaves").map((proof) => [key(bundle.of(proof), must(proof, "seq")), proof]));
  for (const [event, hash] of bundle.hashes) {
    const name = `proofs.json, ${bundle.named(...JSON.parse(event))}`;
    const proof = proofs.get(event);
    if (!proof) {
      bundle.found(`${name}: no proof`);
      continue;
    }
    const reached = await climbed(unhex(hash), must(proof, "index"), size, must(proof, "path").map(unhex));
    if (!reached || !equal(reached, root)) {
      bundle.found(`${name}: the proof does not lead to the signed root`);
    }
  }
  for (const event of proofs.keys()) {
    if (!bundle.hashes.has(event)) {
      bundle.found(`proofs.json, ${bundle.named(...JSON.parse(event))}: no such event`);
    }
  }
}

/** The root an inclusion proof leads to (RFC 9162, 2.1.3.2). */
async function climbed(eventHash, index, size, path) {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) {
    return null;
  }
  let [position, last, found] = [index, size - 1, await sha256(Uint8Array.of(0), eventHash)];
  const half = (number) => Math.floor(number / 2);
  for (const sibling of path) {
    if (last === 0) {
      return null;
    }
    if (position % 2 || position === last) {
      found = await sha256(Uint8Array.of(1), sibling, found);
      while (position % 2 === 0 && position) {
        [position, last] = [half(position), half(last)];
      }
    } else {
      found = await sha256(Uint8Array.of(1), found, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 ? found : null;
}
