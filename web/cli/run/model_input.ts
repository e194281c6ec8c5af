// SPDX-License-Identifier: MIT
// The inputs of a model as readers of rows need them: shapes and widths of a row.
import type { Model } from '../../src/index.js';
import type { Preparation } from '../prepared.js';
import { endsOf, inputsOf, type ModelInput, namesOf, readsText } from '../inputs.js';
import { UsageError } from '../usage.js';

/** An input of the model, which rows have a value for. */
export interface RowInput extends ModelInput {
  /** Name of the input; '' if the model has only one and does not name it. */
  name: string;
  isText: boolean;
  /** Change of the values before the model. */
  preparation?: Preparation | undefined;
}

/** The inputs of the model, and whether `predict` accepts them by name. */
export interface RowInputs {
  inputs: readonly RowInput[];
  keyed: boolean;
  /**
   * Whether a row must have the length that the model declares. Otherwise the first row decides:
   * recurrent models accept other lengths than theirs.
   */
  isStrict: boolean;
}

/** How many columns a row of a table has, besides those that pass through. */
export interface Width {
  fits(columns: number): boolean;
  /** Words of the error for another number. */
  text: string;
}

/** The columns of a row that the model declares; null if it accepts any number. */
export function rowWidth({ shape, isText }: RowInput, keys: number): Width | null {
  if (isText || shape.length === 0 || shape.length > 3) return null;
  const [, steps = 1, features = 1] = shape;
  const others = keys === 0 ? '' : `, beside ${keys} for --id`;
  if (steps !== null && features !== null) {
    const count = steps * features;
    return {
      fits: (columns) => columns - keys === count,
      text: `the model accepts ${count}${others}`,
    };
  }
  if (features === null || features === 1) return null;
  return {
    fits: (columns) => columns > keys && (columns - keys) % features === 0,
    text: `the model accepts a multiple of its ${features} features per step${others}`,
  };
}

/**
 * Adds a Tokenizer or a scaler to the only input. Throws UsageError for a model with several
 * inputs, and for one that reads text.
 */
export function preparedInputs(rows: RowInputs, preparation: Preparation): RowInputs {
  const { tokenizer, scaler } = preparation;
  if (!tokenizer && !scaler) return rows;
  const [input, ...others] = rows.inputs;
  const option = tokenizer ? '--tokenizer' : '--scaler';
  if (!input || others.length > 0) {
    throw new UsageError(`${option} is for models with one input, not ${rows.inputs.length}`);
  }
  if (input.isText) throw new UsageError(`${option} is not for models that read text`);
  return { ...rows, inputs: [{ ...input, isText: tokenizer !== undefined, preparation }] };
}

/** Describes the inputs of a model for the readers of rows. */
export function rowInputs(model: Model, isStrict: boolean): RowInputs {
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
    return { inputs, keyed: inputs.length > 1, isStrict };
  }
  const ends = endsOf(model);
  const names = namesOf(ends);
  const inputs = inputsOf(model).map((input, i) => ({
    ...input,
    name: names[i] ?? '',
    isText: false,
  }));
  return { inputs, keyed: inputs.length > 1 && names.length === inputs.length, isStrict };
}
