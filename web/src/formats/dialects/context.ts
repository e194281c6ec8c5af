// SPDX-License-Identifier: MIT
import type { SerializedObject } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { isRecord, type Json, textOf } from '../json.js';

/** What is being converted: who wrote it, and what was found in it that cannot be had. */
export interface Context {
  /** Of the Keras that wrote the file: 1, 2 or 3. */
  readonly major: number;
  /** One sentence for each thing that cannot be converted; listed together at the end. */
  readonly problems: string[];
  /** What may still be spent on reading. */
  readonly budget: Budget;
  /** Names of layers and classes for which there is something of the caller's. */
  readonly replaced: ReadonlySet<string>;
  /** Converts a layer or model inside another. */
  readonly convert: (entry: Json) => SerializedObject;
}

/**
 * The major version of Keras. TF.js writes Keras 2's dialect (`tfjs-layers 4.22.0`). A file that does not say is judged by
 * its configuration.
 */
export function majorOf(version: string, model: unknown): number {
  if (version.includes('tfjs')) return 2;
  const major = version.includes('.') ? Number.parseInt(version, 10) : Number.NaN;
  if (major >= 0) return Math.max(1, major);
  return isKeras3Config(model) ? 3 : 2;
}

const kMarks = new Set(['__keras_tensor__', 'DTypePolicy']);

function isKeras3Config(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isKeras3Config);
  if (!isRecord(value)) return false;
  if (kMarks.has(textOf(value['class_name']))) return true;
  return Object.values(value).some(isKeras3Config);
}

/** 'Package>Name', as Keras 2 has it in class_name. */
export function splitClass(entry: Json): { className: string; registered: string | null } {
  const name = textOf(entry['class_name']);
  const registered = typeof entry['registered_name'] === 'string' ? entry['registered_name'] : null;
  const at = name.lastIndexOf('>');
  if (at < 0) return { className: name, registered };
  return { className: name.slice(at + 1), registered: registered ?? name };
}
