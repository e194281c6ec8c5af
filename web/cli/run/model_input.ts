// SPDX-License-Identifier: MIT
import type { Model } from '../../src/index.js';
import { endsOf, inputsOf, type ModelInput, namesOf, readsText } from '../inputs.js';

/** An input of the model, which rows have a value for. */
export interface RowInput extends ModelInput {
  /** Name of the input; '' if the model has only one and does not name it. */
  name: string;
  isText: boolean;
}

/** The inputs of the model, and whether `predict` accepts them by name. */
export interface RowInputs {
  inputs: readonly RowInput[];
  keyed: boolean;
}

/** Describes the inputs of a model for the readers of rows. */
export function rowInputs(model: Model): RowInputs {
  if (readsText(model)) {
    const { textInputs } = model as unknown as {
      textInputs: readonly { name: string; isText: boolean }[];
    };
    const inputs = textInputs.map((input) => ({
      ...input,
      // The graph behind the layers of text decides about numbers.
      shape: [],
      dtype: 'float32' as const,
    }));
    return { inputs, keyed: inputs.length > 1 };
  }
  const ends = endsOf(model);
  const names = namesOf(ends);
  const inputs = inputsOf(model).map((input, i) => ({
    ...input,
    name: names[i] ?? '',
    isText: false,
  }));
  return { inputs, keyed: inputs.length > 1 && names.length === inputs.length };
}
