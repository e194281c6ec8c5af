// SPDX-License-Identifier: MIT
// Installs what the tests of examples/ need.
import { findDask, findRedis } from '../lib/engines.mjs';
import { warnLoudly } from '../lib/steps.mjs';
import { aptInstall, canInstall } from './apt.mjs';

const engines = [
  { find: findDask, packages: ['python3-distributed'] },
  { find: findRedis, packages: ['redis-server'] },
];

/** Installs the engines if possible. Otherwise their tests are skipped and say why. */
export async function installEngines() {
  for (const { find, packages } of engines) {
    if (find() || !canInstall()) continue;
    try {
      await aptInstall(...packages);
    } catch (error) {
      warnLoudly(error.message);
    }
  }
  return `${engines.filter(({ find }) => find()).length} of ${engines.length}`;
}
