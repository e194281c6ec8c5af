// SPDX-License-Identifier: MIT
// The folder `variables` of a SavedModel: a table of tensors, shards with their bytes, and the tree
// of the Python objects that the tensors belong to.
import { elementCount } from '../../base/array.js';
import { maskedChecksum } from '../../base/crc32c.js';
import { UnsupportedError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import type { NamedArray } from '../artifact.js';
import type { Datatype } from '../hdf5/datatype.js';
import { decode, decodeInto } from '../hdf5/decode.js';
import type { Budget } from '../open/budget.js';
import { Cursor, damaged, Message } from './message.js';
import { readTable } from './table.js';

/** Reads a file of the folder. Throws FormatError if it is missing or has more bytes. */
export type ReadFile = (path: string, maxBytes: number) => Promise<Uint8Array>;

const kIndex = 'variables/variables.index';
const kTree = '_CHECKPOINTABLE_OBJECT_GRAPH';
/** Largest table; one of a real model has 200 bytes for each of its weights. */
const kMaxIndex = 2 ** 28;

/** TensorFlow's numbers of types, and their names in NumPy. */
const dtypes: { readonly [dtype: number]: readonly [kind: string, size: number] } = {
  1: ['float32', 4],
  2: ['float64', 8],
  3: ['int32', 4],
  4: ['uint8', 1],
  5: ['int16', 2],
  6: ['int8', 1],
  9: ['int64', 8],
  10: ['bool', 1],
  14: ['bfloat16', 2],
  17: ['uint16', 2],
  19: ['float16', 2],
  22: ['uint32', 4],
  23: ['uint64', 8],
};
const kString = 7;

/** An entry of the table. */
interface Entry {
  readonly dtype: number;
  readonly shape: readonly number[];
  readonly shard: number;
  readonly start: number;
  readonly size: number;
  readonly checksum: number;
  readonly isInParts: boolean;
}

function entryOf(bytes: Uint8Array, budget: Budget): Entry {
  const message = new Message(bytes, 'an entry of variables.index', budget);
  const dims = message.messages(2).flatMap((shape) => shape.messages(2));
  return {
    dtype: message.number(1),
    shape: dims.map((dim) => dim.number(1)),
    shard: message.number(3),
    start: message.number(4),
    size: message.number(5),
    checksum: message.number(6),
    isInParts: message.bytes(7).length > 0,
  };
}

/** An object of Python in the tree. */
export interface TrackedObject {
  readonly children: ReadonlyMap<string, number>;
  /** Name of its variable, and the key of the variable's value; undefined for other objects. */
  readonly variable: { readonly name: string; readonly key: string } | undefined;
}

/** The variables of a SavedModel. */
export class Checkpoint {
  readonly #entries: Map<string, Entry>;
  readonly #shardCount: number;
  readonly #bigEndian: boolean;
  readonly #shards = new Map<number, Uint8Array>();

  private constructor(
    table: ReadonlyMap<string, Uint8Array>,
    readonly budget: Budget,
    readonly readFile: ReadFile,
  ) {
    const header = new Message(
      table.get('') ?? damaged('variables.index has no header'),
      'the header of variables.index',
      budget,
    );
    this.#shardCount = header.number(1);
    this.#bigEndian = header.number(2) === 1;
    const named = [...table].filter(([key]) => key !== '');
    this.#entries = new Map(named.map(([key, value]) => [key, entryOf(value, budget)]));
  }

  static async open(readFile: ReadFile, budget: Budget): Promise<Checkpoint> {
    return new Checkpoint(readTable(await readFile(kIndex, kMaxIndex), budget), budget, readFile);
  }

  /** Returns the tree of objects; the first is the model. */
  async objects(): Promise<TrackedObject[]> {
    const entry = this.#entries.get(kTree);
    if (entry?.dtype !== kString) damaged(`variables.index has no ${kTree}`);
    const cursor = new Cursor(await this.#bytesOf(entry as Entry), kTree);
    const size = cursor.varint();
    // The checksum of the length.
    cursor.take(4);
    const tree = new Message(cursor.take(size), kTree, this.budget);
    return tree.messages(1).map((node) => {
      const values = node.messages(2).filter((attribute) => attribute.text(1) === 'VARIABLE_VALUE');
      const [value] = values;
      return {
        children: new Map(node.messages(1).map((child) => [child.text(2), child.number(1)])),
        variable: value && { name: value.text(2), key: value.text(3) },
      };
    });
  }

  /** Returns a variable's value. Its shard has been read, so that the value can be read at once. */
  async array({ name, key }: NonNullable<TrackedObject['variable']>): Promise<NamedArray> {
    const entry = this.#entries.get(key);
    if (!entry) return damaged(`variables.index lacks the variable ${visible(name)}`);
    const { dtype, shape } = entry;
    const [kind, size] = Object.hasOwn(dtypes, dtype) ? (dtypes[dtype] as [string, number]) : [];
    if (kind === undefined || size === undefined || entry.isInParts) {
      const reason = entry.isInParts ? 'stored in parts' : `of TensorFlow's dtype ${dtype}`;
      throw new UnsupportedError(
        `the variable ${visible(name)} is ${reason}: load the folder in Python, and save the model with model.save("name.keras")`,
      );
    }
    if (elementCount(shape) * size !== entry.size) {
      damaged(`the variable ${visible(name)} of shape [${shape}] has ${entry.size} bytes`);
    }
    const stored = await this.#bytesOf(entry);
    const type: Datatype = { kind, size, bigEndian: this.#bigEndian };
    const checked = (): Uint8Array => {
      if (maskedChecksum(stored) === entry.checksum) return stored;
      return damaged(`the variable ${visible(name)} does not match its checksum`);
    };
    return {
      name,
      shape,
      dtype: kind,
      read: () => decode(checked(), type),
      writer() {
        const bytes = checked();
        return (floats) => decodeInto(floats, bytes, type);
      },
    };
  }

  async #bytesOf({ shard, start, size }: Entry): Promise<Uint8Array> {
    const bytes = this.#shards.get(shard) ?? (await this.#readShard(shard));
    const end = start + size;
    if (end <= bytes.length) return bytes.subarray(start, end);
    return damaged(
      `${this.#nameOf(shard)} has ${bytes.length} bytes, but a variable ends at ${end}`,
    );
  }

  #nameOf(shard: number): string {
    const number = (value: number): string => String(value).padStart(5, '0');
    return `variables/variables.data-${number(shard)}-of-${number(this.#shardCount)}`;
  }

  async #readShard(shard: number): Promise<Uint8Array> {
    if (shard >= this.#shardCount) {
      damaged(`a variable is in shard ${shard} of ${this.#shardCount}`);
    }
    let needed = 0;
    for (const entry of this.#entries.values()) {
      if (entry.shard === shard) needed = Math.max(needed, entry.start + entry.size);
    }
    const bytes = await this.readFile(this.#nameOf(shard), needed);
    this.#shards.set(shard, bytes);
    return bytes;
  }
}
