// SPDX-License-Identifier: MIT
// The layout of an HDF5 file that is being written: addresses are needed before the content of a
// part is known.

/** The parts of a file; their addresses are multiples of 8. */
export class FileParts {
  readonly #parts: { at: number; bytes: Uint8Array }[] = [];
  #end: number;

  constructor(start: number) {
    this.#end = start;
  }
  get end(): number {
    return this.#end;
  }
  /** Reserves space for content that `fill` sets later; returns its address. */
  reserve(size: number): number {
    const at = this.#end;
    this.#end += size + ((8 - (size % 8)) % 8);
    return at;
  }
  fill(at: number, bytes: Uint8Array): void {
    this.#parts.push({ at, bytes });
  }
  /** Adds a part and returns its address. */
  place(bytes: Uint8Array): number {
    const at = this.reserve(bytes.length);
    this.fill(at, bytes);
    return at;
  }
  join(): Uint8Array {
    const file = new Uint8Array(this.#end);
    for (const { at, bytes } of this.#parts) file.set(bytes, at);
    return file;
  }
}
