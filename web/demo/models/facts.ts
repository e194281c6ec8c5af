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
export const summaryBox = (model: Model): HTMLElement =>
  printed(model.summary({ print: null }), 'Summary of the model');

/** Text as a program prints it. */
export function printed(text: string, label: string): HTMLElement {
  const box = scrollable(h('pre', {}, h('code', {}, text)), label);
  box.classList.add('printed');
  return box;
}
