// SPDX-License-Identifier: MIT
// Reads event files of TensorBoard: TFRecords (length, masked CRC-32C of it, content, masked
// CRC-32C of it) with messages of event.proto. Throws for anything else.

/** CRC-32C bit by bit, as RFC 3720 defines it. */
export function crc32c(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function checkSum(bytes, expected) {
  const crc = crc32c(bytes);
  const masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  if (masked !== expected) throw new Error(`checksum ${masked}, not ${expected}`);
}

/** Fields of a message: [number, value], bytes for nested messages and text. */
function fieldsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (count) => {
    at += count;
    return at - count;
  };
  const varint = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * factor;
      factor *= 128;
      if (byte < 128) return value;
    }
  };
  const readers = {
    0: varint,
    1: () => view.getFloat64(take(8), true),
    2: () => {
      const length = varint();
      if (at + length > bytes.length) throw new Error('a field is cut');
      const from = take(length);
      return bytes.subarray(from, at);
    },
    5: () => view.getFloat32(take(4), true),
  };
  const fields = [];
  while (at < bytes.length) {
    const key = varint();
    fields.push([key >> 3, readers[key & 7]()]);
  }
  return fields;
}

const text = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

function eventOf(bytes) {
  const { 1: wallTime, 2: step, 3: version, 5: summary } = Object.fromEntries(fieldsOf(bytes));
  if (version) return { wallTime, fileVersion: text(version) };
  const [[number, value], ...others] = fieldsOf(summary);
  if (number !== 1 || others.length > 0) throw new Error('not one value');
  const { 1: tag, 2: simple } = Object.fromEntries(fieldsOf(value));
  return { wallTime, step, tag: text(tag), value: simple };
}

/** Returns the events of a file. */
export function readEvents(file) {
  const bytes = new Uint8Array(file);
  const view = new DataView(bytes.buffer);
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number(view.getBigUint64(at, true));
    checkSum(bytes.subarray(at, at + 8), view.getUint32(at + 8, true));
    const content = bytes.subarray(at + 12, at + 12 + length);
    checkSum(content, view.getUint32(at + 12 + length, true));
    events.push(eventOf(content));
    at += 16 + length;
  }
  return events;
}
