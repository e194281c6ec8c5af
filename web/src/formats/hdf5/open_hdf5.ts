// SPDX-License-Identifier: MIT
// The entry of hdf5/: an HDF5 file as a tree of groups and datasets, without libhdf5. load.ts,
// read/keras_file.ts and read/legacy_h5.ts open files by it.
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
import { readSuperblock } from './superblock.js';

interface Hdf5Object {
  /** Path from the root, without a leading slash; '' for the root. */
  readonly path: string;
  /** Address of the object's header, which identifies the object. */
  readonly address: number;
  /** All attributes except references and compounds, which model files do not use. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
}

export interface Hdf5Group extends Hdf5Object {
  readonly kind: 'group';
  /** Names of the group's members, in the file's order. */
  keys(): string[];
  /** Returns the object at a relative path (`a/b`), or undefined. */
  get(path: string): Hdf5Group | Hdf5Dataset | undefined;
}

export interface Hdf5Dataset extends Hdf5Object {
  readonly kind: 'dataset';
  readonly shape: readonly number[];
  /**
   * NumPy's name: float16, float32, float64, int8 … uint64, bool, bfloat16; 'string', 'text' or
   * another word for other types.
   */
  readonly dtype: string;
  /**
   * Returns the elements in row-major order, if possible as a view of the file. float16 and
   * bfloat16 become a Float32Array, bool a Uint8Array, 64-bit integers a Float64Array. FormatError
   * if the file is damaged, UnsupportedError for other types and for compression other than gzip.
   */
  read(): TypedArray;
  /** Checks what `read` checks, and returns a function that writes the elements as floats. */
  writer(): FloatWriter;
}

/**
 * Opens the root group of an HDF5 file. Supports what h5py writes by default, and most of what it
 * writes with `libver='latest'`. Throws FormatError if the file is not HDF5 or is cut short.
 * Objects are read on demand; every address and size is checked before use.
 */
export function openHdf5(bytes: Uint8Array, budget?: Budget): Hdf5Group {
  const { file, root } = readSuperblock(bytes, budget);
  const object = openObject(file, root, '');
  if (object.kind === 'group') return object;
  throw new FormatError('the HDF5 file has an array where its root group should be');
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

  #addresses(): Map<string, number> {
    this.#links ??= readLinks(this.file, readHeader(this.file, this.address));
    return this.#links;
  }
  keys(): string[] {
    return [...this.#addresses().keys()];
  }
  get(path: string): Hdf5Group | Hdf5Dataset | undefined {
    let object: Hdf5Object | undefined = this;
    const names = path.split('/');
    this.file.budget.checkDepth(names.length, 'a path in the HDF5 file');
    for (const name of names) {
      if (name === '') continue;
      if (!(object instanceof GroupReader)) return undefined;
      object = object.#child(name);
    }
    return object as Hdf5Group | Hdf5Dataset | undefined;
  }

  /** Opens each member once: lists of weights look up the same groups again and again. */
  #child(name: string): GroupReader | DatasetReader | undefined {
    const opened = this.#children.get(name);
    if (opened) return opened;
    const address = this.#addresses().get(name);
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
  readonly #isEmpty: boolean;

  constructor(file: FileBytes, address: number, path: string, messages: readonly Message[]) {
    super(file, address, path);
    const space = messages.find(({ type }) => type === kDataspace);
    const type = messages.find((message) => message.type === kDatatype);
    if (!space) throw damaged(`'/${path}' has no shape`);
    if (!type) throw notReadable('a shared type', path);
    const shape = readDataspace(space.body);
    this.#isEmpty = shape === null;
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
    if (!isNumeric(type)) throw notReadable(`elements that are not numbers (${type.kind})`, path);
    if (this.#isEmpty || countOf(shape) === 0) return new Uint8Array(0);
    const messages = readHeader(file, this.address);
    const pipeline = messages.find((message) => message.type === kFilters);
    const layout = messages.find((message) => message.type === kLayout) as Message;
    const filters = pipeline ? readFilters(pipeline.body) : [];
    return readLayout({ file, path, shape, type, filters }, layout.body);
  }
}
