// SPDX-License-Identifier: MIT
// The codecs of UTF-8 for maskflow/single: audio worklets have none. The bundler puts this file in
// the place of text_codecs.ts.
import * as others from './text_codecs.js';

/** Encodes like TextEncoder: lone surrogates become the replacement character. */
class OwnEncoder {
  encode(text: string): Uint8Array<ArrayBuffer> {
    const escaped = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
    const bytes = escaped.replace(/%(..)/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  }
}

/** The codecs of the engine; in worklets an encoder only, because files are refused there. */
export const textCodecs = (): others.TextCodecs =>
  others.textCodecs() ?? { TextEncoder: OwnEncoder };
