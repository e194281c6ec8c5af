// SPDX-License-Identifier: MIT
// The state that all converters of dialects/ share, and the detection of the dialect. to_keras3.ts
// creates it.
import type { SerializedObject } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { isRecord, type Json, textOf } from '../json.js';

/** State of a conversion. */
export interface Context {
  /** Major version of the Keras that wrote the file: 1, 2 or 3. */
  readonly major: number;
  /** Parts that cannot be converted, a sentence each; listed together at the end. */
  readonly problems: string[];
  /** Limits of the file. */
  readonly budget: Budget;
  /** Names of layers and classes that the caller replaces. */
  readonly replaced: ReadonlySet<string>;
  /** Converts a layer or model inside another one. */
  readonly convert: (entry: Json) => SerializedObject;
}

/**
 * Major version of the Keras that wrote a file; 2 for TF.js (`tfjs-layers 4.22.0`), which writes
 * the same dialect. Without a version, the config decides.
 */
export function majorOf(version: string, model: unknown): number {
  if (version.includes('tfjs')) return 2;
  const major = version.includes('.') ? Number.parseInt(version, 10) : Number.NaN;
  if (major >= 0) return Math.max(1, major);
  return isKeras3Config(model) ? 3 : 2;
}

/** Classes that only Keras 3 writes. */
const kKeras3Classes = new Set(['__keras_tensor__', 'DTypePolicy']);

function isKeras3Config(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isKeras3Config);
  if (!isRecord(value)) return false;
  if (kKeras3Classes.has(textOf(value['class_name']))) return true;
  return Object.values(value).some(isKeras3Config);
}

/** Splits 'Package>Name', which Keras 2 writes as class_name. */
export function splitClass(entry: Json): { className: string; registered: string | null } {
  const name = textOf(entry['class_name']);
  const registered = typeof entry['registered_name'] === 'string' ? entry['registered_name'] : null;
  const at = name.lastIndexOf('>');
  if (at < 0) return { className: name, registered };
  return { className: name.slice(at + 1), registered: registered ?? name };
}
