// SPDX-License-Identifier: MIT
// A file of its own: a fresh clone loads it before any package is installed.
import { Failure } from '../lib/process.mjs';

const repairs = [
  {
    // Browsers decode no views of shared memory, so the glue copies text before it decodes it.
    part: /(UTF8Decoder\.decode\(\w+\.)subarray\(/g,
    replacement: '$1slice(',
  },
  {
    // Emscripten keeps the converted arguments of a function from call to call. If user code called
    // the function again inside a call, the text of the inner call was freed twice.
    part: /(var argsWired\s*=\s*new Array\(expectedArgCount\);\s*var invokerFuncArgs\s*=\s*\[\];\s*var destructors\s*=\s*\[\];)\s*(var invokerFn\s*=\s*function\(\.\.\.args\)\s*\{)/g,
    replacement: '$2$1',
  },
];

/** Returns Emscripten's glue with its faults repaired. */
export function repairedGlue(glue) {
  return repairs.reduce((text, { part, replacement }) => {
    if (text.match(part)?.length !== 1) {
      throw new Failure(`The glue has no single part ${part}; adapt repaired_glue.mjs.`);
    }
    return text.replace(part, replacement);
  }, glue);
}
