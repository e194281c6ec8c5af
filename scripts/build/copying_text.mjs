// SPDX-License-Identifier: MIT
import { Failure } from '../lib/process.mjs';

/**
 * Makes the glue copy text before it decodes it, because browsers decode no views of shared memory.
 */
export function copyingText(glue) {
  const decoding = /(UTF(?:8|16)Decoder\.decode\(\w+\.)subarray\(/g;
  if (glue.match(decoding)?.length !== 2) {
    throw new Failure('The glue decodes text in another way; adapt copying_text.mjs.');
  }
  return glue.replace(decoding, '$1slice(');
}
