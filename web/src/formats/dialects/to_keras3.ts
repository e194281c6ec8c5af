// SPDX-License-Identifier: MIT
/**
 * Configurations of Keras 1, Keras 2 and TF.js in Keras 3's form. What they call things, how they write graphs, and
 * what they leave unsaid is turned into what the core reads; see the table in docs/model-files.md.
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

export interface Converted {
  config: SerializedObject;
  hardSigmoid: HardSigmoid;
  /** A sentence for each thing in the file that cannot be had here, with what to do. */
  problems: string[];
}

/**
 * A model's configuration in Keras 3's dialect. `version` is the one that the file mentions ('1.2.2', '2.15.0',
 * 'tfjs-layers 4.22.0'), '' when it mentions none. `replaced`: names of layers and classes that stand for somebody's own
 * classes, which read their configuration themselves. FormatError when it is no model.
 */
export function toKeras3(
  model: unknown,
  version: string,
  budget = new Budget(),
  replaced: ReadonlySet<string> = new Set(),
): Converted {
  const plain = unwrapTuples(model, budget);
  if (!isRecord(plain) || !isModel(plain)) {
    const found = isRecord(plain)
      ? `a ${textOf(plain['class_name']) || 'dictionary'}`
      : typeof plain;
    throw new FormatError(`the configuration is that of no model, but of ${found}`);
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
