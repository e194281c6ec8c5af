// SPDX-License-Identifier: MIT
import type { ReadyOptions } from 'maskflow';
import { type Batch, onBatch } from './batch.js';
import { type Example, codeBox } from './code.js';
import { find, h, say } from './dom.js';
import { changes } from './hash.js';
import { reset } from './program.js';
import { type Own, withScope } from './scope.js';
import { Settings, type Values, readForm, writeForm } from './settings.js';

export interface Scene {
  settings: Settings;
  batch: Batch;
  own: Own;
  /** The element of the panel's HTML with this data-slot. */
  slot(name: string): HTMLElement;
  /** Replaces what is in a slot. */
  put(name: string, ...content: (Node | string)[]): void;
  /** Draws again, when what a drawing waited for has come. */
  redraw(): void;
  /** One or two sentences with the result; read out when they change. */
  says(text: string): void;
}

export interface Panel {
  id: string;
  /** Computes with the package, draws, and answers with the same as program text; none while there is nothing to see. */
  draw(scene: Scene): Example | undefined;
  /** What the package has to be told beforehand. */
  runtime?(settings: Settings): ReadyOptions;
  /** Panel 1 makes the batch; the others wait for it. */
  makesBatch?: boolean;
}

export interface MountedPanel {
  id: string;
  changed(): Values;
  /** Sets the controls, the missing ones to their defaults, and draws. */
  apply(values: Values): Promise<void>;
}

// One drawing at a time: seed and mask rules belong to the whole package, not to one panel.
let turn: Promise<void> = Promise.resolve();

const noBatch: Batch = {
  words: [],
  sequences: [],
  ids: [],
  origin: [],
  options: { padding: 'pre', truncating: 'pre' },
};

export function mount(panel: Panel, onChange: (id: string) => void): MountedPanel {
  const section = find(`#${panel.id}`);
  const form = find<HTMLFormElement>('form', section);
  const picture = find('.picture', section);
  const result = h('output', { class: 'says', 'aria-live': 'polite' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const code = codeBox(panel.id);
  const again = h('button', { type: 'button' }, 'Reset this panel');
  // The result stands at the end of the picture, or where the panel's HTML keeps a place for it.
  const place = picture.querySelector('[data-result]') ?? picture;
  place.append(result, problem);
  find('.wrap', section).append(h('div', { class: 'ending' }, code.element, again));

  const defaults = readForm(form);
  let batch = noBatch;
  const slot = (name: string) => find(`[data-slot="${name}"]`, section);
  const drawNow = async () => {
    waiting = false;
    let example: Example | undefined;
    const settings = new Settings(readForm(form));
    try {
      await reset(panel.runtime?.(settings));
      withScope((own) => {
        const put: Scene['put'] = (name, ...content) => slot(name).replaceChildren(...content);
        const says = (text: string) => say(result, text);
        example = panel.draw({ settings, batch, own, slot, put, says, redraw });
      });
      problem.hidden = true;
    } catch (error) {
      // What the package refuses is part of the lesson: its own words, where they belong.
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      problem.replaceChildren(h('strong', {}, `${name}: `), message);
      problem.hidden = false;
      say(result, '');
    }
    section.classList.toggle('refused', !problem.hidden);
    if (example) code.show(example);
    code.element.hidden = !example;
    again.hidden = changes(readForm(form), defaults).size === 0;
  };
  let waiting = false;
  const redraw = (): Promise<void> => {
    if (!waiting) turn = turn.then(drawNow);
    waiting = true;
    return turn;
  };
  const changed = async () => {
    await redraw();
    onChange(panel.id);
  };
  form.addEventListener('input', () => void changed());
  form.addEventListener('submit', (event) => event.preventDefault());
  again.addEventListener('click', () => {
    writeForm(form, defaults);
    void changed();
    // The button goes away; the keyboard must not be left nowhere.
    find('h2', section).focus();
  });
  if (!panel.makesBatch) {
    onBatch((next) => {
      batch = next;
      void redraw();
    });
  }
  return {
    id: panel.id,
    changed: () => changes(readForm(form), defaults),
    apply(values) {
      writeForm(form, new Map([...defaults, ...values]));
      return redraw();
    },
  };
}
