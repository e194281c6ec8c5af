// SPDX-License-Identifier: MIT
// Names in addresses such as `opfs://name`, which become names of files.
import { ConfigError } from '../../../base/errors.js';
import { kStored } from '../open_file.js';

/** Largest length of a name. */
const kLongest = 200;

/** Returns the name of a stored model. Throws ConfigError if a file system could refuse it. */
export function nameIn(address: string): string {
  const name = address.replace(kStored, '');
  const isPlain = /^[^\\/:*?"<>|\p{Cc}]+$/u.test(name) && !/^\.+$/.test(name);
  if (isPlain && name.length <= kLongest) return name;
  throw new ConfigError(
    `'${address}' does not name a model: after '//', write 1 to ${kLongest} characters without / \\ : * ? " < > |`,
  );
}
