// SPDX-License-Identifier: MIT
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';
import { chunksInside, settings } from './bundle.mjs';

/**
 * The main entry as one classic script that makes the global `maskflow`: for <script src>, and for pages that are opened as
 * files, where browsers import no modules. Everything is in it, the wasm of one variant too.
 */
export async function writeIife() {
  const bundle = await rolldown({
    ...settings,
    input: at('web', 'src', 'global.ts'),
    transform: {
      ...settings.transform,
      // (A classic script has no address to look for files beside.)
      define: { MODULE_EXTENSION: '".js"', 'import.meta.url': 'undefined' },
    },
    plugins: [chunksInside],
  });
  await bundle.write({
    file: at('dist', 'maskflow.iife.js'),
    format: 'iife',
    name: 'maskflow',
    minify: true,
    codeSplitting: false,
  });
  await bundle.close();
}
