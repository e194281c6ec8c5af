// SPDX-License-Identifier: MIT
// The package's wasm with functions that trap, as a fault of the core or of the engine would, or
// that throw an exception which nothing catches.
import { readFileSync } from 'node:fs';

const packageFile = new URL('../../dist/maskflow-simd.wasm', import.meta.url);

function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function* sections(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, start] = number(bytes, at + 1);
    yield { id, start };
    at = start + size;
  }
}

/** Returns wasm whose exported functions of these names contain only `unreachable`. */
export const trappingWasm = (...names) => replacing([0], names);

/**
 * Returns wasm whose functions of these names only throw a C++ exception, `i32.const 0, throw 0`,
 * past all handlers.
 */
export const throwingWasm = (...names) => replacing([65, 0, 8, 0], names);

function replacing(instructions, names) {
  const bytes = new Uint8Array(readFileSync(packageFile));
  const expected = [];
  let imported = 0;
  const skipLimits = (at) => {
    const flags = bytes[at];
    at = number(bytes, at + 1)[1];
    return flags & 1 ? number(bytes, at)[1] : at;
  };
  const text = (at) => {
    const [length, from] = number(bytes, at);
    return [new TextDecoder().decode(bytes.subarray(from, from + length)), from + length];
  };
  for (const { id, start } of sections(bytes)) {
    let [count, at] = number(bytes, start);
    if (id === 2) {
      for (; count > 0; count--) {
        at = text(text(at)[1])[1];
        const kind = bytes[at++];
        if (kind === 0) imported++;
        if (kind === 0 || kind === 4) at = number(bytes, kind === 4 ? at + 1 : at)[1];
        else if (kind === 1) at = skipLimits(at + 1);
        else if (kind === 2) at = skipLimits(at);
        else at += 2;
      }
    } else if (id === 7) {
      for (; count > 0; count--) {
        const [name, next] = text(at);
        const [index, end] = number(bytes, next + 1);
        if (bytes[next] === 0 && names.includes(name)) expected.push(index);
        at = end;
      }
    } else if (id === 10) {
      for (let i = imported; count > 0; count--, i++) {
        const [size, body] = number(bytes, at);
        at = body + size;
        if (!expected.includes(i)) continue;
        // The body of the function: no locals, and only these instructions.
        bytes.set([0, ...instructions], body);
        bytes.fill(1, body + 1 + instructions.length, at - 1);
      }
    }
  }
  if (expected.length !== names.length) throw new Error(`not all of ${names} are exported`);
  return bytes;
}
