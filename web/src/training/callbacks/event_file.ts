// SPDX-License-Identifier: MIT
// Event files of TensorBoard: records of TensorFlow's TFRecord format, each with one message of
// tensorflow/core/util/event.proto. Only the fields of scalars are written.
import { joinBytes } from '../../base/array.js';
import { maskedChecksum } from '../../base/crc32c.js';
import { encodeUtf8 } from '../../engine/utf8.js';

/** Returns `size` bytes that `write` fills. */
function fixed(size: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return bytes;
}

const uint32 = (value: number): Uint8Array => fixed(4, (view) => view.setUint32(0, value, true));

/** A length or a step: seven bits a byte, the lowest first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.from([...bytes, rest]);
}

// Types of fields in the lowest three bits of their key.
const kDouble = 1;
const kBytes = 2;
const kFloat = 5;

/** A field of a message of Protocol Buffers. */
function field(number: number, type: number, ...content: Uint8Array[]): Uint8Array {
  return joinBytes([Uint8Array.of((number << 3) | type), ...content]);
}

const nested = (number: number, content: Uint8Array): Uint8Array =>
  field(number, kBytes, varint(content.length), content);

/** A record: length, its checksum, content, its checksum. */
function record(content: Uint8Array): Uint8Array {
  const length = fixed(8, (view) => view.setUint32(0, content.length, true));
  return joinBytes([
    length,
    uint32(maskedChecksum(length)),
    content,
    uint32(maskedChecksum(content)),
  ]);
}

/** An event at a time in seconds. */
const event = (seconds: number, ...fields: Uint8Array[]): Uint8Array =>
  record(
    joinBytes([
      field(
        1,
        kDouble,
        fixed(8, (v) => v.setFloat64(0, seconds, true)),
      ),
      ...fields,
    ]),
  );

/** The first record of a file. */
export const versionRecord = (seconds: number): Uint8Array =>
  event(seconds, nested(3, encodeUtf8('brain.Event:2')));

/** The records of numbers at a step, one for each. */
export function scalarRecords(
  seconds: number,
  step: number,
  scalars: readonly (readonly [tag: string, value: number])[],
): Uint8Array {
  const records = scalars.map(([tag, value]) => {
    const float = fixed(4, (view) => view.setFloat32(0, value, true));
    const content = joinBytes([nested(1, encodeUtf8(tag)), field(2, kFloat, float)]);
    return event(seconds, field(2, 0, varint(step)), nested(5, nested(1, content)));
  });
  return joinBytes(records);
}
