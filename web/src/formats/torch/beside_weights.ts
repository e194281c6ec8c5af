// SPDX-License-Identifier: MIT
// Values that a checkpoint has beside its weights: vocabularies, means, settings.
import type { Budget } from '../open/budget.js';
import { PlainValues } from '../pickle/plain_values.js';
import { PythonObject } from '../pickle/python_values.js';
import { candidatesIn } from './candidates.js';
import { Storage } from './rebuild.js';
import { hostElements, isTensor, type StoredTensor } from './stored.js';

const kWhere = 'the values of the file';

/** The values of a file without state dicts, modules and the states of optimizers. */
export class BesideWeights {
  /** Tensors among the values. */
  readonly tensors: ReadonlySet<StoredTensor>;
  readonly #omitted = new Set<unknown>();

  constructor(
    readonly root: unknown,
    readonly budget: Budget,
  ) {
    for (const { value } of candidatesIn(root, budget)) this.#omitWeights(value);
    this.tensors = this.#visible();
  }

  /** Omits a module, and the tensors of a state dict; all of it if it has nothing else. */
  #omitWeights(value: Map<unknown, unknown> | PythonObject): void {
    if (value instanceof PythonObject) {
      this.#omitted.add(value);
      return;
    }
    const items = [...value.values()];
    for (const item of items) if (isTensor(item)) this.#omitted.add(item);
    if (items.every(isTensor)) this.#omitted.add(value);
  }

  readonly #isOmitted = (value: unknown): boolean =>
    this.#omitted.has(value) ||
    value instanceof Storage ||
    (isTensor(value) && value.problem !== undefined) ||
    (value instanceof Map && value.has('param_groups'));

  /** Returns the tensors that `data` shows. */
  #visible(): Set<StoredTensor> {
    const found = new Set<StoredTensor>();
    const seen = new Set<unknown>();
    const waiting: unknown[] = [this.root];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      if (this.#isOmitted(value)) continue;
      if (isTensor(value)) found.add(value);
      for (const part of partsOf(value)) {
        this.budget.spend('nodes', 1, kWhere);
        waiting.push(part);
      }
    }
    return found;
  }

  /** Returns the values as plain data; an object without fields if there are none. */
  data(): unknown {
    if (this.#isOmitted(this.root)) return {};
    const values = new PlainValues(this.budget, this.#isOmitted, (value) => {
      if (!isTensor(value)) return undefined;
      return { ...hostElements(value, 'a tensor of data'), shape: value.shape };
    });
    return values.convert(this.root);
  }
}

function partsOf(value: object): Iterable<unknown> {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return value.values();
  if (!(value instanceof PythonObject)) return [];
  return [...value.attributes.values(), value.items, value.state, value.args];
}
