// SPDX-License-Identifier: MIT
// The command `maskflow port`: translates a Python program with Keras to JavaScript.
import type { Command } from '../command.js';
import { UsageError } from '../usage.js';

export const port: Command = {
  name: 'port',
  summary: 'translates a Python program or notebook with Keras to JavaScript',
  operands: [{ name: 'FILE', help: 'a .py or .ipynb file (-: standard input)' }],
  options: {
    output: { value: 'FILE', short: 'o', help: 'an .mjs file (default and -: standard output)' },
    run: { help: 'runs the program; an error names the line of the Python program' },
    trace: { help: 'ends the program with the masks of its last model' },
    force: { short: 'f', help: 'replaces an existing file' },
  },
  notes:
    'Notes go to standard error: what has no partner in JavaScript is a comment in the program,\n' +
    'and a note says what to write instead. Nothing is executed without --run.',
  example: 'port model.py -o model.mjs',
  isAlone: true,
  async run(line, tools) {
    const path = line.operand(0);
    const output = line.text('output');
    const isRun = line.flag('run');
    if (isRun && output === '-')
      throw new UsageError('--run prints what the program prints: leave out -o -');
    if (output !== undefined) tools.checkOutput(output, line.flag('force'), path);
    const { portFile, runPorted } = await import('../port_program.js');
    const ported = await portFile(path, line.flag('trace'));
    if (output !== undefined || !isRun) {
      await tools.writeBytes(output ?? '-', new TextEncoder().encode(ported.code));
    }
    if (isRun) {
      await tools.runImports(line.list('import'));
      await runPorted(path, ported);
    }
    return undefined;
  },
};
