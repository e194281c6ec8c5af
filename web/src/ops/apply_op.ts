// SPDX-License-Identifier: MIT
// The call of an op, for the generated functions of `ops`.
import { checkList, isPlain, optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { settingsOf } from '../engine/config_value.js';
import { asTensor, type Operand, type Tensor, wrapTensor } from '../tensor/tensor.js';

/** Name under which the core receives options by position. */
export const positional = '';

/**
 * Returns the options that a function of `ops` received: by position, as in Keras, then by name.
 * Options by position form a list under the name {@link positional}.
 */
export function optionsIn(given: readonly unknown[]): { readonly [name: string]: unknown } {
  if (given.length === 0) return {};
  if (given.length === 1 && isPlain(given[0])) return given[0];
  let count = given.length;
  while (count > 0 && given[count - 1] === undefined) count--;
  const last = given[count - 1];
  const byName = isPlain(last) ? last : {};
  const values = given
    .slice(0, isPlain(last) ? count - 1 : count)
    .map((value) => (isObject(value) ? optionsOf(value) : (value ?? null)));
  return values.length > 0 ? { ...byName, [positional]: values } : byName;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (Object(value) === value && !Array.isArray(value));

/** Stands for an optional operand that is left out. */
export const absent = { handle: null } as unknown as Tensor;

/**
 * Runs an op of the core. Temporary tensors for converted operands are freed at once.
 *
 * @param settings Options of the op; as a list, those that its function received.
 * @param attributes Positional settings, merged with the options.
 */
export function applyOp(
  name: string,
  operands: readonly Operand[],
  settings: object = [],
  attributes?: object,
): Tensor[] {
  checkList(operands, `the argument of ${name}`);
  const temporary: Tensor[] = [];
  try {
    const tensors = operands.map((operand) => {
      const tensor = operand === absent ? absent : asTensor(operand);
      if (tensor !== operand) temporary.push(tensor);
      return tensor;
    });
    const handles = unwrap(
      native().opApply(
        name,
        tensors.map((t) => t.handle),
        settingsOf(
          byName({
            ...attributes,
            ...(Array.isArray(settings) ? optionsIn(settings) : settings),
          }),
        ),
      ),
    );
    return handles.map((handle) => {
      const result = wrapTensor(handle);
      if (result.isSymbolic) result.keeps = tensors;
      return result;
    });
  } finally {
    for (const tensor of temporary) if (!tensor.isSymbolic) tensor.dispose();
  }
}

/** Accepts positional settings also by name, in one object: `topK(x, { k: 2 })`. */
function byName(settings: { readonly [name: string]: unknown }): object {
  for (const key in settings) {
    const value = settings[key];
    if (isPlain(value) && key in value) return { ...settings, ...value };
  }
  return settings;
}

/** Runs an op with one result. */
export const applyOne = (...call: Parameters<typeof applyOp>): Tensor =>
  applyOp(...call)[0] as Tensor;
