// SPDX-License-Identifier: MIT
// The bytes of a backup: a mark, the length of a text, the text (JSON with epoch and shapes), and
// the elements of all tensors.
import { isPlain } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';
import { type DType, type Tensor, tensor } from '../../tensor/tensor.js';

/** State of training. */
export interface Backup {
  /** Next epoch. */
  readonly epoch: number;
  /** Creates the values of the weights. */
  weights(): Tensor[];
  /** Creates the values of the optimizer's variables. */
  optimizer(): Tensor[];
}

interface Entry {
  readonly shape: readonly number[];
  readonly dtype: DType;
}

const kMark = 'maskflow backup 1\n';
const elementBytes = { float32: 4, int32: 4, bool: 1 } as const;
const sizeOf = ({ shape, dtype }: Entry): number =>
  shape.reduce((product, dim) => product * dim, elementBytes[dtype]);

/** Returns the state of training as bytes. */
export function writeBackup(
  epoch: number,
  weights: readonly Tensor[],
  optimizer: readonly Tensor[],
): Uint8Array {
  const all = [...weights, ...optimizer];
  const entries = all.map(({ shape, dtype }) => ({ shape, dtype }));
  const text = JSON.stringify({ epoch, weights: weights.length, entries });
  const header = new TextEncoder().encode(`${kMark}${text}\n`);
  const size = entries.reduce((total, entry) => total + sizeOf(entry), header.length);
  const bytes = new Uint8Array(size);
  bytes.set(header);
  let offset = header.length;
  for (const each of all) {
    const { buffer, byteOffset, byteLength } = each.data();
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += byteLength;
  }
  return bytes;
}

const damaged = (what: string): FormatError =>
  new FormatError(`the backup is damaged: ${what}; delete it to train from the start`);

const isEntry = (entry: unknown): entry is Entry =>
  isPlain(entry) &&
  Object.hasOwn(elementBytes, String(entry['dtype'])) &&
  Array.isArray(entry['shape']) &&
  entry['shape'].every((dim) => Number.isInteger(dim) && dim >= 0 && dim < 2 ** 31);

function readHeader(bytes: Uint8Array): {
  epoch: number;
  count: number;
  entries: Entry[];
  end: number;
} {
  const mark = new TextDecoder().decode(bytes.subarray(0, kMark.length));
  const end = bytes.indexOf(0x0a, kMark.length) + 1;
  if (mark !== kMark || end === 0) throw damaged('it does not begin like one');
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(kMark.length, end)));
  } catch {
    throw damaged('its header is not JSON');
  }
  const {
    epoch,
    weights: count,
    entries,
  } = (isPlain(header) ? header : {}) as {
    [name: string]: unknown;
  };
  const isCount = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 0;
  if (!isCount(epoch) || !isCount(count) || !Array.isArray(entries) || !entries.every(isEntry)) {
    throw damaged('its header lacks numbers');
  }
  return { epoch, count, entries, end };
}

/** Reads the state of training. Throws FormatError for damaged bytes. */
export function readBackup(bytes: Uint8Array): Backup {
  const { epoch, count, entries, end } = readHeader(bytes);
  const size = entries.reduce((total, entry) => total + sizeOf(entry), end);
  if (size !== bytes.length) throw damaged(`it has ${bytes.length} bytes, not ${size}`);
  let offset = end;
  const places = entries.map((entry) => {
    const place = offset;
    offset += sizeOf(entry);
    return { entry, place };
  });
  const create = (from: number, to?: number): Tensor[] =>
    places.slice(from, to).map(({ entry: { shape, dtype }, place }) => {
      // A copy, because a typed array needs an offset that is a multiple of its elements.
      const { buffer } = new Uint8Array(bytes.subarray(place, place + sizeOf({ shape, dtype })));
      const data =
        dtype === 'bool'
          ? new Uint8Array(buffer)
          : dtype === 'int32'
            ? new Int32Array(buffer)
            : new Float32Array(buffer);
      return tensor(data, { shape: [...shape], dtype });
    });
  return { epoch, weights: () => create(0, count), optimizer: () => create(count) };
}
