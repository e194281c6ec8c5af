// SPDX-License-Identifier: MIT
import { elementCount, sum } from '../../base/array.js';
import { native, unwrap } from '../../engine/engine.js';
import { FormatError } from '../../base/errors.js';
import { emptyTensor } from '../../tensor/tensor.js';
import type { FloatWriter, NamedArray } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { readingFailed } from '../open/reading_failed.js';
import type { TreeWeight } from '../tree.js';

export interface Pair {
  readonly weight: TreeWeight;
  readonly array: NamedArray;
}

/** Which array of a file goes into which weight of a model, and what is left over. */
export interface Pairing {
  readonly pairs: Pair[];
  /** Weights of the model that the file has nothing for. */
  readonly missing: TreeWeight[];
  /** Arrays of the file that the model has no place for. */
  readonly extra: NamedArray[];
}

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i]);

/**
 * Sets the weights. FormatError with both lists when one is missing, left over, or of another shape; then, and when an
 * array cannot be read, no weight is changed. `fresh`: no weight has a value yet.
 */
export async function setPaired(
  pairing: Pairing,
  file: string,
  model: string,
  budget: Budget,
  fresh: boolean,
): Promise<void> {
  checkComplete(pairing, file, model);
  const values: { weight: TreeWeight; write: FloatWriter }[] = [];
  for (const { weight, array } of pairing.pairs) {
    await budget.pause();
    values.push({ weight, write: writerOf(array, file) });
  }
  if (fresh) makeRoom(pairing);
  for (const { weight, write } of values) {
    const value = emptyTensor('float32', weight.shape);
    try {
      value.read((floats) => write(floats as Float32Array));
      unwrap(native().layerSetWeight(weight.owner, weight.index, value.handle));
    } finally {
      value.dispose();
    }
  }
}

/** What the allocator adds to an array, at most. */
const kAround = 128;

/** The memory grows once, to what is needed, and not step by step to more than that. */
function makeRoom({ pairs }: Pairing): void {
  const size = ({ weight: { shape } }: Pair): number => 4 * elementCount(shape) + kAround;
  const bytes = sum(pairs.map(size));
  if (bytes < kMostBytes) native()._make_room(bytes);
}

/** Beyond, the address would wrap. */
const kMostBytes = 2 ** 31;

function writerOf(array: NamedArray, file: string): FloatWriter {
  try {
    if (array.writer) return array.writer();
    const data = array.read();
    const size = elementCount(array.shape);
    if (data.length === size) return (floats) => floats.set(data);
    throw new FormatError(`it has ${data.length} elements in place of ${size}`);
  } catch (error) {
    throw readingFailed(error, `'${array.name}' in ${file}`);
  }
}

const kMostLines = 100;

function checkComplete({ pairs, missing, extra }: Pairing, file: string, model: string): void {
  const misshapen = pairs.filter(({ weight, array }) => !sameShape(weight.shape, array.shape));
  if (missing.length + extra.length + misshapen.length === 0) return;
  const ours = (weight: TreeWeight): string => `${weight.path} [${weight.shape.join(', ')}]`;
  const theirs = (array: NamedArray): string => `${array.name} [${array.shape.join(', ')}]`;
  const parts = [
    section('missing in the file', missing.map(ours)),
    section('in the file, but not in the model', extra.map(theirs)),
    section(
      'of another shape',
      misshapen.map(
        ({ weight, array }) => `${ours(weight)} in the model, ${theirs(array)} in the file`,
      ),
    ),
    section(
      'all weights of the model',
      [...pairs.map(({ weight }) => weight), ...missing].map(ours),
    ),
    section('all weights of the file', [...pairs.map(({ array }) => array), ...extra].map(theirs)),
  ];
  throw new FormatError(
    `the weights in ${file} do not fit the model '${model}': ${missing.length} missing, ${extra.length} left over, ${misshapen.length} of another shape; load them into the architecture that they were saved from${parts.join('')}`,
  );
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > kMostLines ? [`… and ${lines.length - kMostLines} more`] : [];
  return `\n  ${title}:${[...lines.slice(0, kMostLines), ...more].map((line) => `\n    ${line}`).join('')}`;
}
