// SPDX-License-Identifier: MIT
// Records all exceptions that WebAssembly throws while a program runs, including caught ones. A
// debugger in another thread pauses the program at each exception.
import { Worker } from 'node:worker_threads';

const watcher = `
  const { Session } = require('node:inspector');
  const { parentPort } = require('node:worker_threads');
  const session = new Session();
  session.connectToMainThread();
  const stacks = [];
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    if (callFrames[0].scopeChain[0]?.type.startsWith('wasm'))
      stacks.push(callFrames.map(({ functionName }) => functionName || '?').join(' < '));
    session.post('Debugger.resume');
  });
  session.post('Debugger.enable');
  session.post('Debugger.setPauseOnExceptions', { state: 'all' }, () => parentPort.postMessage('ready'));
  parentPort.on('message', () => {
    parentPort.postMessage(stacks.splice(0));
  });
`;

const nextMessage = (worker) => new Promise((resolve) => worker.once('message', resolve));

/**
 * Runs `program`, which may be asynchronous, and returns the stacks of all exceptions in
 * WebAssembly.
 */
export async function thrownBy(program) {
  const worker = new Worker(watcher, { eval: true });
  try {
    await nextMessage(worker);
    await program();
    worker.postMessage('end');
    return await nextMessage(worker);
  } finally {
    await worker.terminate();
  }
}
