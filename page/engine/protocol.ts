// SPDX-License-Identifier: MIT
// Messages between the page and the worker that runs its programs.

/** The entry of the package that a worker contains; a smaller one starts sooner. */
export type Kind = 'recurrent' | 'all' | 'train';

/** The first message: where the page is. */
export interface Setup {
  kind: 'setup';
  /** The address to which addresses in programs are relative. */
  base: string;
  /** Address of the folder with the files that a worker may read (names.ts). */
  top: string;
}

/** Asks the page for the bytes of a file; the page answers with `FileSent`. */
export interface Wanted {
  kind: 'wanted';
  id: number;
  name: string;
}

export interface FileSent {
  kind: 'file';
  id: number;
  bytes?: Uint8Array;
  /** Why there are no bytes. */
  problem?: string;
}

/** Runs a program; `reader` then converts its values to plain data. */
export interface Run {
  kind: 'run';
  id: number;
  reader?: string;
  text: string;
  /** A value that the program sees as `given`. */
  given?: unknown;
  /** Whether the core restarts first, so that names of layers begin again. */
  isFresh?: boolean;
}

/** Calls a method of a reader with the values of its last program. */
export interface Call {
  kind: 'call';
  id: number;
  reader: string;
  method: string;
  args: unknown[];
}

/**
 * Tells a program that awaits `turn()` to wait there, go on, go on to the next `turn()`, or end.
 */
export type Command = 'pause' | 'go' | 'step' | 'end';

export interface Control {
  kind: 'control';
  id: number;
  command: Command;
}

export type ToEngine = Setup | Run | Call | Control | FileSent;

export interface Complaint {
  name: string;
  message: string;
  /** Code of an error of the package. */
  code?: string;
  /** Line of the program, from 1. */
  line?: number;
}

/**
 * Name of an error of the browser's engine: WebKit sometimes loses an exception of the core
 * (docs/errors.md).
 */
export const crash = 'Crash';

export interface Line {
  level: 'log' | 'warn' | 'error';
  text: string;
}

export interface Finished {
  kind: 'finished';
  id: number;
  data: unknown;
  /** Duration of the program. */
  milliseconds: number;
  /** Number of live tensors and bytes of wasm memory after the program. */
  tensors: number;
  heapBytes: number;
}

export type FromEngine =
  | { kind: 'started'; info: Started }
  | { kind: 'printed'; id: number; line: Line }
  | { kind: 'shown'; id: number; value: unknown }
  | Finished
  /** `dead` says that the core trapped and a new worker is needed. */
  | { kind: 'refused'; id: number; complaint: Complaint; dead?: boolean };

export interface Started {
  version: string;
  variant: string;
  wasmBytes: number;
  milliseconds: number;
}
