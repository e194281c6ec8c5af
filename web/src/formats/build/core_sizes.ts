// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { isRecord } from '../json.js';
import { checkGraphOrder } from './graph_order.js';

// What no model comes near. The core searches layers by name one after the other.
const kMostKeys = 20_000;
const kMostLayers = 5000;

/** Refuses configurations that are made to keep the core busy. FormatError with the number. */
export function checkSizes(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) checkSizes(item);
    return;
  }
  if (!isRecord(value)) return;
  const entries = Object.entries(value);
  check(entries.length, kMostKeys, 'keys in one object');
  for (const [key, item] of entries) {
    if (key === 'layers' && Array.isArray(item)) {
      check(item.length, kMostLayers, 'layers');
      checkGraphOrder(item);
    }
    checkSizes(item);
  }
}

function check(count: number, most: number, what: string): void {
  if (count <= most) return;
  throw new FormatError(`the configuration has ${count} ${what}; at most ${most} can be read`);
}
