// SPDX-License-Identifier: MIT
// The machine and the version of the package, which figures name beside their numbers.
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { at } from './files.mjs';

/** Describes the machine, in the words of docs/performance.md. */
export const machine = `${cpus()[0].model}, ${cpus().length} cores, ${platform()} ${arch()}`;
export const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
