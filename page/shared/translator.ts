// SPDX-License-Identifier: MIT
// Translates Python programs in a worker, whose script is fetched with the first of them.
import { portScript } from 'page-files';
import type { Translated } from '../engine/port_protocol.js';

/** Largest number of characters that the page translates; an address holds as many. */
export const maxCharacters = 100_000;

/** Largest number of characters of a notebook, which may contain pictures. */
const maxNotebook = 50_000_000;

const timeLimit = 10_000;

/** Returns whether a text is a notebook. */
export const isNotebook = (text: string): boolean =>
  /^\s*\{/.test(text) && /"nbformat"\s*:/.test(text);

let worker: Promise<Worker> | undefined;
/** The translation that runs, after which the next one begins. */
let last: Promise<unknown> = Promise.resolve();

async function open(): Promise<Worker> {
  const script = new Blob([await portScript()], { type: 'text/javascript' });
  const address = URL.createObjectURL(script);
  const opened = new Worker(address);
  // Browsers read the address after the constructor has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return opened;
}

/** Asks a worker; rejects if it fails, or takes longer than the limit. */
const answer = (from: Worker, text: string): Promise<Translated> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Translating takes longer than ${timeLimit / 1000} s here.`)),
      timeLimit,
    );
    from.onmessage = ({ data }: MessageEvent<Translated>) => {
      clearTimeout(timer);
      resolve(data);
    };
    from.onerror = (event) => {
      clearTimeout(timer);
      event.preventDefault();
      reject(new Error(event.message || 'The translator did not start.'));
    };
    from.postMessage(text);
  });

async function ask(text: string): Promise<Translated> {
  try {
    worker ??= open();
    return await answer(await worker, text);
  } catch (error) {
    const ended = worker;
    worker = undefined;
    ended?.then(
      (each) => each.terminate(),
      () => {}, // It never started.
    );
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'fault', message: `${reason} Run npx maskflow port in a terminal.` };
  }
}

/** Translates a Python program or a notebook to JavaScript; nothing of it is executed. */
export function translate(text: string): Promise<Translated> {
  const most = isNotebook(text) ? maxNotebook : maxCharacters;
  if (text.length > most) {
    const message = `The code has ${text.length} characters; this page translates up to ${most}. Run npx maskflow port in a terminal.`;
    return Promise.resolve({ kind: 'fault', message });
  }
  const translated = last.then(() => ask(text));
  last = translated;
  return translated;
}
