// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import type { FloatWriter } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { type AttributeValue, readAttributes } from './attributes.js';
import { damaged, type FileBytes } from './cursor.js';
import { countOf, notReadable, readDataspace, readDatatype } from './datatype.js';
import { decode, decodeInto, isNumeric } from './decode.js';
import { readFilters } from './filters.js';
import { kDataspace, kDatatype, kFilters, kLayout, type Message, readHeader } from './header.js';
import { readLayout } from './layout.js';
import { readLinks } from './links.js';
import { superblock } from './superblock.js';

interface Hdf5Object {
  /** From the root, without a leading slash; '' for the root. */
  readonly path: string;
  /** Where the object's header lies: the same for the same object. */
  readonly address: number;
  /** Attributes of kinds that no model file needs (references, compounds) are left out. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
}

export interface Hdf5Group extends Hdf5Object {
  readonly kind: 'group';
  /** Names of what is inside, in the file's order (by name). */
  keys(): string[];
  /** What lies at a path from here (`a/b`); undefined when there is nothing. */
  get(path: string): Hdf5Group | Hdf5Dataset | undefined;
}

export interface Hdf5Dataset extends Hdf5Object {
  readonly kind: 'dataset';
  readonly shape: readonly number[];
  /** NumPy's name: float16, float32, float64, int8 … uint64, bool, bfloat16; 'string', 'text' and others for the rest. */
  readonly dtype: string;
  /**
   * The elements, row by row, where possible as a view of the file. float16 and bfloat16 come as Float32Array, bool as
   * Uint8Array, 64-bit integers as Float64Array. FormatError where the file is damaged, UnsupportedError for what
   * holds no numbers and for compression other than gzip.
   */
  read(): TypedArray;
  /** Checks the same, and gives what writes the elements as floats, for which it makes no array. */
  writer(): FloatWriter;
}

/**
 * The root group of an HDF5 file: the part of the format that h5py writes by default, and most of what it
 * writes with `libver='latest'`. FormatError when the file is none, or cut short. Only what is asked for is
 * read; every address and size is checked against the file first.
 */
export function openHdf5(bytes: Uint8Array, budget?: Budget): Hdf5Group {
  const { file, root } = superblock(bytes, budget);
  const found = openObject(file, root, '');
  if (found.kind === 'group') return found;
  throw new FormatError('the HDF5 file has an array in place of its root group');
}

function openObject(file: FileBytes, address: number, path: string): GroupReader | DatasetReader {
  file.entry();
  const messages = readHeader(file, address);
  const isDataset = messages.some(({ type }) => type === kLayout);
  return isDataset
    ? new DatasetReader(file, address, path, messages)
    : new GroupReader(file, address, path);
}

class ObjectReader {
  #attributes: Map<string, AttributeValue> | undefined;
  constructor(
    readonly file: FileBytes,
    readonly address: number,
    readonly path: string,
  ) {}

  get attributes(): ReadonlyMap<string, AttributeValue> {
    this.#attributes ??= readAttributes(this.file, readHeader(this.file, this.address));
    return this.#attributes;
  }
}

class GroupReader extends ObjectReader implements Hdf5Group {
  readonly kind = 'group';
  #links: Map<string, number> | undefined;
  readonly #children = new Map<string, GroupReader | DatasetReader>();

  #all(): Map<string, number> {
    this.#links ??= readLinks(this.file, readHeader(this.file, this.address));
    return this.#links;
  }
  keys(): string[] {
    return [...this.#all().keys()];
  }
  get(path: string): Hdf5Group | Hdf5Dataset | undefined {
    let found: Hdf5Object | undefined = this;
    const names = path.split('/');
    this.file.budget.checkDepth(names.length, 'a path in the HDF5 file');
    for (const name of names) {
      if (name === '') continue;
      if (!(found instanceof GroupReader)) return undefined;
      found = found.#child(name);
    }
    return found as Hdf5Group | Hdf5Dataset | undefined;
  }

  /** Opened once: a list of weights asks for the same group again and again. */
  #child(name: string): GroupReader | DatasetReader | undefined {
    const known = this.#children.get(name);
    if (known) return known;
    const address = this.#all().get(name);
    if (address === undefined) return undefined;
    const child = openObject(this.file, address, this.path ? `${this.path}/${name}` : name);
    this.#children.set(name, child);
    return child;
  }
}

class DatasetReader extends ObjectReader implements Hdf5Dataset {
  readonly kind = 'dataset';
  readonly shape: readonly number[];
  readonly #type: ReturnType<typeof readDatatype>;
  readonly #empty: boolean;

  constructor(file: FileBytes, address: number, path: string, messages: readonly Message[]) {
    super(file, address, path);
    const space = messages.find(({ type }) => type === kDataspace);
    const type = messages.find((message) => message.type === kDatatype);
    if (!space) throw damaged(`'/${path}' has no shape`);
    if (!type) throw notReadable('a shared type', path);
    const shape = readDataspace(space.body);
    this.#empty = shape === null;
    this.shape = shape ?? [0];
    this.#type = readDatatype(type.body);
  }

  get dtype(): string {
    return this.#type.kind;
  }

  read(): TypedArray {
    return decode(this.#bytes(), this.#type);
  }

  writer(): FloatWriter {
    const bytes = this.#bytes();
    return (floats) => decodeInto(floats, bytes, this.#type);
  }

  #bytes(): Uint8Array {
    const { file, path, shape } = this;
    const type = this.#type;
    if (!isNumeric(type)) throw notReadable(`elements that are no numbers (${type.kind})`, path);
    if (this.#empty || countOf(shape) === 0) return new Uint8Array(0);
    const messages = readHeader(file, this.address);
    const pipeline = messages.find((message) => message.type === kFilters);
    const layout = messages.find((message) => message.type === kLayout) as Message;
    const filters = pipeline ? readFilters(pipeline.body) : [];
    return readLayout({ file, path, shape, type, filters }, layout.body);
  }
}
