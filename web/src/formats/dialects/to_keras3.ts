// SPDX-License-Identifier: MIT
/**
 * Converts configs of Keras 1, Keras 2 and TF.js to Keras 3's form, which the core reads: names,
 * graphs and defaults. docs/model-files.md has a table of the differences.
 */
import { FormatError } from '../../base/errors.js';
import { Budget } from '../open/budget.js';
import type { HardSigmoid, SerializedObject } from '../artifact.js';
import { type Context, majorOf } from './context.js';
import { isModel } from './entries.js';
import { isRecord, textOf, unwrapTuples } from '../json.js';
import { toLayerOrModel, toModel } from './models.js';

export { withHardSigmoid } from './hard_sigmoid.js';
export { treeOfKeras2 } from './keras2_tree.js';

/** A converted config. */
export interface Converted {
  config: SerializedObject;
  hardSigmoid: HardSigmoid;
  /** Unsupported parts of the file, a sentence each, with the remedy. */
  problems: string[];
}

/**
 * Converts a model's config to Keras 3's dialect. `version` is the one in the file ('1.2.2',
 * '2.15.0', 'tfjs-layers 4.22.0'), or '' if it has none. `replaced` has the names of layers and
 * classes that the caller replaces; their configs are not changed. Throws FormatError if it is not
 * a model.
 */
export function toKeras3(
  model: unknown,
  version: string,
  budget = new Budget(),
  replaced: ReadonlySet<string> = new Set(),
): Converted {
  const plain = unwrapTuples(model, budget);
  if (!isRecord(plain) || !isModel(plain)) {
    const kind = isRecord(plain)
      ? `a ${textOf(plain['class_name']) || 'dictionary'}`
      : typeof plain;
    throw new FormatError(`the config is not that of a model, but of ${kind}`);
  }
  const context: Context = {
    major: majorOf(version, plain),
    problems: [],
    budget,
    replaced,
    convert: (entry) => toLayerOrModel(entry, context),
  };
  return {
    config: toModel(plain, context),
    hardSigmoid: context.major < 3 ? 'keras2' : 'keras3',
    problems: context.problems,
  };
}
