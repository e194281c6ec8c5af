// SPDX-License-Identifier: MIT
// `rearrange` of maskflow/train, in the notation of einops, made of reshape and transpose.
import { checkText, optionsOf } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { asTensor, type Operand, type Tensor, type TensorLike } from '../tensor/tensor.js';
import type { SymbolicTensor } from '../tensor/tensor.js';
import { reshape, transpose } from './ops.gen.js';

/** Axes of one side of a pattern: each a list of names, of several if they are joined. */
type Side = string[][];

function sideOf(text: string, pattern: string): Side {
  const parts = text.match(/\([^()]*\)|[^\s()]+|[()]/g) ?? [];
  const side = parts.map((part) => part.replace(/^\((.*)\)$/, '$1').match(/\S+/g) ?? []);
  for (const name of side.flat()) {
    if (/^(1|[a-z_]\w*)$/i.test(name)) continue;
    throw new ValueError(
      `the pattern '${pattern}' has '${name}'; use names of axes and parentheses, as in 'b t (h d) -> b h t d'`,
    );
  }
  return side;
}

/** Finds the sizes of the names of an axis: at most one of several is not known. */
function addSizes(names: string[], size: number | null, sizes: Map<string, number | null>): void {
  const unknown = names.filter((name) => !sizes.has(name));
  const known = names.reduce((product, name) => product * (sizes.get(name) ?? 1), 1);
  const [first, second] = unknown;
  if (second !== undefined) {
    throw new ValueError(`pass the size of '${first}' or '${second}'`);
  }
  const fits = size === null || (first === undefined ? known === size : size % known === 0);
  if (!fits) {
    throw new ShapeError(`an axis of size ${size} is not (${names.join(' ')}) of ${known}`);
  }
  if (first !== undefined) sizes.set(first, size === null ? null : size / known);
}

/**
 * Splits, transposes and joins axes by a pattern: `'b t (h d) -> b h t d'`.
 *
 * @param pattern Names of the axes before and after an arrow.
 * @param axesLengths Sizes of axes that the shape does not determine, by name.
 */
export function rearrange(
  x: TensorLike,
  pattern: string,
  axesLengths?: { readonly [name: string]: number },
): Tensor;
export function rearrange(
  x: Operand,
  pattern: string,
  axesLengths?: { readonly [name: string]: number },
): SymbolicTensor;
export function rearrange(
  x: Operand,
  pattern: string,
  axesLengths: { readonly [name: string]: number } = {},
): Tensor {
  checkText(pattern, 'the pattern');
  const [before, after, more] = pattern.split('->').map((text) => sideOf(text, pattern));
  if (!before || !after || more) throw new ValueError(`the pattern '${pattern}' needs one '->'`);
  const names = before.flat().filter((name) => name !== '1');
  const target = after.flat().filter((name) => name !== '1');
  if (new Set(names).size !== names.length || `${[...names].sort()}` !== `${[...target].sort()}`) {
    throw new ValueError(`both sides of the pattern '${pattern}' must have each axis once`);
  }
  const operand = asTensor(x);
  const { shape } = operand;
  if (shape.length !== before.length) {
    throw new ShapeError(
      `the pattern '${pattern}' has ${before.length} axes, but x ${shape.length}`,
    );
  }
  const sizes = new Map<string, number | null>(Object.entries(optionsOf(axesLengths)));
  sizes.set('1', 1);
  for (const [i, axis] of before.entries()) addSizes(axis, shape[i] as number | null, sizes);
  const order = target.map((name) => names.indexOf(name));
  const split = reshaped(
    operand,
    before,
    names.map((name) => [name]),
    sizes,
    pattern,
  );
  return reshaped(
    transpose(split, { axes: order }),
    target.map((name) => [name]),
    after,
    sizes,
    pattern,
  );
}

/** Splits or joins axes. Axes that stay as they are may be of unknown size. */
function reshaped(
  x: Tensor,
  from: Side,
  to: Side,
  sizes: Map<string, number | null>,
  pattern: string,
): Tensor {
  return from.join('|') === to.join('|') ? x : reshape(x, shapeOf(to, sizes, pattern));
}

/** The shape of axes; one of unknown size is -1. */
function shapeOf(axes: Side, sizes: Map<string, number | null>, pattern: string): number[] {
  const shape = axes.map((names) =>
    names.reduce<number>((product, name) => {
      const size = sizes.get(name) ?? null;
      return size === null || product < 0 ? -1 : product * size;
    }, 1),
  );
  if (shape.filter((size) => size < 0).length > 1) {
    throw new ShapeError(`the pattern '${pattern}' leaves several axes of unknown size`);
  }
  return shape;
}
