// SPDX-License-Identifier: MIT
// As much of the protobuf wire format as a model file needs: a message is a list of fields,
// each made by one of these functions and given as an array of byte chunks.

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
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

/** The bytes of a message made of these fields. */
export function join(fields) {
  const chunks = fields.flat(1);
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
