// SPDX-License-Identifier: MIT
// The box with a chapter's program: shows, edits and runs it, and shows its output.
import type { Line } from '../engine/protocol.js';
import { pack } from './address.js';
import { h } from './dom.js';
import type { Editor } from './editor.js';
import { type Language, highlight } from './highlight.js';

/** A chapter as program text: the JavaScript that runs here, and the same in Keras. */
export interface Example {
  js: string;
  keras?: string;
  /** Replaces the sentence under the program in Keras. */
  note?: string;
}

const otherWeights =
  'Keras uses another random generator: masks and shapes are the same there, the values of weights are not.';

export interface CodeBoxOptions {
  /** Called when the visitor runs this text. */
  onRun(text: string): void;
  /** Called when the visitor restores the program of the controls. */
  onReset(): void;
}

export class CodeBox {
  readonly element: HTMLDetailsElement;
  private example: Example = { js: '' };
  /** The program as edited; undefined for the program of the controls. */
  private editedText: string | undefined;
  /** The text on view while the editor is closed. */
  private visibleText: string | undefined;
  private editor: Editor | undefined;
  private readonly place = h('div', { class: 'editor' });
  private readonly prints = h('code');
  private readonly printed = h('div', { class: 'printed', hidden: true });
  private readonly time = h('span', { class: 'hint' });
  private readonly copyStatus = h('span', { class: 'hint', role: 'status' });
  private readonly note = h('p', { class: 'hint' });
  private readonly warning = h('p', { class: 'warned', role: 'status', hidden: true });
  private readonly languages: HTMLElement;
  private readonly edit = h('button', { type: 'button' }, 'Edit');
  private readonly run = h('button', { type: 'button', class: 'main', hidden: true }, 'Run');
  private readonly reset = h('button', { type: 'button', hidden: true }, 'Undo changes');
  private readonly playground = h('a', { href: 'playground/' }, 'Open in the playground');

  constructor(
    private readonly id: string,
    private readonly options: CodeBoxOptions,
  ) {
    const choice = (value: Language, label: string, checked: boolean) =>
      h('label', {}, h('input', { type: 'radio', name: `${id}-language`, value, checked }), label);
    this.languages = h(
      'fieldset',
      { class: 'choice' },
      h('legend', { class: 'unseen' }, 'Language'),
      choice('js', 'JavaScript', true),
      choice('python', 'Keras', false),
    );
    this.printed.append(
      h('p', { class: 'label' }, 'Output'),
      h(
        'pre',
        { class: 'prints', tabindex: 0, 'aria-label': 'What the program prints' },
        this.prints,
      ),
    );
    const copy = h('button', { type: 'button' }, 'Copy');
    const bar = h(
      'div',
      { class: 'row' },
      this.languages,
      this.edit,
      this.run,
      this.reset,
      copy,
      this.playground,
      this.copyStatus,
    );
    const body = h(
      'div',
      { class: 'body' },
      bar,
      this.warning,
      this.place,
      this.note,
      this.time,
      this.printed,
    );
    this.element = h(
      'details',
      { class: 'code' },
      h('summary', {}, 'Program', h('span', { class: 'unseen' }, ' behind this figure')),
      body,
    );
    this.languages.addEventListener('change', () => this.draw());
    this.element.addEventListener('toggle', () => this.draw());
    copy.addEventListener('click', () => void this.copy());
    this.edit.addEventListener('click', () => void this.openEditor());
    this.run.addEventListener('click', () => this.options.onRun(this.text()));
    this.reset.addEventListener('click', () => this.options.onReset());
  }

  show(example: Example): void {
    this.example = example;
    this.languages.hidden = example.keras === undefined;
    this.draw();
  }

  /** Shows the edited program. With `waits` it came by a link and runs only when Run is pressed. */
  edited(text: string | undefined, waits: boolean): void {
    this.editedText = text;
    this.warning.hidden = !waits;
    // A folded box would hide the warning.
    if (waits) this.element.open = true;
    this.warning.textContent = waits
      ? 'This link contains an edited program. The figure still shows the program of the controls. Read the edited one, then press Run.'
      : '';
    this.run.hidden = !waits && !this.editor;
    this.reset.hidden = text === undefined;
    this.editor?.set(this.text());
    this.draw();
  }

  /** Number of the first line that the grammar does not allow, while the editor is open. */
  faultyLine(): number | undefined {
    return this.editor?.fault();
  }

  clear(): void {
    this.prints.replaceChildren();
    this.printed.hidden = true;
  }

  readonly print = ({ level, text }: Line): void => {
    this.prints.append(h('span', { class: level }, `${text}\n`));
    this.printed.hidden = false;
  };

  took(milliseconds: number | undefined): void {
    this.time.textContent =
      milliseconds === undefined
        ? ''
        : `It took ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms.`;
  }

  private text(): string {
    return this.editedText ?? this.example.js;
  }

  private language(): Language {
    const checked = this.languages.querySelector<HTMLInputElement>(':checked');
    return checked?.value === 'python' && this.example.keras !== undefined ? 'python' : 'js';
  }

  /**
   * Draws the program if the box is open. Typing in a control changes the programs of several
   * chapters at once, and most boxes are folded.
   */
  draw(): void {
    if (!this.element.open) return;
    const python = this.language() === 'python';
    this.note.hidden = !python;
    this.note.textContent = this.example.note ?? otherWeights;
    this.edit.hidden = python || this.editor !== undefined;
    if (this.editor && !python) {
      this.editor.set(this.text());
      return;
    }
    const text = python ? (this.example.keras ?? '') : this.text();
    // Many controls change the figure only and leave the program as it is.
    if (text === this.visibleText && !this.editor) return;
    this.visibleText = text;
    const code = h('code', {}, ...highlight(text, this.language()));
    const listing = h('pre', { tabindex: 0, 'aria-label': 'Program text' }, code);
    this.editor = undefined;
    this.place.replaceChildren(listing);
    void this.link(this.text());
  }

  private async link(text: string): Promise<void> {
    const packed = await pack(text);
    if (text === this.text()) this.playground.setAttribute('href', `playground/#v1/code=${packed}`);
  }

  private async openEditor(): Promise<void> {
    const { openEditor } = await import('./editor.js');
    const text = this.text();
    this.place.replaceChildren();
    this.visibleText = undefined;
    this.editor = openEditor(this.place, {
      text,
      label: `Program of the chapter ${this.id}`,
      onChange: (now) => {
        this.editedText = now === this.example.js ? undefined : now;
        this.reset.hidden = this.editedText === undefined;
        void this.link(now);
      },
      onRun: () => this.options.onRun(this.text()),
    });
    this.edit.hidden = true;
    this.run.hidden = false;
    this.editor.focus();
  }

  private async copy(): Promise<void> {
    const text = this.language() === 'python' ? (this.example.keras ?? '') : this.text();
    this.copyStatus.textContent = (await copyText(text))
      ? 'Copied'
      : 'Copying is not allowed here; select the text instead';
    setTimeout(() => {
      this.copyStatus.textContent = '';
    }, 4000);
  }
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
