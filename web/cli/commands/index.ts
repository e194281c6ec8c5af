// SPDX-License-Identifier: MIT
// The list of commands, for main.ts and the help.
import type { Command } from '../command.js';
import { check } from './check.js';
import { completionOf } from './completion.js';
import { convert } from './convert.js';
import { draw } from './draw.js';
import { info } from './info.js';
import { port } from './port.js';
import { profile } from './profile.js';
import { quantize } from './quantize.js';
import { run } from './run.js';
import { trace } from './trace.js';
import { train } from './train.js';
import { verify } from './verify.js';

/** All commands in the order of the help. To add one, add a file here and a line to this list. */
export const commands: readonly Command[] = [
  info,
  run,
  trace,
  check,
  draw,
  profile,
  verify,
  convert,
  quantize,
  train,
  port,
  completionOf(() => commands),
];
