// SPDX-License-Identifier: MIT
// Compression of the wasm inside scripts; engine/wasm_module.ts unpacks it.
import { gzipAsync } from '@gfx/zopfli';

/** Packs bytes by Zopfli, which takes seconds and saves 5 % of the bytes. */
export const packed = (bytes) => gzipAsync(bytes, { numiterations: 15, blocksplittingmax: 0 });
