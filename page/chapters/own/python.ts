// SPDX-License-Identifier: MIT
// Python code in the chapter "own": typed, pasted, dropped, chosen or received with a link.
import { programOf, type Translated } from '../../engine/port_protocol.js';
import { pack, unpack } from '../../shared/address.js';
import { Advice, type Scene } from '../../shared/chapter.js';
import { copyText } from '../../shared/code.js';
import { find, h, rich, say } from '../../shared/dom.js';
import { drive, writeForm } from '../../shared/settings.js';
import { count, sentence } from '../../shared/text.js';
import { isNotebook, translate } from '../../shared/translator.js';
import { withoutData } from './missing.js';
import { Panes } from './panes.js';
import { type Translation, usualPads } from './program.js';
import { pythonExamples } from './python_examples.js';

/** Time in milliseconds without a key after which the text is translated. */
const pause = 300;
/** Largest number of characters of a control in an address. */
const longestControl = 20_000;

const damaged = 'The Python code in the link is damaged: perhaps the link was cut off.';

/** The value that programs see as `given`: a file with weights. */
export interface Weights {
  weights: File;
}

class PythonCode {
  /** The file with weights, if one was chosen. */
  weights: Weights | undefined;
  private text = '';
  /** The text as the address has it; '' if it is too long for one. */
  private packed = '';
  /** Whether the text of an address is being read. */
  private isReading = false;
  /** Whether no address can hold the text. */
  private isLong = false;
  /** The translation of `text`; undefined while it is computed. */
  private result: Translated | undefined;
  /** Texts that the visitor wrote, pasted or ran, and the examples; only these run. */
  private readonly trusted = new Set(pythonExamples.map(({ text }) => text));
  private timer: ReturnType<typeof setTimeout> | undefined;
  private panes!: Panes;
  private scene!: Scene;
  private form!: HTMLFormElement;

  start(scene: Scene): void {
    this.scene = scene;
    this.form = find<HTMLFormElement>('form', scene.section);
    this.panes = new Panes(scene.section);
    this.listen(find('[data-python]', scene.section));
  }

  /** Restores the text of an address, when the control differs from what is on view. */
  follow({ settings }: Scene): void {
    const packed = settings.text('py');
    if (packed === this.packed) return;
    this.packed = packed;
    this.isReading = true;
    void this.restore(packed);
  }

  /** Returns the translation. Throws `Advice` if there is none, or if it may not run yet. */
  translation(): Translation {
    if (this.isReading) throw new Advice('The Python code is being translated.');
    if (this.result?.kind === 'fault') throw new Advice(sentence(this.result.message));
    if (this.text.trim() === '')
      throw new Advice('Paste the Python code of a model above, or begin with an example.');
    if (!this.result) throw new Advice('The Python code is being translated.');
    if (!this.trusted.has(this.text))
      throw new Advice('This link contains Python code. Read it above, then press Run.');
    const code = withoutData(this.result.ported.code);
    const variables = variablesOf(code);
    if (variables.length === 0)
      throw new Advice(
        'This code has no variable that could hold a model; paste the lines that create it, too.',
      );
    const classes = [...code.matchAll(/^class (\w+)/gm)].map(([, name = '']) => name);
    return { code, variables, classes, isWeighted: this.weights !== undefined };
  }

  /** Identifies the program and its weights. */
  get key(): string {
    const { name = '', size = 0, lastModified = 0 } = this.weights?.weights ?? {};
    return JSON.stringify([this.text, name, size, lastModified]);
  }

  /** Whether the program imports maskflow/train. */
  get isTraining(): boolean {
    return this.result?.kind === 'ported' && /from 'maskflow\/train'/.test(this.result.ported.code);
  }

  get title(): string {
    const { weights } = this;
    return weights
      ? `Your Python code, with the weights of ${weights.weights.name}`
      : 'Your Python code, with start values for weights';
  }

  mark(...trace: Parameters<Panes['mark']>): void {
    this.panes.mark(...trace);
  }

  /** Returns the line of Python that a line of the program comes from. */
  lineOf(line: number): number | undefined {
    if (this.result?.kind !== 'ported') return undefined;
    return this.result.ported.lines[line - 1] ?? undefined;
  }

  /** Accepts the text of the visitor, and weights, unless those of before are kept. */
  async accept(text: string, weights: Weights | 'none' | 'kept' = 'kept'): Promise<void> {
    clearTimeout(this.timer);
    const accepted = text.replace(/\r\n?/g, '\n');
    this.text = accepted;
    this.isReading = false;
    if (weights !== 'kept') this.weights = weights === 'none' ? undefined : weights;
    this.trusted.add(accepted);
    this.showWeights();
    const result = await this.translated();
    if (accepted !== this.text) return;
    // The text of a notebook is that of its cells.
    const program = (result && programOf(result)) ?? accepted;
    this.text = program;
    this.trusted.add(program);
    const packed = program === '' ? '' : await pack(program);
    if (program !== this.text) return;
    this.isLong = packed.length > longestControl;
    this.packed = this.isLong ? '' : packed;
    this.show(result);
    // The typed input belongs to another model.
    if (this.scene.settings.text('model') !== 'python')
      writeForm(
        this.form,
        new Map([
          ['input', ''],
          ['pads', String(usualPads)],
        ]),
      );
    writeForm(this.form, new Map([['model', 'python']]));
    drive(this.form, 'py', this.packed, 'changing');
  }

