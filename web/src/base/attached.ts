// SPDX-License-Identifier: MIT
// Arrays whose memory has gone: it was transferred to another thread, or made shorter. They look
// empty, so what reads them would find no data and no error.
import { StateError } from './errors.js';

/** Throws StateError if the memory of the array or buffer has gone. */
export function checkAttached(data: ArrayBufferView | ArrayBuffer): void {
  try {
    if (data.byteLength > 0) return;
    // Methods of such arrays throw TypeError, and so do views of such buffers.
    if ('keys' in data) (data as Uint8Array).keys();
    else new DataView(ArrayBuffer.isView(data) ? data.buffer : data);
  } catch {
    throw new StateError(
      'the buffer of the array was transferred to another thread, or made shorter; copy the array first: slice()',
    );
  }
}
