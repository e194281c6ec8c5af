// SPDX-License-Identifier: MIT
// Values as program text, and as numbers for people.

export type Nested = number | boolean | Nested[];

const scalar = (value: number | boolean): string =>
  typeof value === 'number' && Number.isNaN(value) ? 'NaN' : String(value);

/**
 * Returns a nested array as JavaScript; each row has its own line if one line would be too long.
 */
export function literal(value: Nested, indent = ''): string {
  if (!Array.isArray(value)) return scalar(value);
  const flat = `[${value.map((each) => literal(each)).join(', ')}]`;
  if (flat.length + indent.length <= 68 || !Array.isArray(value[0])) return flat;
  const inner = `${indent}  `;
  return `[\n${value.map((each) => `${inner}${literal(each, inner)},\n`).join('')}${indent}]`;
}

/** Returns a message as a sentence: with a capital first, and a mark at its end. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${'.!?'.includes(text.slice(-1)) ? '' : '.'}`;

/** Returns a nested array as Python. */
export const pyLiteral = (value: Nested, indent = ''): string =>
  literal(value, indent)
    .replaceAll('true', 'True')
    .replaceAll('false', 'False')
    .replaceAll('NaN', 'float("nan")');

/** Returns `{ a: 1, b: 'x' }` without undefined entries; '' when all are undefined. */
export function options(entries: {
  [name: string]: number | string | boolean | undefined;
}): string {
  const parts = Object.entries(entries)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '';
}

/** Returns a number with four digits after the point and a typographic minus sign. */
export function decimal(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value < 0 ? '−∞' : '∞';
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** Returns an integer with a typographic minus sign. */
export const integer = (value: number): string => String(value).replace('-', '−');

/** Returns a size with few digits: '3.0e−8' below 0.0001, else four digits after the point. */
export const small = (value: number): string =>
  Math.abs(value) < 0.0001 && value !== 0
    ? value.toExponential(1).replace(/-/g, '−')
    : decimal(value);

/**
 * Returns a difference as text: 'exactly 0', 'less than 0.0000001', or its size with four digits;
 * never a rounded 0.
 */
export function gap(value: number): string {
  if (value === 0) return 'exactly 0';
  if (!(value < 0.0001)) return decimal(value);
  const zeros = Math.min(12, Math.ceil(-Math.log10(value)) - 1);
  return `less than ${(10 ** -zeros).toFixed(zeros)}`;
}

/** Returns the largest of several differences as text: 'exactly 0', or 'up to 0.1422'. */
export const upTo = (value: number): string =>
  value < 0.0001 ? gap(value) : `up to ${gap(value)}`;

export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number} ${number === 1 ? singular : plural}`;

export function largestGap(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++)
    largest = Math.max(largest, Math.abs((a[i] ?? 0) - (b[i] ?? 0)));
  return largest;
}

/** Returns a probability with four digits, but never a rounded 0 or 1. */
export function probability(value: number): string {
  if (value > 0 && value < 0.00005) return '<0.0001';
  if (value < 1 && value > 0.99995) return '>0.9999';
  return decimal(value);
}
