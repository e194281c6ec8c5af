// SPDX-License-Identifier: MIT
// Weights of samples for several outputs: by name or by position.
import { show } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Structure } from './data.js';

/** Names of the outputs, and of those that the items of a list of targets belong to. */
export interface OutputNames {
  /** All outputs, in the order of lists. */
  readonly all: readonly string[];
  /** Outputs of the items of y, if y is a list. */
  readonly ofTargets: readonly string[] | null;
  /** Ranks of the outputs. */
  readonly ranks: readonly number[];
}

/**
 * Returns a function that finds the weights of an output. One tensor weights all outputs; outputs
 * with null, and those that a dictionary leaves out, have no weights.
 *
 * Throws ValueError for a name that is not an output, and for a list of another length.
 */
export function weightsByOutput(
  { values, form, absent = [], mayWeighSteps = false }: Structure,
  { all, ofTargets, ranks }: OutputNames,
): (name: string) => Tensor | undefined {
  if (form === 'one') {
    const weights = values['0'];
    const least = mayWeighSteps ? Math.min(...ranks) : 0;
    if (all.length > 1 && weights && weights.rank >= least) checkPerRow(weights, all.length);
    return () => weights;
  }
  if (form === 'dictionary') {
    const unknown = [...Object.keys(values), ...absent].find((key) => !all.includes(key));
    if (unknown === undefined) return (name) => values[name];
    throw new ValueError(
      `sampleWeight has weights for ${show(unknown)}, but ${all[0] === '0' ? 'the outputs have no names; give a list, or one tensor for all' : `the outputs are ${all.join(', ')}`}`,
    );
  }
  const count = Object.keys(values).length + absent.length;
  const names = [all, ofTargets].find((list) => list?.length === count);
  if (names) return (name) => values[names.indexOf(name)];
  throw new ValueError(
    `sampleWeight has ${count} items but the model has ${all.length} ${all.length === 1 ? 'output' : 'outputs'}; give one for each (null: not weighted), a dictionary by name, or one tensor for all`,
  );
}

/** Throws ValueError unless weights for several outputs have one number for each row. */
function checkPerRow({ rank, shape }: Tensor, outputs: number): void {
  if (rank === 1 || (rank === 2 && shape[1] === 1)) return;
  throw new ValueError(
    `sampleWeight has the shape [${shape}], but weights for all ${outputs} outputs have one number for each row; give a list with weights for each output`,
  );
}

/**
 * Returns weights in the form that steps of a class receive: as in Keras, one tensor is repeated
 * for each of several targets.
 */
export function weightsLike(y: Structure, weights: Structure): Structure {
  if (y.form === weights.form && y.form !== 'one') {
    const all = [...Object.keys(y.values), ...(y.absent ?? [])];
    weightsByOutput(weights, { all, ofTargets: null, ranks: [] });
  }
  const one = weights.form === 'one' ? weights.values['0'] : undefined;
  if (!one || y.form === 'one') return weights;
  const values = Object.fromEntries(Object.keys(y.values).map((key) => [key, one]));
  return { ...y, values };
}
