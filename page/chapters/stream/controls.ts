// SPDX-License-Identifier: MIT
// The controls that add steps: keys, buttons and a pointer that draws.
import { Advice, type Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { decimal } from '../../shared/text.js';
import { inputsOf, last, modelOf, maxSteps, formatReadings } from './inputs.js';
import type { Input } from './read.js';

export function listen(scene: Scene): void {
  const { section } = scene;
  section.dataset['model'] = modelOf(scene.settings);
  const field = (name: string) => find<HTMLInputElement>(`[name="${name}"]`, section);
  const level = find<HTMLInputElement>('[data-level]', section);
  level.addEventListener('input', (event) => {
    // The slider sets the next reading; it is not a setting of the figure.
    event.stopPropagation();
    const text = decimal(level.valueAsNumber / 100, 2);
    scene.put('level', text);
    level.setAttribute('aria-valuetext', text);
  });
  const add = (...inputs: Input[]) => {
    const all = [...(currentInputs(scene) ?? []), ...inputs].slice(0, maxSteps);
    write(field('readings'), formatReadings(all), 'input');
  };
  const actions: [string, (button: HTMLElement) => void][] = [
    ['[data-key]', ({ dataset }) => type(field('text'), dataset['key'] ?? '')],
    [
      '[data-take]',
      ({ dataset }) => {
        add(dataset['take'] === 'reading' ? level.valueAsNumber / 100 : null);
        write(field('readings'), field('readings').value, 'change');
      },
    ],
    ['[data-again]', () => scene.set({ text: '', readings: '', saved: '' })],
    ['[data-save]', () => saveHere(scene)],
    ['[data-forget]', () => scene.set({ saved: '' })],
  ];
  for (const [selector, run] of actions) {
    for (const button of section.querySelectorAll<HTMLElement>(selector))
      button.addEventListener('click', () => run(button));
  }
  listenForDrawing(scene, add, () => write(field('readings'), field('readings').value, 'change'));
}

/** Returns the steps so far; undefined for invalid input, which the page explains elsewhere. */
function currentInputs({ settings }: Scene): Input[] | undefined {
  try {
    return inputsOf(settings);
  } catch (error) {
    if (error instanceof Advice) return undefined;
    throw error;
  }
}

function saveHere(scene: Scene): void {
  const steps = currentInputs(scene);
  if (steps) scene.set({ saved: String(steps.length) });
}

function type(field: HTMLInputElement, key: string): void {
  if (field.value.length >= field.maxLength) return;
  write(field, field.value + key, 'input');
  write(field, field.value, 'change');
}

/** Sets a field with the event of a person's input, so the address and the figure follow. */
function write(field: HTMLInputElement, value: string, event: 'input' | 'change'): void {
  field.value = value;
  field.dispatchEvent(new Event(event, { bubbles: true }));
}

/** Adds readings while a pressed pointer moves to the right; steps that it skips are missing. */
function listenForDrawing(scene: Scene, add: (...inputs: Input[]) => void, done: () => void): void {
  const pad = scene.slot('chart');
  let isDrawing = false;
  const take = ({ clientX, clientY }: PointerEvent) => {
    const at = placeOf(pad, clientX, clientY);
    if (!at) return;
    const inputs = currentInputs(scene) ?? [];
    const step = Math.min(maxSteps - 1, at.step);
    if (step < inputs.length) return;
    // The first touch continues the series, wherever it is.
    const missing = Array<null>(isDrawing ? step - inputs.length : 0).fill(null);
    add(...missing, at.value);
  };
  pad.addEventListener('pointerdown', (event) => {
    if (modelOf(scene.settings) !== 'sensor' || event.button !== 0) return;
    take(event);
    isDrawing = true;
    pad.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  pad.addEventListener('pointermove', (event) => {
    if (isDrawing) take(event);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    pad.addEventListener(end, () => {
      if (isDrawing) done();
      isDrawing = false;
    });
  }
}

/** Returns the step and the value under a pointer. */
function placeOf(
  pad: HTMLElement,
  clientX: number,
  clientY: number,
): { step: number; value: number } | undefined {
  const svg = pad.querySelector<SVGSVGElement>('svg.chart');
  const plot = svg?.dataset['plot']?.split(' ').map(Number);
  if (!svg || !plot) return undefined;
  const [left = 0, top = 0, width = 1, height = 1] = plot;
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  const x = ((clientX - box.left) * scale - left) / width;
  const y = ((clientY - box.top) * scale - top) / height;
  return {
    step: Math.round(x * last),
    value: Math.round(100 * Math.min(1.5, Math.max(-1.5, 1.5 - 3 * y))) / 100,
  };
}
