// SPDX-License-Identifier: MIT
// The command `maskflow verify`: compares outputs with a recording from Python.
import type { Command } from '../command.js';
import { print } from '../print.js';
import { exitCodes } from '../usage.js';
import { checkOneStdin, modelOperand } from './shared.js';

const tolerance = {
  value: 'X',
  help: 'tolerance (default 1e-5): |output - recorded| <= absolute + relative * |recorded|',
};

export const verify: Command = {
  name: 'verify',
  summary: 'compares outputs with a recording from Python',
  computes: true,
  operands: [
    modelOperand,
    {
      name: 'RECORDED',
      help: 'inputs, outputs and masks that Python recorded, .json or .npz; - is standard input',
    },
  ],
  options: {
    absolute: tolerance,
    relative: tolerance,
    'ignore-masked': { help: 'ignores masked steps of the outputs' },
  },
  example: 'verify model.keras recorded.npz',
  async run(line, tools) {
    const [path, recorded] = [line.operand(0), line.operand(1)];
    checkOneStdin(path, recorded, 'recording');
    const options = {
      absolute: line.number('absolute', 1e-5, { least: 0 }),
      relative: line.number('relative', 1e-5, { least: 0 }),
      ignoreMasked: line.flag('ignore-masked'),
    };
    const model = await tools.openModel(path);
    const result = await tools.verify(model, tools.readBytes(recorded), options);
    print(`${result}\n${result.passed ? 'agrees' : 'DIFFERS'}`);
    return result.passed ? exitCodes.fine : exitCodes.failed;
  },
};
