// SPDX-License-Identifier: MIT
// Runs programs whose output tests read: always without colours (some print them wherever CI or
// FORCE_COLOR is set), and with a time limit.
import { execFileSync, spawnSync } from 'node:child_process';

const colours = /^(FORCE_COLOR|CI)$/i;
/**
 * Environment and time limit of the programs that tests start. The limit is for programs that hang:
 * one that takes a minute takes five on a busy machine.
 */
export const settings = {
  env: {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !colours.test(name))),
    NO_COLOR: '1',
  },
  timeout: 600_000,
};

/** Runs Node with arguments and returns its output, or throws. */
export const runNode = (args, options) =>
  execFileSync(process.execPath, args, { ...settings, encoding: 'utf8', ...options });

/** Runs a module given as text. */
export const runModule = (code, options) => runNode(['--input-type=module', '-e', code], options);

/**
 * Runs Node with arguments and returns its status and output, as bytes unless an encoding is given.
 */
export const tryNode = (args, options) =>
  spawnSync(process.execPath, args, { ...settings, ...options });
