// SPDX-License-Identifier: MIT
// Recognises the package's own wasm, so that wasm of another version or entry is refused with a
// reason.
import { version } from '../base/version.gen.js';

/** The section that the build adds to each module; scripts/build/wasm_mark.mjs writes it. */
export interface Mark {
  version: string;
  variant: 'simd' | 'relaxed' | 'threads' | 'simd_threads';
  /** Size of the module in bytes. */
  size: number;
  layers: string;
}

/** The module that is needed; of any variant or with any layers where these are undefined. */
export interface WantedModule {
  variant?: Mark['variant'] | undefined;
  layers?: string | undefined;
}

/** The mark of a module; null if it is not a module of the package. */
export function markOf(module: WebAssembly.Module): Mark | null {
  const [section] = WebAssembly.Module.customSections(module, 'maskflow');
  const text = section && String.fromCharCode(...new Uint8Array(section.slice(0, 99)));
  const parts = /^([\w.+-]+) (\w+) (\d+) (all|recurrent|train)$/.exec(text ?? '');
  if (!parts) return null;
  const [, version = '', variant, size, layers = ''] = parts;
  return { version, variant: variant as Mark['variant'], size: Number(size), layers };
}

/** Returns whether a module with this mark is the wanted one, of this version. */
export function fits(mark: Mark | null, { variant, layers }: WantedModule): mark is Mark {
  if (mark?.version !== version) return false;
  return mark.variant === (variant ?? mark.variant) && mark.layers === (layers ?? mark.layers);
}
