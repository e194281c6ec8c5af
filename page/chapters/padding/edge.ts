// SPDX-License-Identifier: MIT
// The edge of the rows. Dragging it, or moving it by keys, sets maxlen.
import { limits, stepsOf } from '../../shared/batch.js';
import type { Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { drive } from '../../shared/settings.js';
import { count } from '../../shared/text.js';

const edgeOf = ({ section }: Scene) => find('.edge', section);

export function showEdge(scene: Scene, steps: number): void {
  const edge = edgeOf(scene);
  edge.setAttribute('aria-valuenow', String(steps));
  edge.setAttribute('aria-valuetext', count(steps, 'step'));
}

export function followEdge(scene: Scene): void {
  const edge = edgeOf(scene);
  const form = find<HTMLFormElement>('form', scene.section);
  const set = (steps: number, how: 'changing' | 'done') => {
    const maxlen = Math.min(limits.steps, Math.max(1, steps));
    const natural = Math.max(1, ...scene.batch.sequences.map((row) => row.length));
    drive(form, 'maxlen', maxlen === natural ? '' : String(maxlen), how);
  };
  edge.addEventListener('keydown', (event) => {
    const steps = moved(event.key, stepsOf(scene.batch));
    if (steps === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    set(steps, 'done');
  });
  edge.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    edge.focus();
    edge.setPointerCapture(event.pointerId);
    drag(edge, { x: event.clientX, steps: stepsOf(scene.batch), pitch: pitchOf(scene) }, set);
  });
}

function drag(
  edge: HTMLElement,
  from: { x: number; steps: number; pitch: number },
  set: (steps: number, how: 'changing' | 'done') => void,
): void {
  let steps = from.steps;
  const move = ({ clientX }: PointerEvent) => {
    const now = from.steps + Math.round((clientX - from.x) / from.pitch);
    if (now === steps) return;
    steps = now;
    set(steps, 'changing');
  };
  const end = () => {
    edge.removeEventListener('pointermove', move);
    edge.removeEventListener('lostpointercapture', end);
    if (steps !== from.steps) set(steps, 'done');
  };
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', end);
}

function moved(key: string, steps: number): number | undefined {
  const by: { [key: string]: number } = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: 5,
    PageDown: -5,
    Home: -limits.steps,
    End: limits.steps,
  };
  const change = by[key];
  return change === undefined ? undefined : Math.min(limits.steps, Math.max(1, steps + change));
}

/** Returns the distance from one cell to the next, in CSS pixels. */
function pitchOf(scene: Scene): number {
  const cell = scene.slot('batch').querySelector('tbody td');
  return (cell?.getBoundingClientRect().width ?? 56) + 3;
}
