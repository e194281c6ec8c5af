// SPDX-License-Identifier: MIT
// Programs of the docs in a worker: the page's engine, which lies beside the docs.
import { withBase } from 'vitepress';

export interface Running {
  onOutput(line: string): void;
  signal: AbortSignal;
}

/** The longest that a program may take, in milliseconds. */
const timeLimit = 60_000;

/** Runs a program as it stands; what it printed and, in words, what stopped it. */
export async function runProgram(
  text: string,
  { onOutput, signal }: Running,
): Promise<{ output: string[]; error?: string }> {
  const output: string[] = [];
  const { Engine, Refusal } = await import('../../../web/page/engine/host.js');
  const engine = new Engine('train');
  try {
    await engine.run(text, {
      signal,
      timeLimit,
      onPrinted(line) {
        output.push(line.text);
        onOutput(line.text);
      },
    });
    return { output };
  } catch (error) {
    if (!(error instanceof Refusal)) return { output, error: String(error) };
    const { message, line } = error.complaint;
    return { output, error: line === undefined ? message : `Line ${line}: ${message}` };
  } finally {
    engine.end();
  }
}

const top = () => new URL(withBase('/../'), location.href);

/** Where the playground has this program: its text, deflated, in base64url. */
export async function playgroundAddress(text: string): Promise<string> {
  const deflated = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  const base64 = btoa(String.fromCharCode(...bytes));
  const code = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return new URL(`playground/#v1/code=${code}`, top()).href;
}
