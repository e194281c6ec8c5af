// SPDX-License-Identifier: MIT
// As much of the binary format of WebAssembly (https://webassembly.github.io/spec/core/binary/) as function_order.mjs needs.

const kImports = 2;
const kCode = 10;

/** An unsigned LEB128 number at `at`: [value, where it ends]. */
function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 1, i = at; ; shift *= 128) {
    const byte = bytes[i++];
    value += (byte & 127) * shift;
    if (byte < 128) return [value, i];
  }
}

export function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

const readLimits = (bytes, at) => {
  const [, end] = readNumber(bytes, at + 1);
  return bytes[at] & 1 ? readNumber(bytes, end)[1] : end;
};

/** Where each kind of import ends: functions, tables, memories, globals, tags. */
const importEnds = [
  (bytes, at) => readNumber(bytes, at)[1],
  (bytes, at) => readLimits(bytes, at + 1),
  readLimits,
  (_, at) => at + 2,
  (bytes, at) => readNumber(bytes, at + 1)[1],
];

function countFunctionImports(bytes, start) {
  let [count, at] = readNumber(bytes, start);
  let functions = 0;
  for (; count > 0; count--) {
    for (let name = 0; name < 2; name++) {
      const [length, text] = readNumber(bytes, at);
      at = text + length;
    }
    const kind = bytes[at];
    if (kind === 0) functions++;
    at = importEnds[kind](bytes, at + 1);
  }
  return functions;
}

function readBodies(bytes, start) {
  let [count, at] = readNumber(bytes, start);
  const bodies = [];
  for (; count > 0; count--) {
    const [length, body] = readNumber(bytes, at);
    at = body + length;
    bodies.push(bytes.subarray(body, at));
  }
  return bodies;
}

/** The bodies of a module's functions, and how many functions it imports: those come first when functions are numbered. */
export function readFunctions(bytes) {
  const found = { imported: 0, bodies: [] };
  for (let at = 8; at < bytes.length; ) {
    const [length, start] = readNumber(bytes, at + 1);
    if (bytes[at] === kImports) found.imported = countFunctionImports(bytes, start);
    if (bytes[at] === kCode) found.bodies = readBodies(bytes, start);
    at = start + length;
  }
  return found;
}

/** Functions that a body calls by number; now and then it takes a constant for a call. */
export function* calls(body) {
  const kCall = 0x10;
  for (let at = 0; at < body.length; at++)
    if (body[at] === kCall) yield readNumber(body, at + 1)[0];
}

const withLength = (bytes) => [...numberBytes(bytes.length), ...bytes];

/** The custom section that gives each function, imported ones included, a name. */
export function nameSection(names) {
  const pairs = names.flatMap((name, i) => [...numberBytes(i), ...withLength(Buffer.from(name))]);
  const functionNames = [1, ...withLength([...numberBytes(names.length), ...pairs])];
  return Buffer.from([0, ...withLength([...withLength(Buffer.from('name')), ...functionNames])]);
}
