// The rules of the ledger, told a second time: what Python's verifier says, this must find on its own.
import { decoded, encoded, hex, hmac, joined, sha256, signed, unhex } from "./bytes.js";

const FORMATS = ["lastword-bundle/1", "lastword-bundle/2"];
const GENESIS = "0".repeat(64);

/** The value of a name that must be there. */
export function must(record, name) {
  if (record === null || typeof record !== "object" || !Object.hasOwn(record, name)) {
    throw new TypeError(`without ${name}`);
  }
  return record[name];
}

/** What the checks share: the files, and what they learn on their way. */
export class Bundle {
  constructor(files) {
    this.files = files;
    this.trusted = [];
    this.hashes = new Map();
    this.headers = new Map();
    this.problems = [];
  }

  bytes(name) {
    if (!this.files.has(name)) {
      throw new TypeError(`no ${name}`);
    }
    return this.files.get(name);
  }

  document(name) {
    return JSON.parse(decoded(this.bytes(name)));
  }

  get manifest() {
    this.readManifest ??= this.document("manifest.json");
    return this.readManifest;
  }

  *records(name) {
    const lines = decoded(this.bytes(name)).split(/\r\n|\n|\r/);
    if (lines.at(-1) === "") {
      lines.pop();
    }
    for (const [number, line] of lines.entries()) {
      yield [number + 1, JSON.parse(line)];
    }
  }

  /** The conversation a record of this bundle is about; a bundle of one does not repeat it. */
  of(record) {
    return record.relationship ?? must(this.manifest, "relationship");
  }

  get noteName() {
    return [...this.files.keys()].find((name) => name.startsWith("checkpoints/")) ?? "checkpoints/";
  }

  found(line) {
    this.problems.push(line);
  }

  /** How an event is named: with its conversation, where there is more than one. */
  named(relationship, seq) {
    return this.manifest.format === FORMATS[1] ? `event ${seq} of ${relationship}` : `event ${seq}`;
  }
}

/** An event's name among the events of all conversations. */
export const key = (relationship, seq) => JSON.stringify([relationship, seq]);

export async function checkManifest(bundle, pinned) {
  const manifest = bundle.manifest;
  if (pinned && must(manifest, "public_key") !== pinned.toLowerCase()) {
    bundle.found("manifest.json: signed by another key than the pinned one");
  }
  const signature = signatureIn(bundle);
  const message = joined(encoded("lastword:bundle:v1\n"), bundle.bytes("manifest.json"));
  if (!(await signed(must(manifest, "public_key"), signature, message))) {
    bundle.found("manifest.json, manifest.sig: the signature does not fit");
  }
  if (!FORMATS.includes(must(manifest, "format"))) {
    bundle.found(`manifest.json: not of format ${FORMATS.join(" or ")}`);
  }
  const listed = must(manifest, "files");
  const names = new Set([...Object.keys(listed), ...bundle.files.keys()]);
  for (const name of [...names].sort()) {
    if (name === "manifest.json" || name === "manifest.sig") {
      continue;
    }
    if (!Object.hasOwn(listed, name) || !bundle.files.has(name)) {
      bundle.found(`${name}: ${Object.hasOwn(listed, name) ? "missing" : "not in the manifest"}`);
    } else if (hex(await sha256(bundle.bytes(name))) !== listed[name]) {
      bundle.found(`${name}: not the file the manifest lists`);
    }
  }
}

