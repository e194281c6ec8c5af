// SPDX-License-Identifier: MIT
// How steps come: keys, buttons, a pointer that draws.
import { Advice, type Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { inputsOf, last, modelOf, mostSteps, written } from './inputs.js';
import type { Input } from './read.js';

export function listen(scene: Scene): void {
  const { section } = scene;
  section.dataset['model'] = modelOf(scene.settings);
  const field = (name: string) => find<HTMLInputElement>(`[name="${name}"]`, section);
  const level = find<HTMLInputElement>('[data-level]', section);
  level.addEventListener('input', (event) => {
    // It says what comes next, and is no setting of the figure.
    event.stopPropagation();
    scene.put('level', (level.valueAsNumber / 100).toFixed(2).replace('-', '−'));
  });
  const add = (...inputs: Input[]) => {
    const all = [...(taken(scene) ?? []), ...inputs].slice(0, mostSteps);
    write(field('readings'), written(all), 'input');
  };
  const act: [string, (button: HTMLElement) => void][] = [
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
  for (const [selector, run] of act) {
    for (const button of section.querySelectorAll<HTMLElement>(selector))
      button.addEventListener('click', () => run(button));
  }
  // The answer to the question is computed of a state that is saved.
  find('[data-predict]', section).addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && scene.settings.text('saved') === '') saveHere(scene);
  });
  drawing(scene, add, () => write(field('readings'), field('readings').value, 'change'));
}

/** The steps so far; undefined where what is typed is none, which the figure's place says. */
function taken({ settings }: Scene): Input[] | undefined {
  try {
    return inputsOf(settings);
  } catch (error) {
    if (error instanceof Advice) return undefined;
    throw error;
  }
}

function saveHere(scene: Scene): void {
  const steps = taken(scene);
  if (steps) scene.set({ saved: String(steps.length) });
}

function type(field: HTMLInputElement, key: string): void {
  if (field.value.length >= field.maxLength) return;
  write(field, field.value + key, 'input');
  write(field, field.value, 'change');
}

/** As a person would: the address and the figure follow. */
function write(field: HTMLInputElement, value: string, event: 'input' | 'change'): void {
  field.value = value;
  field.dispatchEvent(new Event(event, { bubbles: true }));
}

/** A pointer that is held down and moves to the right; what it leaps over is missing. */
function drawing(scene: Scene, add: (...inputs: Input[]) => void, done: () => void): void {
  const pad = scene.slot('chart');
  let draws = false;
  const take = ({ clientX, clientY }: PointerEvent) => {
    const at = placeOf(pad, clientX, clientY);
    if (!at) return;
    const inputs = taken(scene) ?? [];
    const step = Math.min(mostSteps - 1, at.step);
    if (step < inputs.length) return;
    // The first touch goes on where the series stands.
    const missing = Array<null>(draws ? step - inputs.length : 0).fill(null);
    add(...missing, at.value);
  };
  pad.addEventListener('pointerdown', (event) => {
    if (modelOf(scene.settings) !== 'sensor' || event.button !== 0) return;
    take(event);
    draws = true;
    pad.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  pad.addEventListener('pointermove', (event) => {
    if (draws) take(event);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    pad.addEventListener(end, () => {
      if (draws) done();
      draws = false;
    });
  }
}

/** The step and the value under a pointer. */
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
