// SPDX-License-Identifier: MIT
import { ConfigError } from './errors.js';

const kDeepest = 200;

/**
 * Plain data on its way into the core, which walks it by recursion on a small stack: data that contains
 * itself would exhaust it.
 */
export function checkDepth<T>(value: T, what: string, depth = 0): T {
  if (typeof value !== 'object' || value === null || isHandle(value)) return value;
  if (depth > kDeepest) {
    throw new ConfigError(`${what} is nested more than ${kDeepest} deep; does it contain itself?`);
  }
  if (!ArrayBuffer.isView(value)) {
    for (const item of Object.values(value)) checkDepth(item, what, depth + 1);
  }
  return value;
}

/** Layers and tensors, ours and the core's. */
const isHandle = (value: object): boolean => 'handle' in value || 'isDeleted' in value;
