// SPDX-License-Identifier: MIT
import type { Model } from 'maskflow';
import { h } from '../shared/dom.js';
import { scrollable } from '../shared/grid.js';
import type { Stored } from './stored.js';

/** What the file weighs and how long it took. */
export function fileLine({ file, bytes, milliseconds, model }: Stored<unknown>): string {
  const kilobytes = (bytes / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 });
  const time = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
  const parameters = model.countParams().toLocaleString('en-US');
  return `${file}: ${kilobytes} kB, loaded in ${time} ms; ${parameters} parameters.`;
}

/** `model.summary()`, as a program would print it. */
export function summaryBox(model: Model): HTMLElement {
  const pre = h('pre', {}, h('code', {}, model.summary({ print: null })));
  return scrollable(pre, 'Summary of the model');
}
