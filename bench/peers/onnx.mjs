// SPDX-License-Identifier: MIT
// Writes ONNX files with the few operators that the workloads need, for ort_graph.mjs. A file is
// one message of protobuf: a list of fields, each of which is an array of byte chunks.

function varint(value) {
  const bytes = [];
  let remaining = BigInt.asUintN(64, BigInt(value));
  for (; remaining > 127n; remaining >>= 7n) bytes.push(Number(remaining & 127n) | 128);
  return Uint8Array.of(...bytes, Number(remaining));
}

/** Returns the bytes of a message with these fields. */
function join(fields) {
  const chunks = fields.flat(1);
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const tag = (field, wireType) => varint((field << 3) | wireType);
const integer = (field, value) => [tag(field, 0), varint(value)];
const bytes = (field, value) => [tag(field, 2), varint(value.length), value];
const text = (field, value) => bytes(field, new TextEncoder().encode(value));
const message = (field, ...fields) => bytes(field, join(fields));
const float = (field, value) => [tag(field, 5), new Uint8Array(Float32Array.of(value).buffer)];

const elementTypes = { float32: 1, int32: 6, int64: 7 };

// Field numbers come from onnx.proto; see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
/** Returns the fields of an attribute's value, and the number of its type. */
function encoded(value) {
  if (typeof value === 'string') return [text(4, value), 3];
  if (Number.isInteger(value)) return [integer(3, value), 2];
  if (typeof value === 'number') return [float(2, value), 1];
  if (typeof value[0] === 'string') return [value.flatMap((item) => text(9, item)), 8];
  return [value.flatMap((item) => integer(8, item)), 7];
}

function attribute(name, value) {
  const [fields, type] = encoded(value);
  return message(5, text(1, name), fields, integer(20, type));
}

function tensor(name, type, dims, data) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const sizes = dims.map((dim) => integer(1, dim));
  return message(5, ...sizes, integer(2, elementTypes[type]), text(8, name), bytes(9, raw));
}

function valueInfo(field, { name, type, dims }) {
  // Returns a dimension; a dimension whose size may differ between calls has a name.
  const size = (dim) => (typeof dim === 'string' ? text(2, dim) : integer(1, dim));
  const shape = message(2, ...dims.map((dim) => message(1, size(dim))));
  const tensorType = message(1, integer(1, elementTypes[type]), shape);
  return message(field, text(1, name), message(2, tensorType));
}

/** Collects the nodes and constants of a graph and writes them as an ONNX file. */
export class OnnxGraph {
  #fields = [];
  #values = 0;

  #name() {
    this.#values += 1;
    return `v${this.#values}`;
  }

  input(name, type, dims) {
    this.#fields.push(valueInfo(11, { name, type, dims }));
    return name;
  }

  output(name, type, dims) {
    this.#fields.push(valueInfo(12, { name, type, dims }));
  }

  /** Adds floats, or int64 for shapes. */
  constant(dims, data) {
    const name = this.#name();
    const type = data instanceof Float32Array ? 'float32' : 'int64';
    this.#fields.push(tensor(name, type, dims, data));
    return name;
  }

  ints(...values) {
    return this.constant([values.length], BigInt64Array.from(values, BigInt));
  }

  /** Adds a node; an input '' is omitted. Returns the names of its outputs, '' for unused ones. */
  node(type, inputs, { outputs = [this.#name()], domain = '', ...attributes } = {}) {
    const names = outputs.map((name) => (name === '*' ? this.#name() : name));
    this.#fields.push(
      message(
        1,
        ...inputs.map((name) => text(1, name)),
        ...names.map((name) => text(2, name)),
        text(4, type),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
        text(7, domain),
      ),
    );
    return names;
  }

  /** Adds a node with one output, the usual case. */
  op(type, inputs, attributes) {
    return this.node(type, inputs, attributes)[0];
  }

  /** Returns the file: opset 17, and the contributed operators of ONNX Runtime. */
  bytes() {
    return join([
      integer(1, 8),
      message(7, ...this.#fields, text(2, 'graph')),
      message(8, text(1, ''), integer(2, 17)),
      message(8, text(1, 'com.microsoft'), integer(2, 1)),
    ]);
  }
}
