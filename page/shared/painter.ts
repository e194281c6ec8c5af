// SPDX-License-Identifier: MIT
// What a stroke on a PaintGrid does to the control that keeps the painted cells: all cells that it touches become what it made of the
// first.
import { places } from './batch.js';
import type { Scene } from './chapter.js';
import { find } from './dom.js';
import { cellsOf, has, paint } from './holes.js';
import type { PaintOptions } from './paint.js';
import { drive } from './settings.js';

export interface PainterOptions {
  caption: string;
  detail: string;
  /** The control that keeps what the brush paints. */
  control(): string;
  /** Told of each cell before it is painted. */
  touch?(row: number, step: number): void;
}

export function painter(scene: Scene, options: PainterOptions): PaintOptions {
  const form = find<HTMLFormElement>('form', scene.section);
  let on = true;
  return {
    caption: options.caption,
    detail: options.detail,
    paint(row, step, first) {
      options.touch?.(row, step);
      const name = options.control();
      const text = scene.settings.text(name);
      const stands = places(scene.batch);
      if (first) on = !has(cellsOf(text, stands), row, step);
      const next = paint(text, stands, [row, step], on);
      if (next !== text) drive(form, name, next, 'changing');
    },
    done: () => form.dispatchEvent(new Event('change', { bubbles: true })),
  };
}
