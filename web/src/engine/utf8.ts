// SPDX-License-Identifier: MIT
// UTF-8 for configs and files, also in engines without the platform's codecs.
import { type TextCodecs, textCodecs } from './text_codecs.js';

let encoder: InstanceType<TextCodecs['TextEncoder']> | undefined;
let decoder: InstanceType<Required<TextCodecs>['TextDecoder']> | undefined;

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  encoder ??= new (textCodecs() as TextCodecs).TextEncoder();
  return encoder.encode(text);
}

/** Decodes UTF-8 without a byte order mark. Invalid bytes become the replacement character. */
export function decodeUtf8(bytes: Uint8Array | undefined): string {
  decoder ??= new (textCodecs() as Required<TextCodecs>).TextDecoder();
  return decoder.decode(bytes);
}
