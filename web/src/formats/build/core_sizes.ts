// SPDX-License-Identifier: MIT
// Limits on configs, checked before the core sees one, because the core's searches by name would be
// slow for a hostile config.
import { FormatError } from '../../base/errors.js';
import { sum } from '../../base/array.js';
import { isRecord, listOf } from '../json.js';
import { checkGraphOrder } from './graph_order.js';

// Far above any real model. The core's search for layers by name is linear.
const kMaxKeys = 20_000;
const kMaxLayers = 5000;
const kMaxCalls = 20_000;

/** Throws FormatError for configs so large that they would keep the core busy. */
export function checkSizes(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) checkSizes(item);
    return;
  }
  if (!isRecord(value)) return;
  const entries = Object.entries(value);
  check(entries.length, kMaxKeys, 'keys in one object');
  for (const [key, item] of entries) {
    if (key === 'layers' && Array.isArray(item)) {
      check(item.length, kMaxLayers, 'layers');
      check(sum(item.map(callCount)), kMaxCalls, 'calls of layers');
      checkGraphOrder(item);
    }
    checkSizes(item);
  }
}

const callCount = (layer: unknown): number =>
  isRecord(layer) ? listOf(layer['inbound_nodes']).length : 0;

function check(count: number, allowed: number, what: string): void {
  if (count <= allowed) return;
  throw new FormatError(`the config has ${count} ${what}; at most ${allowed} can be read`);
}
