// SPDX-License-Identifier: MIT
// Installs Debian packages, where setup may.
import { runQuietly, which } from '../lib/process.mjs';

/** Returns whether packages can be installed on this host. */
export const canInstall = () => process.getuid?.() === 0 && which('apt-get') !== undefined;

let updated = false;

export async function aptInstall(...packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!updated) await runQuietly('apt-get', ['-qq', 'update'], { env });
  updated = true;
  await runQuietly('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages], {
    env,
  });
}
