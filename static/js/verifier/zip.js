// A zip, read by hand; and the zip its files alone make, byte by byte, so that any other byte is noticed.
import { decoded, encoded, joined } from "./bytes.js";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const FIRST_DAY = 0x21; // 1 January 1980
const NAMED_IN_UTF8 = 0x800;
const OWNER_ONLY = 0o600 << 16;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) {
    rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return rest >>> 0;
});

function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

/** The archive's entries in order: name and content, or what is wrong with them. */
export async function unzipped(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let end = data.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) {
    end--;
  }
  if (end < 0) {
    throw new TypeError("File is not a zip file");
  }
  const entries = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) {
      throw new TypeError("Bad magic number for central directory");
    }
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const name = decoded(data.subarray(at + 46, at + 46 + nameLength));
    entries.push(await entry(data, view, at, name).catch((problem) => ({ name, problem: problem.message })));
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

async function entry(data, view, at, name) {
  const method = view.getUint16(at + 10, true);
  const [crc, packed, size] = [16, 20, 24].map((field) => view.getUint32(at + field, true));
  const local = view.getUint32(at + 42, true);
  if (view.getUint32(local, true) !== LOCAL) {
    throw new TypeError("Bad magic number for file header");
  }
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const raw = data.subarray(start, start + packed);
  if (method !== STORED && method !== DEFLATED) {
    throw new TypeError("That compression method is not supported");
  }
  const content = method === DEFLATED ? await inflated(raw, size) : raw;
  if (content.length !== size || crc32(content) !== crc) {
    throw new TypeError(`Bad CRC-32 for file '${name}'`);
  }
  return { name, content };
}

async function inflated(raw, size) {
  const parts = [];
  let length = 0;
  for await (const part of new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw"))) {
    length += part.length;
    if (length > size) {
      throw new TypeError("longer than it says"); // a bomb stops here
    }
    parts.push(part);
  }
  return joined(...parts);
}

/** The one zip that these files make: uncompressed, without times, in their order. */
export function zipped(files) {
  const locals = [];
  const directory = [];
  let offset = 0;
  for (const { name, content } of files) {
    const path = encoded(name);
    const flags = path.length === name.length ? 0 : NAMED_IN_UTF8;
    const common = [[2, 20], [2, flags], [2, STORED], [2, 0], [2, FIRST_DAY], [4, crc32(content)], [4, content.length], [4, content.length], [2, path.length], [2, 0]];
    locals.push(numbers([[4, LOCAL], ...common]), path, content);
    directory.push(numbers([[4, ENTRY], [2, 20 | (3 << 8)], ...common, [2, 0], [2, 0], [2, 0], [4, OWNER_ONLY], [4, offset]]), path);
    offset += 30 + path.length + content.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([[4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, offset], [2, 0]]);
  return joined(...locals, ...directory, end);
}

function numbers(fields) {
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 2) {
      view.setUint16(at, value, true);
    } else {
      view.setUint32(at, value, true);
    }
    at += width;
  }
  return bytes;
}
