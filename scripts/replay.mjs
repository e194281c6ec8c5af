// SPDX-License-Identifier: MIT
// Replays Keras's guide to masking and padding in the terminal.
import * as mf from '../dist/index.js';
import { guide } from '../tests/support/guide.js';

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = (text) => paint(1, text);
const dim = (text) => paint(2, text);
const cyan = (text) => paint(36, text);

const indent = (text, by) => String(text).replaceAll('\n', `\n${' '.repeat(by)}`);

function show(value) {
  if (value === null) return 'no mask';
  if (value instanceof mf.Tensor) return String(value);
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'number')
      ? `(${value.join(', ')})`
      : value.map(show).join('\n');
  }
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : value.toPrecision(3);
  if (typeof value !== 'object') return String(value);
  if ('reason' in value) return `${value.className}: ${value.reason}\n${value.remedy}`;
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${indent(show(item), key.length + 2)}`)
    .join('\n');
}

function wrap(text, width) {
  return text.replace(new RegExp(`(.{1,${width}})(\\s+|$)`, 'g'), '$1\n').trimEnd();
}

function replay({ id, title, notice, run }) {
  console.log(`\n${bold(cyan(id.padEnd(3)))} ${bold(title)}`);
  mf.tidy(() => {
    for (const [label, value] of Object.entries(run())) {
      console.log(`    ${dim(label)}`);
      console.log(`      ${indent(show(value), 6)}`);
    }
  });
  console.log(`    ${cyan('→')} ${indent(wrap(notice, 92), 6)}`);
}

await mf.ready({ seed: 1 });
const { variant, kerasSemantics, wasmBytes } = mf.runtimeInfo();
console.log(bold('Understanding masking and padding'));
console.log(
  dim(
    `maskflow ${variant}, the numbers of Keras ${kerasSemantics}, ${Math.round(wasmBytes / 1024)} KiB of wasm`,
  ),
);
for (const example of guide) replay(example);
