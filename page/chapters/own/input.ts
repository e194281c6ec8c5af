// SPDX-License-Identifier: MIT
// Input for an unknown model: typed by the visitor, or generated from the shapes of its inputs.
import { Advice } from '../../shared/chapter.js';
import type { Nested } from '../../shared/text.js';
import type { InputFacts } from './facts.js';

const steps = 6;
const maxNumbers = 20_000;

/** Whether an input has steps that can be padded, either ids or features over time. */
export const isSequence = ({ shape, ids }: InputFacts): boolean =>
  shape.length > 2 || (shape.length === 2 && ids !== undefined);

/** Returns a fixed value for each input: ids for an Embedding, a sine wave for features. */
export const generatedInput = (inputs: readonly InputFacts[]): Nested[] => inputs.map(valueFor);

function valueFor(input: InputFacts): Nested {
  const { shape, ids, dtype } = input;
  const full = shape.map((size, axis) => size ?? (axis === 0 ? 1 : steps));
  const known = ids === undefined ? undefined : Math.max(2, Math.min(ids, 100));
  return fill(full, (place) => {
    const [row = 0, step = 0] = place;
    if (dtype === 'bool') return true;
    if (known !== undefined) return 1 + ((3 * step + 5 * row) % (known - 1));
    const angle = place.reduce((sum, index, axis) => sum + index * (axis + 1), 1);
    return Math.round(1000 * Math.sin(angle)) / 1000;
  });
}

function fill(
  shape: readonly number[],
  value: (place: number[]) => number | boolean,
  place: number[] = [],
): Nested {
  const size = shape[place.length];
  if (size === undefined) return value(place);
  return Array.from({ length: size }, (_, index) => fill(shape, value, [...place, index]));
}

/** Parses typed JSON as one value for each input. Throws `Advice` if its shape or type is wrong. */
export function parseInput(text: string, inputs: readonly InputFacts[]): Nested[] {
  const value = parsed(text);
  const values = inputs.length === 1 ? [value] : value;
  if (values.length !== inputs.length)
    throw new Advice(
      `The model has ${inputs.length} inputs, but the JSON has ${values.length} items. Type a list of ${inputs.length}, one for each input.`,
    );
  return inputs.map((input, index) => checked(values[index], input, inputs.length > 1));
}

function parsed(text: string): Nested[] {
  let value: unknown;
  try {
    // Accepts typographic minus signs and a trailing comma.
    value = JSON.parse(text.replace(/−/g, '-').replace(/,\s*(?=\])/g, ''));
  } catch {
    throw new Advice(
      'The input is not JSON. Type rows of numbers in square brackets, such as [[1, 2, 3]].',
    );
  }
  if (!Array.isArray(value))
    throw new Advice('Type a list of rows in square brackets, such as [[1, 2, 3]].');
  return value;
}

function checked(value: unknown, input: InputFacts, named: boolean): Nested {
  const who = named ? `The input ${input.name}` : 'The input';
  const expected = `(${input.shape.map((size) => size ?? 'any').join(', ')})`;
  const shape = shapeOf(value);
  if (!shape)
    throw new Advice(
      `${who} has rows of unequal lengths, or something that is not a number. Its shape must be ${expected}.`,
    );
  const size = shape.reduce((product, each) => product * each, 1);
  if (size === 0) throw new Advice(`${who} is empty. Its shape must be ${expected}.`);
  if (size > maxNumbers)
    throw new Advice(`${who} has ${size} numbers; this figure accepts ${maxNumbers}.`);
  const fits =
    shape.length === input.shape.length &&
    input.shape.every((each, axis) => each === null || each === shape[axis]);
  if (!fits)
    throw new Advice(`${who} has the shape (${shape.join(', ')}); the model expects ${expected}.`);
  checkNumbers(value, input, who);
  return value as Nested;
}

function checkNumbers(value: unknown, { ids }: InputFacts, who: string): void {
  const numbers = [value].flat(Number.POSITIVE_INFINITY as 20) as (number | boolean)[];
  if (ids === undefined) return;
  const other = numbers.find((each) => !Number.isInteger(each) || (each as number) < 0);
  if (other !== undefined)
    throw new Advice(`${who} needs ids, which are integers from 0; ${other} is not an id.`);
  const large = numbers.find((each) => (each as number) >= ids);
  if (large !== undefined)
    throw new Advice(`${who} has the id ${large}; the model only has ids 0 to ${ids - 1}.`);
}

/** Returns the shape of a nested array of numbers; undefined for anything else. */
function shapeOf(value: unknown): number[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : undefined;
  if (typeof value === 'boolean') return [];
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0) return [0];
  const shapes = value.map(shapeOf);
  const [first] = shapes;
  const same = shapes.every((shape) => shape && shape.join() === first?.join());
  return same && first ? [value.length, ...first] : undefined;
}
