// SPDX-License-Identifier: MIT
// Strokes on a PaintGrid change the control that contains the painted cells. A stroke paints all of
// its cells if its first cell was clear, and clears them otherwise.
import { places } from './batch.js';
import type { Scene } from './chapter.js';
import { find } from './dom.js';
import { cellsOf, has, paint } from './holes.js';
import type { PaintOptions } from './paint.js';
import { drive } from './settings.js';

export interface PainterOptions {
  caption: string;
  detail: string;
  /** Name of the control that contains the cells of the current brush. */
  control(): string;
  /** Row of the batch that the grid shows, if it shows one row only. */
  rowOf?(): number;
  /** Called for each cell before it is painted. */
  touch?(row: number, step: number): void;
}

export function painter(scene: Scene, options: PainterOptions): PaintOptions {
  const form = find<HTMLFormElement>('form', scene.section);
  let on = true;
  return {
    caption: options.caption,
    detail: options.detail,
    paint(index, step, first) {
      const row = options.rowOf?.() ?? index;
      options.touch?.(row, step);
      const name = options.control();
      const text = scene.settings.text(name);
      const wordPlaces = places(scene.batch);
      if (first) on = !has(cellsOf(text, wordPlaces), row, step);
      const next = paint(text, wordPlaces, [row, step], on);
      if (next !== text) drive(form, name, next, 'changing');
    },
    done: () => form.dispatchEvent(new Event('change', { bubbles: true })),
  };
}
