// SPDX-License-Identifier: MIT
import { FormatError, UnsupportedError } from '../errors.js';
import { crc32 } from './crc32.js';
import { inflate } from './inflate.js';

export interface ZipArchive {
  /** Names of the files inside, in the archive's order. */
  readonly names: readonly string[];
  /**
   * The contents of a file; undefined when there is none of that name. A view of the archive where it is stored
   * as it is. FormatError when it is encrypted, damaged, or unpacks to something else than the archive says.
   */
  read(name: string): Uint8Array | undefined;
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

// What weights never reach: beyond it a small file was made to fill the memory.
const kMostRatio = 200;
const kAlwaysAllowed = 2 ** 26;

/** The directory of a zip archive, stored or deflated. FormatError when the bytes are none, or cut short. */
export function openZip(bytes: Uint8Array): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view);
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      return entry && readEntry(bytes, view, name, entry);
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (start === kInZip64) throw tooLarge('the archive');
  if (start + size > end) {
    throw damaged(`its directory of ${size} bytes at ${start} reaches beyond ${end}`);
  }
  const entries = new Map<string, Entry>();
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + kEntrySize > end || view.getUint32(at, true) !== kEntrySignature) {
      throw damaged(`its directory has ${i} of ${count} files`);
    }
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
    const from = at + kEntrySize;
    entries.set(new TextDecoder().decode(bytes.subarray(from, from + nameLength)), {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at = from + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** The end of the directory stands at the end of the file, before a comment of at most 65535 bytes. */
function findEnd(view: DataView): number {
  const last = view.byteLength - kEndSize;
  for (let at = last; at >= 0 && at >= last - 65535; at--) {
    if (view.getUint32(at, true) === kEndSignature) return at;
  }
  throw new FormatError(
    `the zip archive is cut short: its directory, which stands at the end, is not in these ${view.byteLength} bytes; fetch it again`,
  );
}

function readEntry(bytes: Uint8Array, view: DataView, name: string, entry: Entry): Uint8Array {
  const { flags, method, crc, packed, size, at } = entry;
  const what = `'${name}' in the zip archive`;
  if (flags & 1) throw new FormatError(`${what} is encrypted; save it without a password`);
  if ([packed, size, at].includes(kInZip64)) throw tooLarge(what);
  if (method !== 0 && method !== 8) {
    throw new UnsupportedError(
      `${what} is compressed by method ${method}; stored (0) and deflated (8) can be read`,
    );
  }
  const start = dataStart(view, at, what);
  if (start + packed > bytes.length) {
    throw damaged(
      `${what} takes ${packed} bytes from ${start}, but the file ends at ${bytes.length}`,
    );
  }
  if (size > Math.max(kAlwaysAllowed, packed * kMostRatio)) {
    throw new FormatError(
      `${what} would unpack from ${packed} bytes to ${size}: no model does, this is made to fill the memory`,
    );
  }
  const stored = bytes.subarray(start, start + packed);
  const contents = method === 0 ? stored : inflate(stored, size, 'raw', what);
  if (contents.length !== size) {
    throw damaged(`${what} has ${contents.length} bytes, its directory says ${size}`);
  }
  if (crc32(contents) !== crc) {
    throw damaged(`${what} does not have the checksum that its directory says; fetch it again`);
  }
  return contents;
}

function dataStart(view: DataView, at: number, what: string): number {
  if (at + kLocalSize > view.byteLength || view.getUint32(at, true) !== kLocalSignature) {
    throw damaged(`${what} is not where its directory says (${at})`);
  }
  return at + kLocalSize + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
}

function damaged(what: string): FormatError {
  return new FormatError(`the zip archive is damaged: ${what}`);
}

function tooLarge(what: string): UnsupportedError {
  return new UnsupportedError(`${what} has 4 GB or more (Zip64), more than a page can hold`);
}
