// SPDX-License-Identifier: MIT
// The interface of opfs.ts and indexeddb.ts, to which `save` can write.

/** A model that `save` keeps in the browser. */
export interface PlacedModel {
  readonly name: string;
  readonly bytes: number;
  readonly saved: Date;
}

/** A place of the browser that keeps models by name. */
export interface Place {
  /** Begin of its addresses. */
  readonly scheme: 'opfs://' | 'indexeddb://';
  /** Whether this engine has it. */
  isPresent(): boolean;
  /**
   * Returns the bytes; undefined without a model of that name. `check` receives their number before
   * they are read.
   */
  read(name: string, check: (size: number) => void): Promise<Uint8Array | undefined>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  list(): Promise<PlacedModel[]>;
  /** Returns whether there was a model of that name. */
  remove(name: string): Promise<boolean>;
}
