// SPDX-License-Identifier: MIT
// The result of pairing, and its last step: all weights are checked before the first one changes.
import { elementCount, sum } from '../../base/array.js';
import { native, unwrap } from '../../engine/engine.js';
import type { NativeLayer } from '../../engine/native.js';
import { FormatError } from '../../base/errors.js';
import { emptyTensor } from '../../tensor/tensor.js';
import type { FloatWriter, NamedArray } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { asFormatError } from '../open/reading_failed.js';
import { loadOwn } from '../own_saving.js';
import type { TreeNode, TreeWeight } from '../tree.js';

/** A weight of the model and the array of the file with its values. */
export interface Pair {
  readonly weight: TreeWeight;
  readonly array: NamedArray;
}

/** Assignment of a file's arrays to a model's weights, with the rest of both. */
export interface Pairing {
  readonly pairs: Pair[];
  /** Weights of the model without an array. */
  readonly missing: TreeWeight[];
  /** Arrays of the file without a weight. */
  readonly extra: NamedArray[];
  /** Layers that load their arrays themselves. */
  readonly own?: { readonly node: TreeNode; readonly arrays: readonly NamedArray[] }[];
  /** Why the pairs are not certain, with a remedy. */
  readonly reason?: string;
}

/** Returns whether two shapes are equal. */
export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i]);

/** How `setPairedWeights` stores the weights. */
export interface Storing {
  /** Whether no weight has a value yet. */
  readonly fresh: boolean;
  /** Converts a weight to 8 bits as soon as it has its value. */
  readonly quantize?: ((layer: NativeLayer, index: number) => void) | undefined;
}

/**
 * Sets all weights of a pairing, or none. FormatError with both lists if weights or arrays are
 * unpaired or differ in shape, or if an array cannot be read. If a weight cannot be quantized, the
 * weights before it are set.
 */
export async function setPairedWeights(
  pairing: Pairing,
  file: string,
  model: string,
  budget: Budget,
  { fresh, quantize }: Storing,
): Promise<void> {
  checkComplete(pairing, file, model);
  const values: { weight: TreeWeight; write: FloatWriter }[] = [];
  for (const { weight, array } of pairing.pairs) {
    await budget.pause();
    values.push({ weight, write: writerOf(array, file) });
  }
  const sizeOf = ({ weight }: { weight: TreeWeight }): number => elementCount(weight.shape);
  // The floats of the largest weight leave room for those of all others.
  if (quantize) values.sort((a, b) => sizeOf(b) - sizeOf(a));
  const [largest] = values;
  if (fresh && largest) makeRoom(values, quantize ? 4 * sizeOf(largest) : null);
  for (const { weight, write } of values) {
    const value = emptyTensor('float32', weight.shape);
    try {
      value.read((floats) => write(floats as Float32Array));
      unwrap(native().layerSetWeight(weight.owner, weight.index, value.handle));
      quantize?.(weight.owner, weight.index);
    } finally {
      value.dispose();
    }
    // No other code knows a new model yet; the weights of others change together.
    if (quantize || fresh) await budget.pause();
  }
  for (const { node, arrays } of pairing.own ?? []) loadOwn(node, arrays);
}

/** Largest overhead of the allocator for one array, in bytes. */
const kOverhead = 128;

/**
 * Grows the memory once, to what is needed. Growing in steps would end with more. `floats`: bytes
 * of the floats that are in memory at once if the weights become 8-bit; else null.
 */
function makeRoom(values: readonly { weight: TreeWeight }[], floats: number | null): void {
  const size = ({ weight: { shape } }: { weight: TreeWeight }): number => {
    const count = elementCount(shape);
    // Kernels and tables have a scale for each column or row; vectors stay floats.
    const isSmall = floats !== null && shape.length > 1;
    return (isSmall ? count + 4 * Math.max(...shape) : 4 * count) + kOverhead;
  };
  const bytes = sum(values.map(size)) + (floats ?? 0);
  if (bytes < kMaxRoom) native()._make_room(bytes);
}

/** Limit of `_make_room` in bytes: above it, the address would wrap around. */
const kMaxRoom = 2 ** 31;

function writerOf(array: NamedArray, file: string): FloatWriter {
  try {
    if (array.writer) return array.writer();
    const data = array.read();
    const size = elementCount(array.shape);
    if (data.length === size) return (floats) => floats.set(data);
    throw new FormatError(`it has ${data.length} elements, but its shape needs ${size}`);
  } catch (error) {
    throw asFormatError(error, `'${array.name}' in ${file}`);
  }
}

/** Longest list of weights in a message. */
const kMaxLines = 100;

function checkComplete(
  { pairs, missing, extra, own = [], reason }: Pairing,
  file: string,
  model: string,
): void {
  if (reason) {
    throw new FormatError(`the weights in ${file} do not fit the model '${model}': ${reason}`);
  }
  const reshaped = pairs.filter(({ weight, array }) => !sameShape(weight.shape, array.shape));
  if (missing.length + extra.length + reshaped.length === 0) return;
  if (pairs.length + missing.length + own.length === 0) {
    throw new FormatError(
      `'${model}' has no weights yet, because the file does not contain its input shape, but ${file} has ${extra.length}; load it with loadModel(source, { weights: null }), call model.build([null, …]) with the shape of its inputs, then await model.loadWeights(source)`,
    );
  }
  const describeWeight = (weight: TreeWeight): string =>
    `${weight.path} [${weight.shape.join(', ')}]`;
  const describeArray = (array: NamedArray): string => `${array.name} [${array.shape.join(', ')}]`;
  const parts = [
    section('missing in the file', missing.map(describeWeight)),
    section('in the file, but not in the model', extra.map(describeArray)),
    section(
      'of another shape',
      reshaped.map(
        ({ weight, array }) =>
          `${describeWeight(weight)} in the model, ${describeArray(array)} in the file`,
      ),
    ),
    section(
      'all weights of the model',
      [...pairs.map(({ weight }) => weight), ...missing].map(describeWeight),
    ),
    section(
      'all weights of the file',
      [...pairs.map(({ array }) => array), ...extra].map(describeArray),
    ),
  ];
  throw new FormatError(
    `the weights in ${file} do not fit the model '${model}': ${missing.length} missing, ${extra.length} left over, ${reshaped.length} of another shape; load them into the architecture that they were saved from${parts.join('')}`,
  );
}

/** Lines of an error message under a title; '' without lines. */
function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > kMaxLines ? [`… and ${lines.length - kMaxLines} more`] : [];
  return `\n  ${title}:${[...lines.slice(0, kMaxLines), ...more].map((line) => `\n    ${line}`).join('')}`;
}
