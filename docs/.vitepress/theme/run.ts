// SPDX-License-Identifier: MIT
// Programs of the docs: in the page's engine, which lies beside the docs, or in its playground.
import { specifiersOf } from '../../../page/engine/compile.js';
import { Engine, Refusal } from '../../../page/engine/host.js';
import { pack } from '../../../page/shared/address.js';
import { top } from './engine_files.js';

export interface Running {
  onOutput(line: string): void;
  signal: AbortSignal;
}

/** Time limit of a program, in milliseconds. */
const timeLimit = 60_000;

/** The kind of module that a program needs: `train` only if it imports maskflow/train. */
const kindOf = (text: string) => (specifiersOf(text).includes('maskflow/train') ? 'train' : 'all');

/** Runs a program unchanged in a new worker; returns its output and the reason why it stopped. */
export async function runProgram(
  text: string,
  { onOutput, signal }: Running,
): Promise<{ output: string[]; error?: string }> {
  // Programs name the models that the page has as if they lay beside them.
  const engine = new Engine(kindOf(text), new URL('models/', top()).href);
  const output: string[] = [];
  const onPrinted = ({ text: line }: { text: string }) => {
    output.push(line);
    onOutput(line);
  };
  try {
    await engine.run(text, { signal, timeLimit, onPrinted });
    return { output };
  } catch (error) {
    if (!(error instanceof Refusal)) return { output, error: String(error) };
    const { message, line } = error.complaint;
    return { output, error: line === undefined ? message : `Line ${line}: ${message}` };
  } finally {
    engine.close();
  }
}

/** The playground's programs lie beside the folder of models. */
const placed = (text: string) =>
  text.replace(/(['"])(?=(?:adding|brackets|sensor)\.keras\1)/g, '$1models/');

/** Where the playground has this program. */
export async function playgroundAddress(text: string): Promise<string> {
  return new URL(`playground/#v1/code=${await pack(placed(text))}`, top()).href;
}
