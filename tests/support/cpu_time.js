// SPDX-License-Identifier: MIT
// A clock for tests of costs that an attacker may drive up.

/**
 * Returns the CPU time of this process in milliseconds. Tests compare it with a generous limit to
 * find work that grows too fast with its input. Unlike elapsed time, it depends little on what else
 * the machine runs.
 */
export function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
