// SPDX-License-Identifier: MIT
// Runs cells one after the other, each in a folder and within a time of its own.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { at } from '../../../scripts/lib/files.mjs';
import { pack } from '../../package/support/consumer.js';
import { Absent } from './absent.js';
import { judge } from './judge.js';
import { closeBrowsers } from './pages.js';
import { checkFiles, Project } from './project.js';

/** Longest time of a cell in s. A bundler takes two minutes on a busy machine. */
const usualLimit = 300;

/** Creates a folder for the run, with the tarball and the programs in each format. */
async function prepare() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-matrix-')));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  try {
    for (const [file, format] of Object.entries(checkFiles)) {
      await build({
        entryPoints: [at('tests/matrix/programs/check.js')],
        outfile: join(folder, file),
        bundle: true,
        format,
        globalName: 'checks',
        logLevel: 'error',
      });
    }
    return { folder, tarball: pack(folder).tarball, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function runCell(cell, shared) {
  const project = new Project(mkdtempSync(join(shared.folder, 'cell-')), shared);
  shared.project = project;
  const limit = cell.limit ?? usualLimit;
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(
      () => fail(new Error(`hangs (more than ${limit} s)\n${project.lastOutput()}`)),
      limit * 1000,
    );
  });
  try {
    return await Promise.race([cell.run(project), late]);
  } catch (error) {
    if (error instanceof Absent) return { answers: {}, absent: error.message };
    return { answers: { cell: error.message } };
  } finally {
    clearTimeout(timer);
    project.close();
  }
}

/**
 * Runs the cells and calls `tell` with each result. At the end, or when it is interrupted, ends all
 * processes and removes all folders.
 */
export async function runCells(cells, tell = () => {}) {
  const shared = await prepare();
  const results = new Map();
  const interrupted = () => {
    try {
      shared.project?.stop();
      shared.remove();
    } finally {
      process.exit(1);
    }
  };
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    for (const cell of cells) {
      const date = new Date().toISOString();
      const begun = performance.now();
      const result = await runCell(cell, shared);
      const seconds = (performance.now() - begun) / 1000;
      const verdict = { ...judge(cell, result), seconds, date };
      results.set(cell.name, verdict);
      tell(cell, verdict);
    }
  } finally {
    await closeBrowsers();
    shared.remove();
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
  }
  return results;
}
