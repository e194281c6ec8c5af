// SPDX-License-Identifier: MIT
// The history of a training as text, for `maskflow train`.
import { table } from '../src/base/table.js';
import type { History } from '../src/model/train_options.js';

const cell = (value: number | number[] | undefined): string =>
  [value ?? []]
    .flat()
    .map((x) => (Math.abs(x) >= 1e-3 || x === 0 ? x.toFixed(4) : x.toExponential(3)))
    .join(' ');

/** Returns the history of `fit` as a table with a line per epoch. */
export function historyText(history: History['history']): string {
  const names = Object.keys(history);
  const rows = history.loss.map((_, epoch) => [
    String(epoch + 1),
    ...names.map((name) => cell(history[name]?.[epoch])),
  ]);
  return table(['epoch', ...names], rows)
    .slice(0, -1)
    .join('\n');
}
