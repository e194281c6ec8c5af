// SPDX-License-Identifier: MIT
// Starts Redis, two consumers and a producer on this machine, and ends them:
// node start.mjs model.keras rows.csv scores.csv
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [model, rows, scores] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'queue-'));
const socket = join(folder, 'redis.sock');
const env = { ...process.env, REDIS: socket };
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const children = [];

function start(program, args) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  child.on('error', (error) => {
    console.error(`${program}: ${error.message}`);
    process.exitCode = 1;
  });
  return child;
}

/** Resolves when the program has printed something that fits `text`. */
async function started(child, text) {
  for await (const piece of child.stdout) if (text.test(piece)) return;
  throw new Error(`a program ended before it printed ${text}`);
}

try {
  // Without a port and without files. A queue that outlives Redis needs --appendonly yes.
  const settings = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder];
  await started(start('redis-server', settings), /ready to accept connections/i);
  const consumers = [1, 2].map(() => start(process.execPath, [here('consumer.mjs'), model]));
  await Promise.all(consumers.map((consumer) => started(consumer, /ready/)));
  console.log('consumers:', ...consumers.map(({ pid }) => pid));
  const producer = start(process.execPath, [here('produce.mjs'), rows, scores]);
  const [code] = await once(producer, 'exit');
  process.exitCode = code ?? 1;
} finally {
  // Redis last, because the consumers tell it that they end.
  for (const child of children.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null || !child.pid) continue;
    child.kill();
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
