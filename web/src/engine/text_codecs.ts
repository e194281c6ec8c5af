// SPDX-License-Identifier: MIT
// The codecs of UTF-8 that this engine has. maskflow/single, which also runs in worklets, has
// text_codecs_of_worklets.ts in place of this file.
import { nodeModule } from './node_module.js';

export interface TextCodecs {
  TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
  TextDecoder?: new () => { decode(bytes?: Uint8Array): string };
}

/**
 * The codecs of the engine, or of Node: sandboxes of some test runners (jsdom) lack them. Undefined
 * in worklets.
 */
export function textCodecs(): TextCodecs | undefined {
  if (typeof TextDecoder !== 'undefined') return { TextEncoder, TextDecoder } as TextCodecs;
  return nodeModule<TextCodecs>('node:util');
}
