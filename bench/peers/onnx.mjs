// SPDX-License-Identifier: MIT
// Writes ONNX files. Only ort_graph.mjs uses it, with the few operators that the workloads need.
import { bytes, float, integer, join, message, text } from './protobuf.mjs';

const elementTypes = { float32: 1, int32: 6, int64: 7 };

// Field numbers come from onnx.proto; see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
function attribute(name, value) {
  if (typeof value === 'string') {
    return message(5, text(1, name), text(4, value), integer(20, 3));
  }
  if (typeof value === 'number' && Number.isInteger(value)) {
    return message(5, text(1, name), integer(3, value), integer(20, 2));
  }
  if (typeof value === 'number') return message(5, text(1, name), float(2, value), integer(20, 1));
  if (typeof value[0] === 'string') {
    return message(5, text(1, name), ...value.map((item) => text(9, item)), integer(20, 8));
  }
  return message(5, text(1, name), ...value.map((item) => integer(8, item)), integer(20, 7));
}

function tensor(name, type, dims, data) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(
    5,
    ...dims.map((dim) => integer(1, dim)),
    integer(2, elementTypes[type]),
    text(8, name),
    bytes(9, raw),
  );
}

function valueInfo(field, { name, type, dims }) {
  // Returns a dimension; a dimension whose size may differ between calls has a name.
  const size = (dim) => (typeof dim === 'string' ? text(2, dim) : integer(1, dim));
  const shape = message(2, ...dims.map((dim) => message(1, size(dim))));
  return message(
    field,
    text(1, name),
    message(2, message(1, integer(1, elementTypes[type]), shape)),
  );
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
