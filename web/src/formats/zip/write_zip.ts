// SPDX-License-Identifier: MIT
// Archives of saved models, whose bytes depend only on their contents: no times are recorded.
import { joinBytes } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import { crc32 } from '../crc32.js';
import { ByteWriter } from '../byte_writer.js';
import { encodeUtf8 } from '../../engine/utf8.js';

/** Largest size of an archive in bytes. */
const kMaxSize = 0xffffffff;
/** The first day of zip, 1980-01-01, so that equal contents result in equal bytes. */
const kDate = 0x0021;
/** The permissions are those of Unix: read and write for the owner. */
const kUnix = 3;
const kMode = 0o600;

/** The fields that local and central headers share, from "version needed" on. */
function commonFields(name: Uint8Array, bytes: Uint8Array, crc: number): Uint8Array {
  return new ByteWriter()
    .u16(20, 0, 0, 0, kDate)
    .u32(crc, bytes.length, bytes.length)
    .u16(name.length, 0)
    .done();
}

/** Returns a zip archive of the files, not compressed, as Keras does. FormatError above 4 GB. */
export function writeZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const directory = new ByteWriter();
  const parts: Uint8Array[] = [];
  let at = 0;
  const append = (bytes: Uint8Array): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [path, bytes] of files) {
    const name = encodeUtf8(path);
    const header = commonFields(name, bytes, crc32(bytes));
    directory.u32(0x02014b50).u8(20, kUnix).raw(header);
    directory
      .u16(0, 0, 0)
      .u32(kMode * 65536, at)
      .raw(name);
    append(new ByteWriter().u32(0x04034b50).raw(header).raw(name).done());
    append(bytes);
  }
  if (at + directory.length > kMaxSize) {
    throw new FormatError(`the files have ${at} bytes, but a zip archive has at most ${kMaxSize}`);
  }
  const end = new ByteWriter().u32(0x06054b50).u16(0, 0, files.size, files.size);
  end.u32(directory.length, at).u16(0);
  append(directory.done());
  append(end.done());
  return joinBytes(parts);
}
