// SPDX-License-Identifier: MIT
// Text in UTF-8, and the line that an error names if a file has another encoding. For `readCsv` and
// the text inputs of the command.
import { FormatError } from '../../base/errors.js';

/**
 * Decodes UTF-8. FormatError for other bytes, which names their line: replaced, they could make two
 * texts the same.
 */
export function decodeText(bytes: Uint8Array, what: string): string {
  const line = lineOfInvalid(bytes);
  if (line === 0) return new TextDecoder().decode(bytes);
  throw new FormatError(
    `line ${line} of ${what} is not valid UTF-8; save it as UTF-8, for example with: iconv -f latin1 -t utf-8`,
  );
}

/** Number of the line, from 1, with the first bytes that are not UTF-8; 0 if all are. */
export function lineOfInvalid(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return 0;
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, middle), true)) valid = middle;
    else invalid = middle;
  }
  return bytes.subarray(0, valid).reduce((line, byte) => (byte === 10 ? line + 1 : line), 1);
}

/** With `isPart`, a character may be incomplete at the end. */
function isUtf8(bytes: Uint8Array, isPart = false): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isPart });
    return true;
  } catch {
    return false;
  }
}
