// SPDX-License-Identifier: MIT
// The part of the protobuf wire format that a model file needs: a message is a list of fields; each
// field is built by one of these functions and is an array of byte chunks.

function varint(value) {
  const bytes = [];
  let remaining = BigInt.asUintN(64, BigInt(value));
  for (; remaining > 127n; remaining >>= 7n) bytes.push(Number(remaining & 127n) | 128);
  return Uint8Array.of(...bytes, Number(remaining));
}

const tag = (field, wireType) => varint((field << 3) | wireType);

export const integer = (field, value) => [tag(field, 0), varint(value)];
export const bytes = (field, value) => [tag(field, 2), varint(value.length), value];
export const text = (field, value) => bytes(field, new TextEncoder().encode(value));
export const message = (field, ...fields) => bytes(field, join(fields));
export const float = (field, value) => [
  tag(field, 5),
  new Uint8Array(Float32Array.of(value).buffer),
];

/** Returns the bytes of a message with these fields. */
export function join(fields) {
  const chunks = fields.flat(1);
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
