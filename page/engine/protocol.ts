// SPDX-License-Identifier: MIT
// What the page and the worker that runs its programs say to each other.

/** Which entry of the package a worker has: the smaller ones start sooner. */
export type Kind = 'recurrent' | 'all' | 'train';

/** The first message: where the page lies, and files that it cannot fetch because it was opened from a folder. */
export interface Setup {
  kind: 'setup';
  base: string;
  files?: { [name: string]: Uint8Array };
}

/** Run a program; then `reader` makes plain data of the values that it left. */
export interface Run {
  kind: 'run';
  id: number;
  reader?: string;
  text: string;
  /** The program finds it as `given`. */
  given?: unknown;
}

/** Ask something of what the last program of a reader left. */
export interface Call {
  kind: 'call';
  id: number;
  reader: string;
  method: string;
  args: unknown[];
}

/** To a program that runs and awaits `turn()`: wait there, go on, go on to the next `turn()` alone, or end. */
export type Command = 'pause' | 'go' | 'step' | 'end';

export interface Control {
  kind: 'control';
  id: number;
  command: Command;
}

export type ToEngine = Setup | Run | Call | Control;

export interface Complaint {
  name: string;
  message: string;
  /** Of the program, from 1. */
  line?: number;
}

/** The name of a complaint about the browser's engine: WebKit loses an exception of the core now and then (docs/errors.md). */
export const crash = 'Crash';

export interface Line {
  level: 'log' | 'warn' | 'error';
  text: string;
}

export interface Finished {
  kind: 'finished';
  id: number;
  data: unknown;
  /** What the program took. */
  milliseconds: number;
  /** Live tensors and bytes of the wasm memory, after it. */
  tensors: number;
  heapBytes: number;
}

export type FromEngine =
  | { kind: 'started'; info: Started }
  | { kind: 'printed'; id: number; line: Line }
  | { kind: 'shown'; id: number; value: unknown }
  | Finished
  /** `dead`: of a trap in the core; another worker has to take over. */
  | { kind: 'refused'; id: number; complaint: Complaint; dead?: boolean };

export interface Started {
  version: string;
  variant: string;
  wasmBytes: number;
  milliseconds: number;
}
