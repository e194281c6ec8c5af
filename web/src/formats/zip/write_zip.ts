// SPDX-License-Identifier: MIT
import { joinBytes } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import { crc32 } from './crc32.js';
import { ByteWriter } from '../hdf5_writer/bytes.js';
import { encodeUtf8 } from '../../engine/utf8.js';

const kLargest = 0xffffffff;
/** Zip's first day, 1980-01-01: the same contents give the same bytes. */
const kDate = 0x0021;
/** Made on a system with Unix permissions, which are read and write for the owner. */
const kUnix = 3;
const kMode = 0o600;

/** What local and central headers have in common, from "version needed" on. */
function common(name: Uint8Array, bytes: Uint8Array, crc: number): Uint8Array {
  return new ByteWriter()
    .u16(20, 0, 0, 0, kDate)
    .u32(crc, bytes.length, bytes.length)
    .u16(name.length, 0)
    .done();
}

/** A zip archive with its files stored as they are, as Keras does. FormatError beyond 4 GB. */
export function writeZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const directory = new ByteWriter();
  const parts: Uint8Array[] = [];
  let at = 0;
  const put = (bytes: Uint8Array): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [path, bytes] of files) {
    const name = encodeUtf8(path);
    const header = common(name, bytes, crc32(bytes));
    directory.u32(0x02014b50).u8(20, kUnix).raw(header);
    directory
      .u16(0, 0, 0)
      .u32(kMode * 65536, at)
      .raw(name);
    put(new ByteWriter().u32(0x04034b50).raw(header).raw(name).done());
    put(bytes);
  }
  if (at + directory.length > kLargest) {
    throw new FormatError(
      `the files take ${at} bytes, but a zip archive holds at most ${kLargest}`,
    );
  }
  const end = new ByteWriter().u32(0x06054b50).u16(0, 0, files.size, files.size);
  end.u32(directory.length, at).u16(0);
  put(directory.done());
  put(end.done());
  return joinBytes(parts);
}
