// SPDX-License-Identifier: MIT
// Programs that tests run and read the output of: never in colours (some print them wherever CI or FORCE_COLOR is
// set), and none for ever.
import { execFileSync, spawnSync } from 'node:child_process';

const colours = /^(FORCE_COLOR|CI)$/i;
/** Where and how long programs run. */
export const settings = {
  env: {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !colours.test(name))),
    NO_COLOR: '1',
  },
  timeout: 120_000,
};

/** Runs Node with arguments; what it prints, or an error. */
export const runNode = (args, options) =>
  execFileSync(process.execPath, args, { ...settings, encoding: 'utf8', ...options });

/** Runs a module given as text. */
export const runModule = (code, options) => runNode(['--input-type=module', '-e', code], options);

/** Runs Node with arguments; its status and what it prints, as bytes unless an encoding is asked for. */
export const tryNode = (args, options) =>
  spawnSync(process.execPath, args, { ...settings, ...options });
