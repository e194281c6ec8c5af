// SPDX-License-Identifier: MIT
// `toString` of tensors, which console.log shows.
import type { NestedArray } from '../base/nested.js';

/** The part of a tensor that printing uses. */
interface Printable {
  readonly shape: readonly (number | null)[];
  readonly dtype: string;
  readonly size: number;
  readonly isSymbolic: boolean;
  readonly mask: Printable | null;
  array(): NestedArray<number | boolean>;
  dispose(): void;
}

/** Items at each end of an axis that is cut. */
const kEdge = 3;
/** Larger tensors are cut. */
const kThreshold = 1000;

function format(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  if (Number.isInteger(value)) return String(value);
  const text = value.toPrecision(6);
  return text.includes('e') || !text.includes('.') ? text : text.replace(/\.?0+$/, '');
}

function render(value: unknown, depth: number, short: boolean, width: number): string {
  if (!Array.isArray(value)) return format(value as number | boolean).padStart(width);
  const isCut = short && value.length > 2 * kEdge;
  const items = isCut ? [...value.slice(0, kEdge), ...value.slice(-kEdge)] : value;
  const parts = items.map((item) => render(item, depth + 1, short, width));
  if (isCut) parts.splice(kEdge, 0, '…');
  const inner = value.length > 0 && Array.isArray(value[0]);
  return `[${parts.join(inner ? `\n${' '.repeat(depth + 1)}` : ' ')}]`;
}

function text(tensor: Printable): string {
  const array = tensor.array();
  const items = [array].flat(Number.POSITIVE_INFINITY as 1) as (number | boolean)[];
  const width = Math.max(0, ...items.slice(0, kThreshold).map((item) => format(item).length));
  return render(array, 0, tensor.size > kThreshold, width);
}

/** Prints a tensor like NumPy: elements, shape, dtype and, if there is one, the mask. */
export function print(tensor: Printable): string {
  const shape = tensor.shape.map((dim) => dim ?? 'None').join(', ');
  const kind = `shape (${shape}), ${tensor.dtype}`;
  const mask = tensor.mask;
  if (tensor.isSymbolic) {
    const result = `<symbolic tensor, ${kind}${mask ? ', masked' : ''}>`;
    mask?.dispose();
    return result;
  }
  const body = `${text(tensor)}\n${kind}`;
  if (!mask) return body;
  const result = `${body}\nmask ${text(mask).replaceAll('\n', '\n     ')}`;
  mask.dispose();
  return result;
}