/** The signature in the one spelling it has; nothing where it is spelt otherwise. */
function signatureIn(bundle) {
  try {
    const text = decoded(bundle.bytes("manifest.sig"));
    const raw = unhex(text.slice(0, -1));
    return text === `${hex(raw)}\n` ? raw : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}

export async function checkKeys(bundle) {
  const told = bundle.document("keys.json");
  bundle.trusted = [must(bundle.manifest, "public_key")];
  const known = new Map(must(told, "keys").map((one) => [must(one, "public_key"), one]));
  for (;;) {
    const retired = [...known.values()].find((one) => must(one, "successor") === bundle.trusted.at(-1));
    if (!retired) {
      break;
    }
    const message = joined(encoded("lastword:key:v1\n"), unhex(retired.public_key));
    if (bundle.trusted.includes(retired.public_key) || !(await signed(bundle.trusted.at(-1), unhex(must(retired, "voucher")), message))) {
      bundle.found(`keys.json: nobody vouches for key ${retired.public_key.slice(0, 16)}`);
      return;
    }
    bundle.trusted.push(retired.public_key);
  }
  const log = hex(await sha256(encoded("lastword:log:v1\n"), unhex(bundle.trusted.at(-1)))).slice(0, 16);
  if (must(told, "origin") !== `lastword/${log}`) {
    bundle.found("keys.json: the log is not named after its first key");
  }
  for (const publicKey of known.keys()) {
    if (!bundle.trusted.includes(publicKey)) {
      bundle.found(`keys.json: nobody vouches for key ${publicKey.slice(0, 16)}`);
    }
  }
}

export async function checkEvents(bundle) {
  const manifest = bundle.manifest;
  const named = manifest.relationships?.length ? manifest.relationships : [must(manifest, "relationship")];
  const heads = new Map(named.map((relationship) => [relationship, { seq: 0, hash: GENESIS }]));
  for (const [number, record] of bundle.records("events.jsonl")) {
    const text = must(record, "header");
    const header = JSON.parse(text);
    const relationship = must(header, "relationship");
    const seq = must(record, "seq");
    const name = `events.jsonl, line ${number}, ${bundle.named(relationship, seq)}`;
    const before = heads.get(relationship) ?? { seq: 0, hash: GENESIS };
    if (hex(await sha256(encoded("lastword:event:v1\n"), encoded(text))) !== must(record, "hash")) {
      bundle.found(`${name}: the header is not what was hashed`);
    }
    if (must(header, "seq") !== seq || seq !== before.seq + 1) {
      bundle.found(`${name}: out of sequence, ${before.seq + 1} was due`);
    }
    if (must(header, "prev") !== before.hash) {
      bundle.found(`${name}: does not continue the event before it`);
    }
    if (!named.includes(relationship)) {
      bundle.found(`${name}: belongs to another conversation`);
    }
    heads.set(relationship, { seq, hash: record.hash });
    bundle.hashes.set(key(relationship, seq), record.hash);
    bundle.headers.set(key(relationship, seq), header);
  }
  if (bundle.headers.size !== must(manifest, "events")) {
    bundle.found(`events.jsonl: ${bundle.headers.size} events, the manifest counts ${manifest.events}`);
  }
  for (const relationship of named) {
    if (heads.get(relationship).seq === 0) {
      bundle.found(`events.jsonl: nothing of ${relationship}`);
    }
  }
}

export async function checkPayloads(bundle) {
  const erased = new Map();
  const marked = new Set();
  const seen = new Set();
  for (const [number, record] of bundle.records("payloads.jsonl")) {
    const seq = must(record, "seq");
    const relationship = bundle.of(record);
    const event = key(relationship, seq);
    const name = `payloads.jsonl, line ${number}, ${bundle.named(relationship, seq)}`;
    const header = bundle.headers.get(event);
    if (!header || seen.has(event)) {
      bundle.found(`${name}: no such event, or told twice`);
      continue;
    }
    seen.add(event);
    if (record.erased) {
      erased.set(event, name);
      continue;
    }
    if (hex(await hmac(unhex(must(record, "salt")), encoded(must(record, "text")))) !== must(header, "commitment")) {
      bundle.found(`${name}: not the payload the event commits to`);
    }
    const told = JSON.parse(record.text);
    if (must(header, "type") === "payload_erased") {
      marked.add(key(relationship, must(told, "seq")));
    }
    if (header.type === "conversation_closure" && !closesAt(told, seq, bundle.hashes.get(key(relationship, seq - 1)))) {
      bundle.found(`${name}: the closure tells of another head or count`);
    }
  }
  for (const event of bundle.headers.keys()) {
    if (!seen.has(event)) {
      bundle.found(`payloads.jsonl: nothing about ${bundle.named(...JSON.parse(event))}`);
    }
  }
  for (const [event, name] of erased) {
    if (!marked.has(event)) {
      bundle.found(`${name}: erased, and no event says so`);
    }
  }
}

function closesAt(told, seq, hashBefore) {
  const head = must(told, "head");
  return must(told, "total_events") === seq && Object.keys(head).length === 2 && head.seq === seq - 1 && head.hash === hashBefore;
}
