// SPDX-License-Identifier: MIT
// The part of WebAssembly's binary format that function_order.mjs and wasm_mark.mjs need:
// https://webassembly.github.io/spec/core/binary/

const kCustom = 0;
const kImports = 2;
const kCode = 10;
/** Part of the section 'name'. */
const kFunctionNames = 1;

/** Reads an unsigned LEB128 number at `at`; returns the number and the offset of its end. */
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

/**
 * Functions that return the end of an import, by its kind: function, table, memory, global, tag.
 */
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

/** Yields the sections: kind, first byte, first byte and end of the content. */
function* sections(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const [length, start] = readNumber(bytes, at + 1);
    yield { kind: bytes[at], at, start, end: start + length };
    at = start + length;
  }
}

/** Returns a name at `at`, and the offset of its end. */
function readName(bytes, at) {
  const [length, start] = readNumber(bytes, at);
  return [bytes.toString('utf8', start, start + length), start + length];
}

/** Returns the names of functions by their index, from the custom section 'name'. */
function readNames(bytes, { start, end }) {
  const [title, content] = readName(bytes, start);
  if (title !== 'name') return [];
  for (let at = content; at < end; ) {
    const [length, part] = readNumber(bytes, at + 1);
    if (bytes[at] === kFunctionNames) return readNameMap(bytes, part);
    at = part + length;
  }
  return [];
}

function readNameMap(bytes, start) {
  const names = [];
  let [count, at] = readNumber(bytes, start);
  for (; count > 0; count--) {
    const [index, nameAt] = readNumber(bytes, at);
    [names[index], at] = readName(bytes, nameAt);
  }
  return names;
}

/**
 * Returns the bodies of a module's functions, their names if the module has them, and the number of
 * its imported functions, which have the first indices.
 */
export function readFunctions(bytes) {
  const functions = { imported: 0, bodies: [], names: [] };
  let names = [];
  for (const section of sections(bytes)) {
    const { kind, start } = section;
    if (kind === kImports) functions.imported = countFunctionImports(bytes, start);
    if (kind === kCode) functions.bodies = readBodies(bytes, start);
    if (kind === kCustom && names.length === 0) names = readNames(bytes, section);
  }
  functions.names = functions.bodies.map((_, i) => names[functions.imported + i] ?? '');
  return functions;
}

/** Returns the module without its custom sections. */
export function withoutCustomSections(bytes) {
  const kept = [...sections(bytes)].filter(({ kind }) => kind !== kCustom);
  const parts = kept.map(({ at, end }) => bytes.subarray(at, end));
  return Buffer.concat([bytes.subarray(0, 8), ...parts]);
}

/**
 * Yields the indices of the functions that a body calls. Occasionally a constant is mistaken for a
 * call.
 */
export function* calls(body) {
  const kCall = 0x10;
  for (let at = 0; at < body.length; at++)
    if (body[at] === kCall) yield readNumber(body, at + 1)[0];
}

const withLength = (bytes) => [...numberBytes(bytes.length), ...bytes];

/** Returns a custom section with a name and content. */
export const customSection = (name, content) =>
  Buffer.from([0, ...withLength([...withLength(Buffer.from(name)), ...content])]);

/** Returns the custom section that names every function, including the imported ones. */
export function nameSection(names) {
  const pairs = names.flatMap((name, i) => [...numberBytes(i), ...withLength(Buffer.from(name))]);
  const functionNames = [1, ...withLength([...numberBytes(names.length), ...pairs])];
  return customSection('name', functionNames);
}
