// SPDX-License-Identifier: MIT
// The entry of hdf5_writer/: a tree of groups and arrays becomes a file. write/weights_file.ts
// calls it.
import { elementCount } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { ByteWriter } from '../byte_writer.js';
import { FileParts } from './file_parts.js';
import { kInternalHalf, kLeafHalf, type Link, type LinkTable, writeLinks } from './links.js';
import { StringHeap } from './strings.js';
import { dataspace, datatype, fixedString, sizeOf, variableString } from './types.js';
import { encodeUtf8 } from '../../engine/utf8.js';

/** An array to write. */
export interface Hdf5Array {
  shape: readonly number[];
  /** Element type: bool, float16, float32, float64, int8 … int64, or uint8 … uint64. */
  dtype: string;
  /**
   * Elements in row-major order; float16 as bit patterns, int64 as bytes. Little-endian, like all
   * systems that run JavaScript.
   */
  data: TypedArray;
}

/**
 * Value of an attribute. Strings have variable length, as h5py writes `str`; those in `fixed` have
 * a fixed length, as it writes `bytes`.
 */
export type NewAttribute = string | readonly string[] | { fixed: readonly string[] } | Hdf5Array;

/** A dataset to write. */
export interface NewDataset extends Hdf5Array {
  attributes?: Map<string, NewAttribute>;
}

/** A group to write. */
export class NewGroup {
  readonly attributes = new Map<string, NewAttribute>();
  readonly children = new Map<string, NewGroup | NewDataset>();

  /** Returns the group at a path such as `layers/lstm/cell`; creates missing groups. */
  group(path: string): NewGroup {
    let group: NewGroup = this;
    for (const name of path.split('/').filter(Boolean)) {
      const next = group.children.get(name) ?? new NewGroup();
      if (!(next instanceof NewGroup)) throw new FormatError(`'${name}' in ${path} is a dataset`);
      group.children.set(name, next);
      group = next;
    }
    return group;
  }
}

const kSuperblock = 96;
/** Largest message of an object header in bytes: its size has 16 bits. */
const kMaxMessage = 65528;

const bytesOf = ({ data }: Hdf5Array): Uint8Array =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

function checkSize(array: Hdf5Array, name: string): void {
  const elements = elementCount(array.shape);
  const needed = elements * sizeOf(array.dtype);
  if (needed === array.data.byteLength) return;
  throw new FormatError(
    `'${name}' of shape [${array.shape}] and dtype ${array.dtype} needs ${needed} bytes, but has ${array.data.byteLength}`,
  );
}

class Writer {
  readonly #file = new FileParts(kSuperblock);
  readonly #strings = new StringHeap(this.#file);

  write(root: NewGroup): Uint8Array {
    const { header, table } = this.#group(root);
    this.#strings.close();
    this.#file.fill(0, superblock(this.#file.end, header, table));
    return this.#file.join();
  }