  private async restore(packed: string): Promise<void> {
    const text = packed === '' ? '' : await unpack(packed);
    if (packed !== this.packed) return;
    this.weights = undefined;
    this.isLong = false;
    this.showWeights();
    this.text = text ?? '';
    const damage: Translated = { kind: 'fault', message: damaged };
    const result = text === undefined ? damage : await this.translated();
    if (packed !== this.packed) return;
    this.show(result);
    this.isReading = false;
    this.redraw();
  }

  /** Translates the text, which is on view meanwhile. */
  private async translated(): Promise<Translated | undefined> {
    const { text } = this;
    const { field } = this.panes;
    this.result = undefined;
    if (text.trim() === '') return undefined;
    if (field.value !== text && !isNotebook(text)) field.value = text;
    this.panes.typing();
    return translate(text);
  }

  private show(result: Translated | undefined): void {
    this.result = result;
    const ported = result?.kind === 'ported' ? result.ported : undefined;
    const line = result?.kind === 'fault' ? result.line : undefined;
    this.panes.show(this.text, ported, line);
    this.tell(result);
    if (ported)
      void pack(ported.code).then((packed) =>
        find('[data-js] a', this.scene.section).setAttribute(
          'href',
          `playground/#v1/code=${packed}`,
        ),
      );
  }

  /** Says how the translation went, and shows Run for code of a link. */
  private tell(result: Translated | undefined): void {
    const { section, put } = this.scene;
    const fault = find('.fault', section);
    fault.hidden = result?.kind !== 'fault';
    this.panes.field.setAttribute('aria-invalid', String(result?.kind === 'fault'));
    fault.replaceChildren(
      ...(result?.kind === 'fault' ? (rich(sentence(result.message)) as (Node | string)[]) : []),
    );
    const waits = result?.kind === 'ported' && !this.trusted.has(this.text);
    find('[data-waits]', section).hidden = !waits;
    if (result?.kind !== 'ported') {
      put('translated');
      return;
    }
    const { milliseconds, ported } = result;
    const { code, notes } = ported;
    const lines = count(code.trimEnd().split('\n').length, 'line');
    const noted = notes.length === 0 ? 'no notes' : count(notes.length, 'note');
    put(
      'translated',
      `${lines} in ${Math.max(1, Math.round(milliseconds))} ms, ${noted}.${this.isLong ? ' It is too long for a link.' : ''}`,
    );
  }

  private showWeights(): void {
    const { weights } = this;
    this.scene.put('weights', weights ? `Weights: ${weights.weights.name}` : '');
    find('[data-no-weights]', this.scene.section).hidden = !weights;
  }

  /** Draws the chapter again with the same controls. */
  redraw(): void {
    drive(this.form, 'code', this.scene.settings.text('code'), 'alone');
  }

  /** Uses a file for the weights of the code. */
  useWeights(file: File | undefined): void {
    this.weights = file && { weights: file };
    this.showWeights();
    this.redraw();
  }

  private listen(place: HTMLElement): void {
    const { field } = this.panes;
    const menu = find<HTMLSelectElement>('#own-example', place);
    menu.append(...pythonExamples.map(({ title }, index) => h('option', { value: index }, title)));
    menu.addEventListener('change', () => {
      const example = pythonExamples[Number(menu.value || -1)];
      menu.value = '';
      if (example) void this.accept(example.text, 'none').then(() => this.done());
    });
    field.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.panes.typing();
      this.timer = setTimeout(() => void this.accept(field.value), pause);
    });
    field.addEventListener('change', () => this.done());
    find('[data-run-python]', place).addEventListener('click', () => void this.accept(this.text));
    find('[data-copy-js]', place).addEventListener('click', () => void this.copy());
    const picker = find<HTMLInputElement>('#own-weights', place);
    picker.addEventListener('change', () => {
      const [file] = picker.files ?? [];
      if (file) this.useWeights(file);
      picker.value = '';
    });
    find('[data-no-weights]', place).addEventListener('click', () => {
      this.useWeights(undefined);
      picker.focus();
    });
  }

  /** Ends the entry of the history that the changes of the text share. */
  private done(): void {
    find('[name="py"]', this.form).dispatchEvent(new Event('change', { bubbles: true }));
  }

  private async copy(): Promise<void> {
    const code = this.result?.kind === 'ported' ? this.result.ported.code : '';
    const copied = await copyText(code);
    say(
      this.scene.slot('copied-js'),
      copied ? 'Copied' : 'Copying is not allowed here; select the text instead',
    );
  }
}

/** Returns the names of the variables that a program declares outside of functions. */
function variablesOf(code: string): string[] {
  const names = [...code.matchAll(/^(?:const|let) ([\w, ]+)(?= = |;)/gm)].flatMap(([, list = '']) =>
    list.split(', '),
  );
  const lists = [...code.matchAll(/^(?:const|let) [[{]([\w, ]+)[\]}] = /gm)].flatMap(
    ([, list = '']) => list.trim().split(/,\s*/),
  );
  return [...new Set([...names, ...lists])];
}

export const python = new PythonCode();
