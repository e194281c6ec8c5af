// SPDX-License-Identifier: MIT
// Archives of `.keras`, PyTorch and NumPy. The directory of an archive is not trusted: sizes,
// overlaps and checksums are checked.
import { FormatError, UnsupportedError } from '../../base/errors.js';
import { atOnce, Budget, inPieces } from '../open/budget.js';
import { crc32 } from '../crc32.js';
import { inflate } from './inflate.js';
import { decodeUtf8 } from '../../engine/utf8.js';

/** An open zip archive. */
export interface ZipArchive {
  /** Names of its files, in the archive's order. */
  readonly names: readonly string[];
  /**
   * Returns the content of a file, or undefined without a file of that name. A stored file is a
   * view of the archive. Throws FormatError if the file is encrypted, damaged, or differs from the
   * directory in size or checksum.
   */
  read(name: string): Uint8Array | undefined;
  /** Does the same as `read`, with pauses in which the thread handles events. */
  unpack(name: string): Promise<Uint8Array | undefined>;
}

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

const kEndSignature = 0x06054b50;
const kEndSize = 22;
const kEntrySignature = 0x02014b50;
const kEntrySize = 46;
const kLocalSignature = 0x04034b50;
const kLocalSize = 30;
const kInZip64 = 0xffffffff;

/**
 * Opens a zip archive and reads its directory. Throws FormatError if the bytes are not an archive
 * or are cut short.
 */
export function openZip(bytes: Uint8Array, budget = new Budget()): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view, budget);
  const entryWork = (name: string): Generator<void, Uint8Array> | undefined => {
    const entry = entries.get(name);
    return entry && readEntry(bytes, view, name, entry, budget);
  };
  return {
    names: [...entries.keys()],
    read(name) {
      const work = entryWork(name);
      return work && atOnce(work);
    },
    async unpack(name) {
      const work = entryWork(name);
      return work && inPieces(work, budget);
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView, budget: Budget): Map<string, Entry> {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (start === kInZip64) throw tooLarge('the archive');
  if (start + size > end) {
    throw damaged(`its directory of ${size} bytes at ${start} extends beyond ${end}`);
  }
  budget.spend('entries', count, 'the zip archive');
  budget.spend('text', size, 'the names in the zip archive');
  const entries = new Map<string, Entry>();
  // A name may repeat; all entries are checked for overlap.
  const all: Entry[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + kEntrySize > end || view.getUint32(at, true) !== kEntrySignature) {
      throw damaged(`its directory has only ${i} of ${count} files`);
    }
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
    const from = at + kEntrySize;
    const entry = {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    all.push(entry);
    entries.set(decodeUtf8(bytes.subarray(from, from + nameLength)), entry);
    at = from + nameLength + extraLength + commentLength;
  }
  checkOverlap(all, start);
  return entries;
}

/**
 * Throws FormatError for overlapping files, which could decompress to far more than the archive.
 */
function checkOverlap(entries: readonly Entry[], end: number): void {
  const inOrder = entries.filter(({ at }) => at !== kInZip64).sort((a, b) => a.at - b.at);
  inOrder.forEach(({ at, packed }, i) => {
    const next = inOrder[i + 1]?.at ?? end;
    if (packed === kInZip64 || at + kLocalSize + packed <= next) return;
    throw damaged(`the file at ${at} has ${packed} bytes, but the next starts at ${next}`);
  });
}

/** Finds the end of the directory: only a comment of at most 65,535 bytes follows it. */
function findEnd(view: DataView): number {
  const last = view.byteLength - kEndSize;
  for (let at = last; at >= 0 && at >= last - 65535; at--) {
    if (view.getUint32(at, true) === kEndSignature) return at;
  }
  throw new FormatError(
    `the zip archive is cut short: its ${view.byteLength} bytes do not end with its directory; fetch it again`,
  );
}

function* readEntry(
  bytes: Uint8Array,
  view: DataView,
  name: string,
  entry: Entry,
  budget: Budget,
): Generator<void, Uint8Array> {
  const { flags, method, crc, packed, size, at } = entry;
  const what = `'${name}' in the zip archive`;
  if (flags & 1) throw new FormatError(`${what} is encrypted; save it without a password`);
  if ([packed, size, at].includes(kInZip64)) throw tooLarge(what);
  if (method !== 0 && method !== 8) {
    throw new UnsupportedError(
      `${what} is compressed by method ${method}; only stored (0) and deflated (8) files can be read`,
    );
  }
  const start = dataStart(view, at, what);
  if (start + packed > bytes.length) {
    throw damaged(
      `${what} has ${packed} bytes from ${start}, but the archive ends at ${bytes.length}`,
    );
  }
  const stored = bytes.subarray(start, start + packed);
  const contents =
    method === 0
      ? stored
      : yield* inflate({ bytes: stored, wrap: 'raw', maxSize: size, name: what }, budget);
  if (contents.length !== size) {
    throw damaged(`${what} has ${contents.length} bytes, but the directory says ${size}`);
  }
  if (crc32(contents) !== crc) {
    throw damaged(`${what} does not match its checksum; fetch it again`);
  }
  return contents;
}

function dataStart(view: DataView, at: number, what: string): number {
  if (at + kLocalSize > view.byteLength || view.getUint32(at, true) !== kLocalSignature) {
    throw damaged(`${what} is not at ${at}, where the directory says it is`);
  }
  return at + kLocalSize + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
}

function damaged(what: string): FormatError {
  return new FormatError(`the zip archive is damaged: ${what}`);
}

function tooLarge(what: string): UnsupportedError {
  return new UnsupportedError(`${what} has 4 GB or more (Zip64), which is not supported`);
}
