// SPDX-License-Identifier: MIT
// A thread that computes parts of a file. It runs the command with the arguments of the main
// thread, computes the beginning of the file as that does, and then the parts that it receives.
import { statSync } from 'node:fs';
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Model } from '../../src/index.js';
import { bytesOf } from './byte_source.js';
import { openRows } from './open_rows.js';
import type { InputFormat } from './options.js';
import type { Part } from './record_scanner.js';
import { type Counts, RowRun, type RunPlan } from './row_run.js';
import { CollectedText } from './sinks/collected_text.js';

/** The task of a thread. */
export interface PartTask {
  /** Descriptor of the data, which all threads of the process share. */
  file: number;
  format: InputFormat;
  /** The beginning of the file, after which the parts follow. */
  head: Part;
}

/** The first message of a thread: what it computed of the beginning, and from which files. */
export interface Readiness {
  text: Uint8Array;
  state: string | null;
}

/** A part to compute, behind `row` rows of the output. */
export interface PartOrder {
  part: Part;
  row: number;
}

/** The output for a part. */
export interface PartResult {
  text: Uint8Array;
  counts: Counts;
}

/** The task of this thread; undefined in the main thread. */
export const partTask = (): PartTask | undefined =>
  isMainThread ? undefined : (workerData as { maskflowPart?: PartTask } | null)?.maskflowPart;

/** The state of files, which changes with their content; null if one cannot be read twice. */
export function stateOfFiles([model, ...others]: readonly string[]): string | null {
  // The file model.json has its weights in other files.
  const state = model?.endsWith('.json') ? null : stateOf(model as string);
  const states = [state || null, ...others.map(stateOf)];
  return states.includes(null) ? null : states.join(' ');
}

/** The state of a file; '' for a text that names no file, null if it is not a regular file. */
function stateOf(path: string): string | null {
  if (path === '-') return null;
  try {
    const facts = statSync(path, { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs } = facts;
    return facts.isFile() ? [dev, ino, size, mtimeNs, ctimeNs].join() : null;
  } catch {
    return '';
  }
}

/** Computes the beginning, then each part that arrives. An error ends the thread. */
export async function servePart(
  { file, format, head }: PartTask,
  model: Model,
  plan: RunPlan,
): Promise<void> {
  const port = parentPort as MessagePort;
  const text = new CollectedText();
  const opened = await openRows(model, { ...plan.input, format });
  const run = new RowRun(model, plan, opened, {}, async () => text);
  const compute = async ({ from, to, start }: Part, row: number): Promise<void> => {
    await run.part(bytesOf(file, from, to), from === 0 ? undefined : start, row);
    await run.flush();
  };
  const send = <Message extends { text: Uint8Array }>(message: Message): void =>
    port.postMessage(message, [message.text.buffer as ArrayBuffer]);
  await compute(head, 0);
  run.take();
  send<Readiness>({ text: text.take(), state: stateOfFiles(plan.threads.files) });
  let last = Promise.resolve();
  port.on('message', ({ part, row }: PartOrder) => {
    last = last.then(() => compute(part, row));
    last.then(
      () => send<PartResult>({ text: text.take(), counts: run.take() }),
      () => process.exit(1),
    );
  });
}
