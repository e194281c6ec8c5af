// SPDX-License-Identifier: MIT
// Files of the safetensors library, which contain no pickle.
import { FormatError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import { parseJsonBytes } from '../json_text.js';
import { isRecord } from '../json.js';
import type { OpenFile } from '../open/open_file.js';
import type { TorchContent } from './content.js';
import {
  bufferOf,
  checkTensor,
  denseStrides,
  elementSizes,
  isRank,
  type StoredTensor,
  unreadable,
} from './stored.js';

const dtypes: { readonly [name: string]: string } = {
  F32: 'float32',
  F64: 'float64',
  F16: 'float16',
  BF16: 'bfloat16',
  I64: 'int64',
  I32: 'int32',
  I16: 'int16',
  I8: 'int8',
  U8: 'uint8',
  BOOL: 'bool',
};

/** Returns whether a file begins like safetensors: the length of its JSON, then the JSON. */
export const isSafetensors = (head: Uint8Array): boolean =>
  head[8] === 0x7b && head.subarray(5, 8).every((byte) => byte === 0);

/** Reads a .safetensors file: JSON that says where each tensor is, then the tensors. */
export async function readSafetensors({ bytes, name, budget }: OpenFile): Promise<TorchContent> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  const start = 8 + length;
  if (start > bytes.length) {
    throw new FormatError(
      `${name} is cut short: its header needs ${length} bytes, but ${bytes.length - 8} follow`,
    );
  }
  const header = parseJsonBytes(bytes.subarray(8, start), `the header of ${name}`, budget);
  if (!isRecord(header)) throw new FormatError(`the header of ${name} is not an object of tensors`);
  const data = bytes.subarray(start);
  const root = new Map<string, StoredTensor>();
  for (const [key, entry] of Object.entries(header)) {
    if (key === '__metadata__') continue;
    budget.spend('entries', 1, 'the tensors of the file');
    if (root.size % 1024 === 0) await budget.pause();
    root.set(key, tensorOf(key, entry, data));
  }
  const { __metadata__: metadata } = header;
  return { root, load: async () => {}, ...(isRecord(metadata) && { metadata }) };
}

function tensorOf(name: string, entry: unknown, data: Uint8Array): StoredTensor {
  const { dtype: type, shape, data_offsets: range } = Object(entry);
  const [from, to] = Array.isArray(range) ? range : [];
  const isRange = [from, to].every(Number.isSafeInteger) && from >= 0 && from <= to;
  if (!isRange || to > data.length || !Array.isArray(shape) || typeof type !== 'string') {
    throw new FormatError(
      `the file is damaged: '${visible(name)}' has no dtype, no shape, or data outside of the file's ${data.length} bytes`,
    );
  }
  const dtype = Object.hasOwn(dtypes, type) ? (dtypes[type] as string) : '';
  if (!dtype) return unreadable(`a tensor of dtype ${visible(type)}`, shape);
  const size = elementSizes[dtype] as number;
  const buffer = bufferOf(name, to - from, size, data.subarray(from, to));
  const strides = isRank(shape) ? denseStrides(shape) : [];
  const tensor = checkTensor({ dtype, buffer, offset: 0, shape, strides });
  const needed = shape.reduce((count, dim) => count * dim, size);
  if (needed === buffer.size) return tensor;
  throw new FormatError(
    `the file is damaged: '${visible(name)}' needs ${needed} bytes, but has ${buffer.size}`,
  );
}
