// SPDX-License-Identifier: MIT
// Names of shards. They depend on the content, so shards of a new model never replace those that an
// old model.json names: whenever a writer stops, model.json and its shards belong together.
import { encodeUtf8 } from '../../engine/utf8.js';
import { crc32 } from '../crc32.js';

const hex = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');

/**
 * Returns the part of a shard's name that depends on the model: eight digits for the name of its
 * `model.json`, because a folder may have several, and eight for its content.
 */
export function shardMark(main: string, json: Uint8Array, weights: Uint8Array): string {
  const digits = encodeUtf8(hex(weights));
  const content = new Uint8Array(json.length + digits.length);
  content.set(json);
  content.set(digits, json.length);
  return `${markOfName(main)}${hex(content)}`;
}

/** Returns the first part of `shardMark`. */
export const markOfName = (main: string): string => hex(encodeUtf8(main));
