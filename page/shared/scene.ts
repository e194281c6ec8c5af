// SPDX-License-Identifier: MIT
// The parts of a chapter, and the services that the frame offers to each.
import type { Command, Complaint, Kind } from '../engine/protocol.js';
import type { Sum } from './arithmetic.js';
import type { Batch } from './batch.js';
import type { Judgement } from './predict.js';
import type { Settings, Values } from './settings.js';

export interface Scene {
  section: HTMLElement;
  settings: Settings;
  batch: Batch;
  /** The element of the chapter's HTML with this data-slot. */
  slot(name: string): HTMLElement;
  /** Replaces the content of a slot. */
  put(name: string, ...content: (Node | string)[]): void;
  /** Sets controls as a person would, and redraws the chapter. */
  set(values: { [name: string]: string }): void;
  /** Calls a method of the chapter's reader with the values of the last program. */
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /**
   * Runs the program, in chapters that run on demand only. A quiet run leaves the question open.
   */
  run(how?: { quietly?: boolean }): Promise<void>;
  /** Stops the running program at its next `turn()`, or by force after 1.5 s. */
  stop(): void;
  /** Pauses or resumes the running program at its next `turn()`; false when none runs. */
  control(command: Command): boolean;
}

export interface Chapter<D = never> {
  id: string;
  /** The entry of the package that its programs import; 'all' by default. */
  engine?: Kind | ((scene: Scene) => Kind);
  /**
   * Whether the program contains code that the visitor wrote or received. It then runs where edited
   * programs run, and each run begins with a fresh core.
   */
  isForeign?(scene: Scene): boolean;
  /** The chapter uses the batch of chapter 2 and is redrawn when that batch changes. */
  usesBatch?: boolean;
  /** The chapter shows the row, the step and the layer that the visitor chose (thread.ts). */
  usesThread?: boolean;
  /** The program runs on demand, not at each change of a control. */
  waits?: boolean;
  /** The sentence shown before the first run of a chapter that waits. */
  invites?: string;
  /**
   * Fetches the data of a run on another machine, with the default settings. They are shown on
   * paper, and until the first run here.
   */
  recorded?(): Promise<D>;
  /** Time limit of a run in milliseconds. */
  timeLimit?: number;
  /** Draws controls that scripts build, before the program is made. */
  controls?(scene: Scene): void;
  /** The program for the current controls. Throws `Advice` if they allow no program. */
  program(scene: Scene): string;
  /** The equivalent program for Keras. */
  keras?(scene: Scene): string;
  /** The sentence under the program for Keras. */
  kerasNote?: string;
  /** A value that the program sees as `given`, such as the bytes of a file. */
  given?(scene: Scene): unknown;
  /** Draws the data that the chapter's reader returned; may be asynchronous. */
  draw(data: D, scene: Scene): void | Promise<void>;
  /** Draws what only paper shows, before the page is printed. */
  paper?(data: D, scene: Scene): void;
  /** One or two sentences with the result. Screen readers announce each change. */
  summarize?(data: D, scene: Scene): string;
  /** Numbers of that sentence with their arithmetic, in the order of the sentence. */
  sums?(data: D, scene: Scene): readonly Sum[];
  /** The right answer to the chapter's question. */
  judge?(data: D, scene: Scene): Judgement | undefined;
  /**
   * Draws a value that the running program passed to `show(value)`. Returns a sentence about it, if
   * it has one.
   */
  shown?(value: unknown, scene: Scene): string | undefined;
  /** A sentence that replaces the message of an error of the program, its reader or the engine. */
  advise?(complaint: Complaint, scene: Scene): string | undefined;
  /** Clears what the chapter shows outside of its figure when there is no result. */
  refused?(scene: Scene): void;
  /** Adds the chapter's own listeners. Called once, when the chapter is mounted. */
  start?(scene: Scene): void;
}

/** A run on demand, of a chapter that waits. */
export interface RequestedRun {
  stopping: AbortController;
  /** The program text, once it exists. */
  text?: string | undefined;
}

export interface Mounted {
  id: string;
  changed(): Values;
  /** Sets the controls and redraws; controls without a value get their defaults. */
  apply(values: Values): Promise<void>;
  redraw(run?: RequestedRun, after?: Promise<void>): Promise<void>;
  /** Draws the figure for paper, and the program if the reader opened it. */
  print(): void;
}

/** Notes a change of the form of chapter `id` by a visitor of the chapter `at`. */
export type Remember = (id: string, how: 'changing' | 'done', at?: string) => void;
