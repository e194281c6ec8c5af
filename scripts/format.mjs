// SPDX-License-Identifier: MIT
// Formats the files that `npm run check` checks, and applies the linter's safe fixes.
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:process';
import { at, filesUnder } from './lib/files.mjs';
import { isProgram, main, runQuietly } from './lib/process.mjs';
import { setup } from './setup.mjs';
import { step } from './lib/steps.mjs';

const cppFolders = ['src', 'bindings', 'tests', 'bench'];

/**
 * Returns the path of clang-format. Its npm package has a program for each platform; the JavaScript
 * wrapper only finds it.
 */
function clangFormat() {
  const folder = platform === 'win32' ? 'win32' : `${platform}_${arch}`;
  const program = at('node_modules', 'clang-format', 'bin', folder, 'clang-format');
  return existsSync(program) ? program : 'clang-format';
}

export async function formatCpp(...options) {
  const files = cppFolders.flatMap((folder) => filesUnder(folder, /\.[ch]pp$/));
  if (files.length > 0) await runQuietly(clangFormat(), ['--style=file', ...options, ...files]);
}

export async function biome(...args) {
  const program = at('node_modules', '@biomejs', 'biome', 'bin', 'biome');
  await runQuietly('node', [program, ...args, '--colors=off', '.']);
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    await setup();
    await step('C++', () => formatCpp('-i'));
    await step('TypeScript, JavaScript, JSON', () => biome('check', '--write'));
  });
}