  // Writes the children first, because links need their addresses.
  #group(group: NewGroup): { header: number; table: LinkTable } {
    const links = [...group.children].map(([name, child]): Link => {
      if (name === '' || name === '.' || /[/\0]/.test(name)) {
        throw new FormatError(`'${name}' cannot be the name of an HDF5 object`);
      }
      if (child instanceof NewGroup) return { name, ...this.#group(child) };
      return { name, header: this.#dataset(name, child) };
    });
    const table = writeLinks(this.#file, links);
    const message = { type: 0x11, data: new ByteWriter().u64(table.tree, table.heap).done() };
    return { header: this.#header([message, ...this.#attributes(group.attributes)]), table };
  }

  #dataset(name: string, dataset: NewDataset): number {
    checkSize(dataset, name);
    const layout = new ByteWriter().u8(3, 1);
    const bytes = bytesOf(dataset);
    if (bytes.length > 0) layout.u64(this.#file.place(bytes));
    else layout.undefinedAddress();
    layout.u64(bytes.length);
    return this.#header([
      { type: 0x01, data: dataspace(dataset.shape, true) },
      { type: 0x03, data: datatype(dataset.dtype), constant: true },
      // Fill value: space is allocated late, and filled with zeros only if nothing is written.
      { type: 0x05, data: Uint8Array.of(2, 2, 2, 1, 0, 0, 0, 0), constant: true },
      { type: 0x08, data: layout.done() },
      ...this.#attributes(dataset.attributes ?? new Map()),
    ]);
  }

  #attributes(attributes: ReadonlyMap<string, NewAttribute>): Message[] {
    return [...attributes].map(([name, value]) => {
      const { type, shape, data } = this.#value(name, value);
      const space = dataspace(shape, false);
      const nameBytes = encodeUtf8(`${name}\0`);
      const out = new ByteWriter().u8(1, 0).u16(nameBytes.length, type.length, space.length);
      for (const part of [nameBytes, type, space]) out.raw(part).align();
      out.raw(data);
      if (out.length > kMaxMessage) {
        throw new FormatError(
          `the attribute '${name}' has ${out.length} bytes, but HDF5 allows at most ${kMaxMessage}; split it`,
        );
      }
      return { type: 0x0c, data: out.done() };
    });
  }

  #value(
    name: string,
    value: NewAttribute,
  ): { type: Uint8Array; shape: readonly number[]; data: Uint8Array } {
    if (typeof value === 'string') {
      return { type: variableString(), shape: [], data: this.#strings.add(value) };
    }
    if ('dtype' in value) {
      checkSize(value, name);
      return { type: datatype(value.dtype), shape: value.shape, data: bytesOf(value) };
    }
    if ('fixed' in value) return fixedStrings(value.fixed);
    const out = new ByteWriter();
    for (const text of value) out.raw(this.#strings.add(text));
    return { type: variableString(), shape: [value.length], data: out.done() };
  }

  #header(messages: readonly Message[]): number {
    const body = new ByteWriter();
    for (const { type, data, constant } of messages) {
      const size = data.length + ((8 - (data.length % 8)) % 8);
      body
        .u16(type, size)
        .u8(constant ? 1 : 0)
        .zeros(3);
      body.raw(data).align();
    }
    const out = new ByteWriter().u8(1, 0).u16(messages.length).u32(1, body.length).zeros(4);
    return this.#file.place(out.raw(body.done()).done());
  }
}

interface Message {
  type: number;
  data: Uint8Array;
  constant?: boolean;
}

function fixedStrings(texts: readonly string[]): {
  type: Uint8Array;
  shape: number[];
  data: Uint8Array;
} {
  const encoded = texts.map((text) => encodeUtf8(text));
  const width = encoded.reduce((longest, { length }) => Math.max(longest, length), 1);
  const out = new ByteWriter();
  for (const bytes of encoded) out.raw(bytes).zeros(width - bytes.length);
  return { type: fixedString(width), shape: [texts.length], data: out.done() };
}

function superblock(end: number, header: number, table: LinkTable): Uint8Array {
  return new ByteWriter()
    .raw(Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a))
    .u8(0, 0, 0, 0, 0, 8, 8, 0)
    .u16(kLeafHalf, kInternalHalf)
    .u32(0)
    .u64(0)
    .undefinedAddress()
    .u64(end)
    .undefinedAddress()
    .u64(0, header)
    .u32(1, 0)
    .u64(table.tree, table.heap)
    .done();
}

/**
 * Returns an HDF5 file as h5py writes it for Keras: superblock 0, old-style groups, contiguous
 * little-endian datasets. Throws FormatError for a name or an attribute that HDF5 does not allow,
 * an unknown dtype, or data whose size differs from the shape.
 *
 * Source: HDF5 File Format Specification, version 3.0, sections II.A, III and IV.
 */
export function writeHdf5(root: NewGroup): Uint8Array {
  return new Writer().write(root);
}
