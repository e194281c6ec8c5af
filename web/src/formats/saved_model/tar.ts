// SPDX-License-Identifier: MIT
// Archives of tar: files one after the other, each after a block with its name and its size.
import { FormatError } from '../../base/errors.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import type { Budget } from '../open/budget.js';
import type { FileSet } from '../open/open_file.js';

const kBlock = 512;
/** Kinds of entries that are files; '\0' is of the oldest programs. */
const kFiles = '0\0';
/** Kinds whose content is the long name of the next entry: of GNU, and of POSIX. */
const kGnuName = 'L';
const kPosix = 'x';

/** Opens an archive. Files are views of its bytes. */
export function openTar(bytes: Uint8Array, name: string, budget: Budget): FileSet {
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let at = 0; at + kBlock <= bytes.length; ) {
    const head = bytes.subarray(at, at + kBlock);
    if (head.every((byte) => byte === 0)) break;
    budget.spend('entries', 1, name);
    const size = sizeIn(head, name);
    const start = at + kBlock;
    if (start + size > bytes.length) {
      throw new FormatError(
        `${name} is cut short: its archive has ${bytes.length} bytes, but a file ends at ${start + size}`,
      );
    }
    const content = bytes.subarray(start, start + size);
    const kind = String.fromCharCode(head[156] as number);
    if (kind === kGnuName || kind === kPosix) {
      budget.spend('text', size, name);
      longName = kind === kGnuName ? textOf(content) : pathIn(decodeUtf8(content));
    } else {
      if (kFiles.includes(kind)) files.set(longName ?? nameIn(head), content);
      longName = undefined;
    }
    at = start + Math.ceil(size / kBlock) * kBlock;
  }
  return { names: [...files.keys()], unpack: async (path) => files.get(path) };
}

/** Returns the text before the first zero. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeUtf8(end < 0 ? bytes : bytes.subarray(0, end));
}

function nameIn(head: Uint8Array): string {
  const prefix = textOf(head.subarray(345, 500));
  const name = textOf(head.subarray(0, 100));
  const path = prefix ? `${prefix}/${name}` : name;
  return path.startsWith('./') ? path.slice(2) : path;
}

/** Reads the size, which is octal text. */
function sizeIn(head: Uint8Array, name: string): number {
  const text = textOf(head.subarray(124, 136)).trim();
  if (/^[0-7]{0,12}$/.test(text)) return Number.parseInt(text || '0', 8);
  throw new FormatError(`${name} is damaged: its archive has a file of the size '${text}'`);
}

/** Returns the path in POSIX's further facts: lines such as "30 path=name". */
const pathIn = (facts: string): string | undefined => /(?:^|\n)\d+ path=([^\n]*)/.exec(facts)?.[1];
