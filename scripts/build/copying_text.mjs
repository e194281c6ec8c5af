// SPDX-License-Identifier: MIT
// A file of its own: a fresh clone loads it before any package is installed.
import { Failure } from '../lib/process.mjs';

/**
 * Makes the glue copy text before it decodes it, because browsers decode no views of shared memory.
 */
export function copyingText(glue) {
  const decoding = /(UTF8Decoder\.decode\(\w+\.)subarray\(/g;
  if (glue.match(decoding)?.length !== 1) {
    throw new Failure('The glue decodes text in another way; adapt copying_text.mjs.');
  }
  return glue.replace(decoding, '$1slice(');
}
