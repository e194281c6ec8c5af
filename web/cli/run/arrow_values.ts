// SPDX-License-Identifier: MIT
// Decimals, dates and timestamps of Arrow. The library returns decimals as words of 32 bits, and
// timestamps as numbers of milliseconds, which lose digits.
import type * as Arrow from 'apache-arrow';
import type { Library } from './arrow_library.js';
import { JsonText } from './fields.js';

/** A field of Arrow data that passes through: its text, and its integer in the column. */
export class ArrowField extends JsonText {
  constructor(
    text: string,
    readonly integer: bigint,
  ) {
    super(text);
  }
}

/** Reads the value of a row; null where the column has none. */
type Reader<T> = (row: number) => T | null;

/** The integers of a column of decimals, dates or timestamps. */
function integersOf({ values, type }: Arrow.Data): (row: number) => bigint {
  const { bitWidth = 0 } = type as Partial<Arrow.Decimal>;
  if (bitWidth === 0) {
    if (values instanceof BigInt64Array) return (row) => values[row] as bigint;
    return (row) => BigInt((values as Int32Array)[row] as number);
  }
  const words = values as Uint32Array;
  const count = bitWidth / 32;
  return (row) => {
    let integer = 0n;
    for (let i = count - 1; i >= 0; i--) {
      integer = (integer << 32n) | BigInt(words[row * count + i] as number);
    }
    return BigInt.asIntN(bitWidth, integer);
  };
}

/** The digits of a decimal with `scale` of them after the point. */
export function decimalText(integer: bigint, scale: number): string {
  const sign = integer < 0n ? '-' : '';
  const digits = String(integer < 0n ? -integer : integer);
  if (scale <= 0) return `${sign}${digits}${integer === 0n ? '' : '0'.repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const kDay = 86_400_000;
/** Digits after the second, by the unit of a timestamp: seconds to nanoseconds. */
const kDigits = [0, 3, 6, 9];
/** Dates of JavaScript end here, in ms. */
const kLastDate = 8.64e15;

/** A timestamp as in ISO 8601; a number of its unit beyond the years that dates can have. */
function timestampText(integer: bigint, unit: number, zone: string | null | undefined): string {
  const digits = kDigits[unit] ?? 3;
  const perSecond = 10n ** BigInt(digits);
  const rest = ((integer % perSecond) + perSecond) % perSecond;
  const seconds = Number((integer - rest) / perSecond);
  if (Math.abs(seconds) * 1000 >= kLastDate) return String(integer);
  const second = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  const fraction = digits === 0 ? '' : `.${String(rest).padStart(digits, '0')}`;
  return `"${second}${fraction}${zone ? 'Z' : ''}"`;
}

function dateText(integer: bigint, isDay: boolean): string {
  const time = Number(integer) * (isDay ? kDay : 1);
  if (Math.abs(time) >= kLastDate) return String(integer);
  const text = new Date(time).toISOString();
  return time % kDay === 0 ? `"${text.slice(0, text.indexOf('T'))}"` : `"${text.slice(0, -1)}"`;
}

/** The text of the integers of a column; undefined for columns of other types. */
function textFor(arrow: Library, type: Arrow.DataType): ((integer: bigint) => string) | undefined {
  const { DataType } = arrow;
  if (DataType.isDecimal(type)) return (integer) => decimalText(integer, type.scale);
  if (DataType.isTimestamp(type)) {
    return (integer) => timestampText(integer, type.unit, type.timezone);
  }
  if (DataType.isDate(type)) {
    return (integer) => dateText(integer, type.unit === arrow.DateUnit.DAY);
  }
  return undefined;
}

/** Reads fields of a batch exactly; undefined for columns whose values the library returns so. */
export function exactReader(arrow: Library, vector: Arrow.Vector): Reader<ArrowField> | undefined {
  const text = textFor(arrow, vector.type);
  const [data] = vector.data;
  if (!text || !data) return undefined;
  const integerAt = integersOf(data);
  return (row) => {
    if (!vector.isValid(row)) return null;
    const integer = integerAt(row);
    return new ArrowField(text(integer), integer);
  };
}

/** Reads the numbers of a column of decimals; undefined for columns of other types. */
export function decimalReader(arrow: Library, vector: Arrow.Vector): Reader<number> | undefined {
  const { type } = vector;
  const [data] = vector.data;
  if (!arrow.DataType.isDecimal(type) || !data) return undefined;
  const integerAt = integersOf(data);
  return (row) => (vector.isValid(row) ? Number(decimalText(integerAt(row), type.scale)) : null);
}

/** True if a value of the type has decimals inside, which `plain` would read as words. */
export const hasDecimals = (arrow: Library, type: Arrow.DataType): boolean =>
  (type.children ?? []).some(
    (child) => arrow.DataType.isDecimal(child.type) || hasDecimals(arrow, child.type),
  );

/** A column of the type from fields that were read exactly. */
export function exactVector(
  arrow: Library,
  type: Arrow.DataType,
  fields: readonly (ArrowField | null)[],
): Arrow.Vector {
  const length = fields.length;
  const { bitWidth } = type as Partial<Arrow.Decimal>;
  const count = (bitWidth ?? 0) / 32;
  const isDay = arrow.DataType.isDate(type) && type.unit === arrow.DateUnit.DAY;
  const values = bitWidth
    ? new Uint32Array(length * count)
    : new (isDay ? Int32Array : BigInt64Array)(length);
  const nullBitmap = new Uint8Array(Math.ceil(length / 64) * 8);
  let nullCount = 0;
  for (const [row, field] of fields.entries()) {
    if (!field) {
      nullCount++;
      continue;
    }
    nullBitmap[row >> 3] = (nullBitmap[row >> 3] as number) | (1 << (row & 7));
    if (values instanceof BigInt64Array) values[row] = field.integer;
    else if (values instanceof Int32Array) values[row] = Number(field.integer);
    for (let i = 0; i < count; i++) {
      values[row * count + i] = Number((field.integer >> BigInt(32 * i)) & 0xffffffffn);
    }
  }
  const data = { type, length, nullCount, nullBitmap, data: values } as never;
  return arrow.makeVector(arrow.makeData(data) as never);
}
