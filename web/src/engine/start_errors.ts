// SPDX-License-Identifier: MIT
// Errors of `ready`. It is a chunk of its own, which only programs fetch whose start fails.
import { checkOptions, isPlain, refuse } from '../base/check.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import { isWasmSource } from './wasm_input.js';

/** Throws ValueError unless the value is one of the option `variant`. */
function checkVariant(variant: unknown): void {
  if (!['auto', 'simd', 'relaxed'].includes(variant as string)) {
    refuse('variant', "'auto', 'simd' or 'relaxed'", variant);
  }
}

/** Throws the reason why an engine runs no variant that fits the option. */
export function refuseVariant(wanted: unknown): never {
  checkVariant(wanted);
  if (typeof WebAssembly !== 'object') {
    throw new UnsupportedError(
      'WebAssembly is missing: the engine lacks it or runs without it (node --jitless, the lockdown mode of a device)',
    );
  }
  throw new UnsupportedError(
    wanted === 'relaxed'
      ? "this engine has no relaxed SIMD, or the CPU no fused multiply-add; use variant 'simd' or 'auto'"
      : 'this engine has no WebAssembly SIMD or no exceptions in WebAssembly; Chrome 95, Firefox 100, Safari 16.4 and Node 20 have both',
  );
}

const oneWasm = 'an address, a Response, bytes or a module';

/** Throws for the option `wasm` with wasm of each variant, if it is not valid. */
export function checkVariants(wasm: object): void {
  if (!isPlain(wasm)) refuse('wasm', `${oneWasm}, or { relaxed } with one of these`, wasm);
  checkOptions(wasm, { simd: 1, relaxed: 1, threads: 1 });
  for (const name of ['simd', 'relaxed']) {
    const isAbsent = wasm[name] === undefined && name === 'simd';
    if (!isAbsent && !isWasmSource(wasm[name])) refuse(`wasm.${name}`, oneWasm, wasm[name]);
  }
}

/** Throws for options or an entry that do not fit the running module. */
export function refuseOther(
  variant: string | undefined,
  layers: string,
  running: { readonly variant: string },
): never {
  if (variant !== undefined) checkVariant(variant);
  if (variant && variant !== 'auto' && variant !== running.variant) {
    throw new StateError(
      `the variant '${running.variant}' is running; choose '${variant}' in the first call of ready()`,
    );
  }
  throw new StateError(
    layers === 'train'
      ? 'training needs another module than the running one; call ready() of maskflow/train before that of other entries'
      : 'only the module with recurrent layers is running; call ready() of maskflow before that of maskflow/recurrent',
  );
}
