// SPDX-License-Identifier: MIT
// UTF-8 for configs and files, also in engines without the platform's codecs.
import { nodeModule } from './node_module.js';

interface Codecs {
  TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
  TextDecoder: new () => { decode(bytes?: Uint8Array): string };
}

/** The codecs of the engine, or of Node: sandboxes of some test runners (jsdom) lack them. */
function codecs(): Codecs {
  if (typeof TextDecoder !== 'undefined') return { TextEncoder, TextDecoder } as Codecs;
  return nodeModule<Codecs>('node:util') as Codecs;
}

let encoder: InstanceType<Codecs['TextEncoder']> | undefined;
let decoder: InstanceType<Codecs['TextDecoder']> | undefined;

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  encoder ??= new (codecs().TextEncoder)();
  return encoder.encode(text);
}

/** Decodes UTF-8 without a byte order mark. Invalid bytes become the replacement character. */
export function decodeUtf8(bytes: Uint8Array | undefined): string {
  decoder ??= new (codecs().TextDecoder)();
  return decoder.decode(bytes);
}
