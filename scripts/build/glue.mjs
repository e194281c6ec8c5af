// SPDX-License-Identifier: MIT
// Adapts Emscripten's glue to the package.
import { rolldown } from 'rolldown';
import { Failure } from '../lib/process.mjs';
import { repairedGlue } from './repaired_glue.mjs';

/**
 * Parts that the package does not need. Each begins with the first text, which occurs once, and
 * ends with the first occurrence of the second one. Functions that nothing calls afterwards are
 * removed by the bundler.
 */
const replacements = [
  // `ready` passes the compiled wasm, so the glue does not look for files, whatever the engine.
  ['var ENVIRONMENT_IS_WEB=', 'else{}', ''],
  ['Object.assign(Module,moduleOverrides)', 'moduleOverrides=null;', ''],
  [
    'if(Module["instantiateWasm"])',
    'return{}',
    'return Module["instantiateWasm"](info,receiveInstance)',
  ],
  // Nothing runs before or after the constructors of the core, or delays them.
  ['var __ATPRERUN__=', 'function abort(', 'var runtimeInitialized=false;function abort('],
  [
    'addOnInit(wasmExports["__wasm_call_ctors"])',
    'return wasmExports',
    'runtimeInitialized=true;wasmExports["__wasm_call_ctors"]();readyPromiseResolve(Module);return wasmExports',
  ],
  ['addRunDependency("wasm-instantiate")', ';', ''],
  ['var calledRun', 'run();moduleRtn=', 'moduleRtn='],
];

function replacePart(glue, [first, last, replacement]) {
  const [before, after, ...more] = glue.split(first);
  const end = after?.indexOf(last) ?? -1;
  if (end < 0 || more.length > 0) {
    throw new Failure(`The glue has no single part from '${first}' to '${last}'; adapt glue.mjs.`);
  }
  return before + replacement + after.slice(end + last.length);
}

/**
 * Returns the glue as minified ES module and as CommonJS, without the address of the wasm, which
 * bundlers would follow, and without `process`, which some bundlers replace.
 */
export async function packageGlue(source) {
  const glue = replacements.reduce(replacePart, repairedGlue(source));
  const bundle = await rolldown({
    input: 'glue',
    transform: { target: 'es2022', define: { 'import.meta.url': '"file:///"' } },
    plugins: [{ name: 'glue', resolveId: (id) => id, load: () => glue }],
  });
  const write = async (format) => {
    const { output } = await bundle.generate({ format, minify: true, exports: 'named' });
    return output[0].code;
  };
  const files = { esm: await write('esm'), cjs: await write('cjs') };
  await bundle.close();
  return files;
}
