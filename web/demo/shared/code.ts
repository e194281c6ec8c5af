// SPDX-License-Identifier: MIT
import { h } from './dom.js';
import { type Language, highlight } from './highlight.js';

/** A panel as program text: what runs here, the same in Keras, and what the former prints. */
export interface Example {
  js: string;
  keras: string;
  prints: string;
  /** Replaces the sentence under the program in Keras. */
  note?: string;
}

const otherWeights =
  'Keras draws its weights by another generator: masks and shapes are the same there, the values of weights are not.';

/** The folded box under a panel; `show` puts another example into it. */
export function codeBox(id: string): { element: HTMLElement; show(example: Example): void } {
  let example: Example = { js: '', keras: '', prints: '' };
  const text = h('code');
  const pre = h('pre', { tabindex: 0, 'aria-label': 'Program text' }, text);
  const prints = h('code');
  const printed = h(
    'div',
    {},
    h('p', { class: 'label' }, 'It prints'),
    h('pre', { class: 'prints', tabindex: 0, 'aria-label': 'What it prints' }, prints),
  );
  const heard = h('span', { class: 'hint', role: 'status' });
  const copy = h('button', { type: 'button' }, 'Copy');
  const choice = (value: Language, label: string, checked: boolean) =>
    h('label', {}, h('input', { type: 'radio', name: `${id}-language`, value, checked }), label);
  const languages = h(
    'fieldset',
    { class: 'choice' },
    h('legend', { class: 'unseen' }, 'Language'),
    choice('js', 'JavaScript', true),
    choice('python', 'Keras', false),
  );
  const language = (): Language =>
    languages.querySelector<HTMLInputElement>(':checked')?.value === 'python' ? 'python' : 'js';
  const other = h('p', { class: 'hint' });
  const element = h(
    'details',
    { class: 'code' },
    h('summary', {}, 'The code of this panel'),
    h(
      'div',
      { class: 'body' },
      h('div', { class: 'row' }, languages, h('span', { class: 'row' }, heard, copy)),
      pre,
      printed,
      other,
    ),
  );

  const draw = () => {
    if (!element.open) return;
    const python = language() === 'python';
    text.replaceChildren(...highlight(python ? example.keras : example.js, language()));
    prints.textContent = example.prints;
    printed.hidden = python;
    other.hidden = !python;
    other.textContent = example.note ?? otherWeights;
  };
  languages.addEventListener('change', draw);
  element.addEventListener('toggle', draw);
  copy.addEventListener('click', async () => {
    const copied = await copyText(language() === 'python' ? example.keras : example.js);
    heard.textContent = copied ? 'Copied' : 'Not allowed here; select the text instead';
    setTimeout(() => {
      heard.textContent = '';
    }, 4000);
  });
  return {
    element,
    show(next) {
      example = next;
      draw();
    },
  };
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
