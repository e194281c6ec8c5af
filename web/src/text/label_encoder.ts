// SPDX-License-Identifier: MIT
// The labels of a classifier of sklearn, so that a page can show the names that Python used.
import { checkOptions, refuse, show } from '../base/check.js';
import { ConfigError, ValueError } from '../base/errors.js';
import { Identity } from '../base/identity.js';
import { nearestOf } from '../base/nearest.js';
import { isTypedArray } from '../base/nested.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { isHostArray } from './host_array.js';

/** A label: the name or the number of a class. */
export type Label = string | number | boolean;

const kName = 'LabelEncoder';
const isLabel = (value: unknown): value is Label => /^(string|number|boolean)$/.test(typeof value);

/** Returns the items of a list, a typed array, a tensor or an array of a pickle. */
function itemsOf(value: unknown, what: string): unknown[] {
  if (isTensor(value) || isHostArray(value)) {
    if (value.shape.length !== 1)
      throw new ValueError(`${kName}: ${what} has the shape [${value.shape}] but must be a list`);
    const data = isTensor(value) ? value.data() : value.data;
    return Array.from(data as ArrayLike<unknown>, (item) =>
      value.dtype === 'bool' ? Boolean(item) : item,
    );
  }
  if (Array.isArray(value) || isTypedArray(value)) return Array.from(value as ArrayLike<unknown>);
  return refuse(`${kName}: ${what}`, 'a list', value);
}

/**
 * sklearn's LabelEncoder: gives each label the position of its class. `readPickle` returns it.
 *
 * @example
 * const encoder = new LabelEncoder({ classes: ['bad', 'good'] });
 * encoder.inverseTransform([1, 0]) // ['good', 'bad']
 */
export class LabelEncoder extends Identity {
  /** Class name in sklearn. */
  readonly className = kName;
  /** The labels in order: `classes_` of Python. */
  readonly classes: readonly Label[];
  readonly #ids: ReadonlyMap<Label, number>;

  /** Throws ConfigError for labels that repeat, or are neither texts, numbers nor booleans. */
  constructor(settings: {
    /** The labels in order: `classes_` of Python. */
    classes: ArrayLike<Label>;
  }) {
    super();
    const { classes } = checkOptions(settings, { classes: 1 });
    const labels = itemsOf(classes, 'classes');
    for (const label of labels)
      if (!isLabel(label))
        refuse(`${kName}: a class`, 'a text, a number or a boolean', label, ConfigError);
    this.classes = Object.freeze(labels as Label[]);
    this.#ids = new Map(this.classes.map((label, i) => [label, i]));
    if (this.#ids.size === labels.length) return;
    const second = this.classes.find((label, i) => this.#ids.get(label) !== i);
    throw new ConfigError(`${kName}: the class ${show(second)} occurs twice`);
  }

  /** Returns the position of each label. Throws ValueError for an unknown label. */
  transform(labels: ArrayLike<Label>): number[] {
    return itemsOf(labels, 'labels').map((label) => {
      const id = this.#ids.get(label as Label);
      if (id !== undefined) return id;
      const names = this.classes.map(String);
      const hint = typeof label === 'string' ? nearestOf(label, names) : '';
      throw new ValueError(
        `${kName}: the label ${show(label)} is unknown${hint}; the classes are ${names.slice(0, 20).join(', ')}`,
      );
    });
  }

  /** Returns the label of each position. Throws ValueError for a position without a class. */
  inverseTransform(ids: ArrayLike<number> | Tensor): Label[] {
    return itemsOf(ids, 'ids').map((id) => {
      const label = Number.isInteger(id) ? this.classes[id as number] : undefined;
      if (label !== undefined) return label;
      throw new ValueError(
        `${kName}: ${show(id)} is not the position of a class; it must be a whole number from 0 to ${this.classes.length - 1}`,
      );
    });
  }
}
