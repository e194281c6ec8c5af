// SPDX-License-Identifier: MIT
// The worker of the first chapter. Each variant of the core is one file with everything in it, so
// that starting takes one request and not a chain of them.

declare global {
  interface Window {
    /**
     * The first worker. The script in the head starts it, and the page uses it when it needs it.
     */
    firstEngine: Worker | undefined;
  }
}

/** The smallest module with a fused multiply-add of vectors (f32x4.relaxed_madd). */
const splat = [65, 0, 253, 17];
const relaxed = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0]
  .concat(splat, splat, splat)
  .concat([253, 133, 2, 11]);

export function startFirst(): Worker {
  const variant = WebAssembly.validate(new Uint8Array(relaxed)) ? 'relaxed' : 'simd';
  return new Worker(new URL(`engine/first-${variant}.mjs`, document.baseURI), { type: 'module' });
}
