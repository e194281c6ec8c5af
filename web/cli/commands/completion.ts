// SPDX-License-Identifier: MIT
// The command `maskflow completion`, whose programs for shells are in completion.ts.
import type { Command } from '../command.js';
import { shells } from '../completion.js';
import { nearestOf } from '../../src/base/nearest.js';
import { UsageError } from '../usage.js';

/** Returns the command that completes the arguments of all commands. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'prints a program for a shell that completes arguments',
  operands: [{ name: 'SHELL', help: 'bash, zsh or fish' }],
  options: {},
  notes:
    'bash: add the line  eval "$(maskflow completion bash)"  to ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: maskflow completion fish > ~/.config/fish/completions/maskflow.fish',
  example: 'completion bash',
  text(line) {
    const name = line.operand(0);
    if (Object.hasOwn(shells, name)) return shells[name as keyof typeof shells](commands());
    const names = Object.keys(shells);
    throw new UsageError(
      `unknown shell '${name}'${nearestOf(name, names)}; the shells are ${names.join(', ')}`,
    );
  },
  run: async () => undefined,
});
