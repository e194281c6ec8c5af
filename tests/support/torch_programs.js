// SPDX-License-Identifier: MIT
// Runs the programs that `maskflow info` prints for files of PyTorch.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program } from './command.js';

const AsyncFunction = (async () => {}).constructor;

/** Returns the program in the output of `maskflow info`. */
export const programIn = (output) => output.slice(output.indexOf('import { readTorch'));

/** Runs the program with a file in place of its own, and returns its model. */
export async function runProgram(mf, output, file) {
  const body = programIn(output)
    .replace(/^import .*$/m, '')
    .replace(/readTorch\("[^"]*"/, 'readTorch(source');
  return new AsyncFunction('readTorch', 'Sequential', 'source', `${body}\nreturn model;`)(
    mf.readTorch,
    mf.Sequential,
    file,
  );
}

const arrays = { float32: Float32Array, int32: Int32Array };
const arrayOf = ({ dtype, data }) =>
  new arrays[dtype](Uint8Array.from(Buffer.from(data, 'base64')).buffer);

/** Returns null, or how the printed program of a recorded model differs from PyTorch. */
export async function torchProgramDifference(mf, recorded) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-torch-'));
  const file = join(folder, 'model.pth');
  try {
    writeFileSync(file, Buffer.from(recorded.file, 'base64'));
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'info', file]);
    const model = await runProgram(mf, stdout, file);
    // A program that somebody has to complete only has to run.
    if (!recorded.isComplete) return stdout.includes('\n  // file.layer(') ? null : 'no comment';
    const { shape, dtype } = recorded.x;
    const result = model.predict(mf.tensor(arrayOf(recorded.x), { shape, dtype }));
    // Without both directions, the program returns the last step.
    const names = recorded.recurrent && !recorded.both ? ['last', 'states'] : ['all'];
    for (const name of names) {
      const expected = recorded.outputs[name];
      if (String(result.shape) !== String(expected.shape)) {
        return `${name}: the shape is [${result.shape}], not [${expected.shape}]\n${stdout}`;
      }
      const [numbers, wanted] = [result.data(), arrayOf(expected)];
      const at = wanted.findIndex(
        (value, i) => !(Math.abs(numbers[i] - value) <= 1e-5 + 1e-4 * Math.abs(value)),
      );
      if (at >= 0) return `${name}: ${at} is ${numbers[at]}, not ${wanted[at]}\n${stdout}`;
    }
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
