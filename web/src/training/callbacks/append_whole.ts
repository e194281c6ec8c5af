// SPDX-License-Identifier: MIT
// Appends to the logs of CSVLogger and TensorBoard in Node, so that a full disk leaves whole lines
// and records.

/** Functions of Node that append to files. */
export interface AppendingFiles {
  appendFileSync(path: string, content: string | Uint8Array): void;
  statSync(path: string): { size: number; isFile(): boolean };
  truncateSync(path: string, size: number): void;
}

/** Appends a line or a record to an existing file, or nothing if the disk is full. */
export function appendWhole(
  files: AppendingFiles,
  path: string,
  content: string | Uint8Array,
): void {
  const facts = files.statSync(path);
  try {
    files.appendFileSync(path, content);
  } catch (error) {
    if (facts.isFile()) files.truncateSync(path, facts.size);
    throw error;
  }
}
