// SPDX-License-Identifier: MIT
// Tensors and storages in a pickle of PyTorch: a tensor is a view of a storage, whose bytes are
// elsewhere in the file.
import { elementCount } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import { show } from '../../base/check.js';
import type { Budget } from '../open/budget.js';
import { member, PythonName } from '../pickle/python_values.js';
import {
  type Buffer,
  bufferOf,
  checkTensor,
  elementSizes,
  isCount,
  isRank,
  type StoredTensor,
  unreadable,
} from './stored.js';

/** A storage as the pickle names it: shared bytes with a dtype. */
export class Storage {
  constructor(
    readonly buffer: Buffer,
    /** PyTorch's name; '' if the tensors say it. */
    readonly dtype: string,
    /** Position of its first element in the bytes. */
    readonly offset: number,
  ) {}
}

const dtypes: { readonly [type: string]: string } = {
  Float: 'float32',
  Double: 'float64',
  Half: 'float16',
  BFloat16: 'bfloat16',
  Long: 'int64',
  Int: 'int32',
  Short: 'int16',
  Char: 'int8',
  Byte: 'uint8',
  Bool: 'bool',
  Untyped: '',
};

const damaged = (what: string): FormatError => new FormatError(`the pickle is damaged: ${what}`);

/** The bytes of a file by key. Storages with one key share them. */
export class Buffers {
  readonly all = new Map<string, Buffer>();

  /** Returns the storage of a persistent id: ('storage', type, key, location, size, view). */
  readonly resolve = (id: unknown): unknown => {
    if (!Array.isArray(id)) throw damaged(`the id of a storage is ${show(id)}`);
    const [word, type, key, , count, view] = id;
    // Old files keep the source code of a class beside its name; it is not read.
    if (word === 'module') return type;
    const name = type instanceof PythonName ? type.name : '';
    const [, kind = ''] = /^torch\.(?:cuda\.|storage\.)?(\w+)Storage$/.exec(name) ?? [];
    if (word !== 'storage' || !kind || typeof key !== 'string' || !isCount(count)) {
      throw damaged(`a storage is ${show(name || word)}, of ${show(count)} elements`);
    }
    const dtype = Object.hasOwn(dtypes, kind) ? (dtypes[kind] as string) : kind;
    const elementSize = elementSizes[dtype] ?? 1;
    const buffer = this.all.get(key) ?? bufferOf(key, count * elementSize, elementSize);
    this.all.set(key, buffer);
    return new Storage(buffer, dtype, Array.isArray(view) ? positionOf(view[1]) : 0);
  };
}

/** Returns the value if it is a number: a pickle may have an integer that no number can hold. */
const positionOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** The part of `torch.dtype`'s name after the module. */
const dtypeOf = (value: unknown): string =>
  value instanceof PythonName ? value.name.replace(/^torch\./, '') : '';

/** Returns the function for a version of PyTorch's `_rebuild_tensor`. */
export function rebuild(version: 2 | 3) {
  return (args: readonly unknown[], budget: Budget): StoredTensor => {
    const [storage, start, shape, strides] = args;
    if (!(storage instanceof Storage) || !Array.isArray(shape) || !Array.isArray(strides)) {
      throw damaged('a tensor has no storage, shape or strides');
    }
    budget.spend('entries', 1, 'the tensors of the file');
    const dtype = version === 3 ? dtypeOf(args[6]) : storage.dtype;
    if (!Object.hasOwn(elementSizes, dtype)) {
      return unreadable(`a tensor of dtype ${dtype || 'unknown'}`, shape);
    }
    // Their numbers are those of the storage with another sign.
    if ([args[6], args[7]].some((metadata) => member(metadata, 'neg') === true)) {
      return unreadable('a tensor that negates its storage', shape);
    }
    const { buffer } = storage;
    const offset = storage.offset + positionOf(start);
    // A view without elements may begin behind its storage.
    const isEmpty = isRank(shape) && elementCount(shape) === 0;
    return checkTensor({ dtype, buffer, offset: isEmpty ? 0 : offset, shape, strides });
  };
}
