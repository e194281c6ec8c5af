// SPDX-License-Identifier: MIT
// What every chapter is: controls make a program, a worker runs it, the figure draws what it left. There is no other way from a
// control to a figure, so what the figure shows is what the program on view computes.
import { Refusal, Superseded, engine } from '../engine/host.js';
import type { Complaint, Kind } from '../engine/protocol.js';
import { changes, pack, unpack } from './address.js';
import { type Batch, batchOf } from './batch.js';
import { CodeBox } from './code.js';
import { find, h, say } from './dom.js';
import { type Judgement, Prediction } from './predict.js';
import { Settings, type Values, readForm, writeForm } from './settings.js';

/** What a chapter asks for before it can draw, in a sentence for its reader. */
export class Advice extends Error {}

export interface Scene {
  section: HTMLElement;
  settings: Settings;
  batch: Batch;
  /** The element of the chapter's HTML with this data-slot. */
  slot(name: string): HTMLElement;
  /** Replaces what is in a slot. */
  put(name: string, ...content: (Node | string)[]): void;
  /** Sets controls as a person would, and goes on from there. */
  set(values: { [name: string]: string }): void;
  /** Asks the reader something of what the program left. */
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /** Runs the program (for chapters that wait to be asked). */
  run(): Promise<void>;
  /** Stops a program that runs. */
  stop(): void;
  /** Whether the question of the chapter has been answered. */
  predicted(): boolean;
}

export interface Chapter<D = never> {
  id: string;
  /** Which entry of the package its programs have; 'all' when it is left out. */
  engine?: Kind;
  /** It works on the batch of chapter 1, and is drawn anew when that changes. */
  usesBatch?: boolean;
  /** It runs when it is asked to, not at each change. */
  waits?: boolean;
  /** In milliseconds. */
  timeLimit?: number;
  /** The program for the controls as they stand. Throws `Advice` where they allow none. */
  program(scene: Scene): string;
  /** The same in Keras. */
  keras?(scene: Scene): string;
  /** What stands under the program in Keras. */
  kerasNote?: string;
  /** Handed to the program as `given`: bytes of a file, for example. */
  given?(scene: Scene): unknown;
  /** Draws what the reader of this chapter made of the program's values. */
  draw(data: D, scene: Scene): void;
  /** One or two sentences with the result; read out when they change. */
  says?(data: D, scene: Scene): string;
  /** What is right about the chapter's question. */
  judge?(data: D, scene: Scene): Judgement | undefined;
  /** What the program handed to show(…) while it ran. */
  shown?(value: unknown, scene: Scene): void;
  /** A sentence in place of what a program, its reader or the engine complains of. */
  advise?(complaint: Complaint, scene: Scene): string | undefined;
  /** Once, when the chapter comes near: its own listeners. */
  start?(scene: Scene): void;
}

export interface Mounted {
  id: string;
  changed(): Values;
  /** Sets the controls, the missing ones to their defaults, and draws. */
  apply(values: Values): Promise<void>;
  redraw(): Promise<void>;
}

export type Remember = (id: string, how: 'changing' | 'done') => void;

const paddingForm = () => find<HTMLFormElement>('#padding form');

export function mount<D>(chapter: Chapter<D>, remember: Remember): Mounted {
  return new MountedChapter(chapter, remember);
}

/** Programs that were run on this page, by a person or by its controls: only these run again without being asked for. */
const trusted = new Set<string>();

class MountedChapter<D> implements Mounted {
  readonly id: string;
  private readonly section: HTMLElement;
  private readonly form: HTMLFormElement;
  private readonly picture: HTMLElement;
  private readonly defaults: Values;
  private readonly result = h('output', { class: 'says', 'aria-live': 'polite' });
  private readonly problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  private readonly again = h('button', { type: 'button', hidden: true }, 'Reset this chapter');
  private readonly code: CodeBox;
  private readonly prediction: Prediction | undefined;
  private readonly scene: Scene;
  private data: { value: D } | undefined;
  /** The program that `data` is from. */
  private ran: string | undefined;
  /** … and what was handed to it. */
  private gave: unknown;
  private stopping: AbortController | undefined;
  private turn = 0;

  constructor(
    private readonly chapter: Chapter<D>,
    private readonly remember: Remember,
  ) {
    this.id = chapter.id;
    this.section = find(`#${chapter.id}`);
    this.form = find<HTMLFormElement>('form', this.section);
    this.picture = find('.picture', this.section);
    this.code = new CodeBox(chapter.id, {
      onRun: (text) => void this.runEdited(text),
      onReset: () => this.setAll({ code: '' }),
    });
    // The sentence stands at the end of the picture, or where the chapter's HTML keeps a place for it.
    const place = this.section.querySelector('[data-result]') ?? this.picture;
    place.append(this.result, this.problem);
    find('.wrap', this.section).append(
      h('div', { class: 'ending' }, this.code.element, this.again),
    );
    this.form.append(h('input', { type: 'hidden', name: 'code' }));
    this.defaults = readForm(this.form);
    this.scene = this.makeScene();
    const question = this.section.querySelector<HTMLElement>('[data-predict]');
    this.prediction = question ? this.predict(question) : undefined;
    this.listen();
    chapter.start?.(this.scene);
  }

  changed(): Values {
    return changes(readForm(this.form), this.defaults);
  }

  async apply(values: Values): Promise<void> {
    writeForm(this.form, new Map([...this.defaults, ...values]));
    await this.redraw();
  }

  async redraw(): Promise<void> {
    const turn = ++this.turn;
    this.section.dataset['drawn'] = 'no';
    this.scene.settings = new Settings(readForm(this.form));
    this.scene.batch = this.batch();
    this.again.hidden = this.changed().size === 0;
    const text = await this.text();
    if (turn !== this.turn) return;
    if (text !== undefined && !(this.chapter.waits && !this.stopping))
      await this.execute(text, turn);
    if (turn === this.turn) this.section.dataset['drawn'] = 'yes';
  }

  private batch(): Batch {
    const pinned = this.scene.settings.text('pin');
    return batchOf(
      new Settings(pinned ? new Map(new URLSearchParams(pinned)) : readForm(paddingForm())),
    );
  }

  /** The program to run: that of the controls, or an edited one that may run. */
  private async text(): Promise<string | undefined> {
    let own: string;
    try {
      own = this.chapter.program(this.scene);
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
    trusted.add(own);
    const packed = this.scene.settings.text('code');
    const edited = packed ? await unpack(packed) : undefined;
    const keras = this.chapter.keras?.(this.scene);
    const note = this.chapter.kerasNote;
    this.code.show({
      js: own,
      ...(keras !== undefined && { keras }),
      ...(note !== undefined && { note }),
    });
    this.code.edited(edited, edited !== undefined && !trusted.has(edited));
    return edited !== undefined && trusted.has(edited) ? edited : own;
  }

  private async execute(text: string, turn: number): Promise<void> {
    const { timeLimit, engine: kind = 'all' } = this.chapter;
    const given = this.chapter.given?.(this.scene);
    // A control that changes how the figure looks, and not what is computed.
    if (text === this.ran && this.data && given === this.gave && !this.chapter.waits) {
      this.drawn(this.data.value, undefined);
      return;
    }
    const slow = setTimeout(() => this.section.classList.add('waiting'), 150);
    this.code.clear();
    const options = {
      reader: this.id,
      onPrinted: this.code.print,
      onAgain: () => this.code.clear(),
      onShown: (value: unknown) => this.chapter.shown?.(value, this.scene),
      ...(timeLimit !== undefined && { timeLimit }),
      ...(given !== undefined && { given }),
      ...(this.stopping && { signal: this.stopping.signal }),
    };
    try {
      const { data, milliseconds } = await engine(kind).run(text, options);
      if (turn !== this.turn) return;
      this.ran = text;
      this.gave = given;
      this.drawn(data as D, milliseconds);
    } catch (error) {
      if (!(error instanceof Superseded) && turn === this.turn) this.refuse(error);
    } finally {
      clearTimeout(slow);
      if (turn === this.turn) this.section.classList.remove('waiting');
    }
  }

  private drawn(data: D, milliseconds: number | undefined): void {
    this.data = { value: data };
    this.chapter.draw(data, this.scene);
    this.problem.hidden = true;
    this.section.classList.remove('refused');
    say(this.result, this.chapter.says?.(data, this.scene) ?? '');
    this.prediction?.tell();
    if (milliseconds !== undefined) this.code.took(milliseconds);
  }

  /** The figure goes: one of other settings beside these would be wrong. */
  private refuse(error: unknown): void {
    this.data = undefined;
    this.section.classList.add('refused');
    say(this.result, '');
    const advice =
      error instanceof Refusal ? this.chapter.advise?.(error.complaint, this.scene) : undefined;
    const [name, message] = advice === undefined ? told(error) : ['', advice];
    this.problem.replaceChildren(...(name ? [h('strong', {}, name), ' '] : []), message);
    this.problem.hidden = false;
    this.code.took(undefined);
  }

  private async runEdited(text: string): Promise<void> {
    trusted.add(text);
    const own = this.chapter.program(this.scene);
    this.setAll({ code: text === own ? '' : await pack(text) });
  }

  private setAll(values: { [name: string]: string }): void {
    writeForm(this.form, new Map(Object.entries(values)));
    this.remember(this.id, 'changing');
    this.remember(this.id, 'done');
    void this.redraw();
  }

  private predict(question: HTMLElement): Prediction {
    const judge = () => this.data && this.chapter.judge?.(this.data.value, this.scene);
    return new Prediction(question, judge, () => {
      this.section.classList.add('predicted');
      void this.redraw();
    });
  }

  private listen(): void {
    this.form.addEventListener('input', (event) => {
      // A control makes the program anew; what was edited is one step back in the history.
      if ((event.target as HTMLInputElement).name !== 'code') this.write('code', '');
      this.remember(this.id, 'changing');
      void this.redraw();
    });
    this.form.addEventListener('change', () => this.remember(this.id, 'done'));
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.again.addEventListener('click', () => {
      this.setAll(Object.fromEntries(this.defaults));
      // The button goes away; the keyboard must not be left nowhere.
      find('h2', this.section).focus();
    });
  }

  private write(name: string, value: string): void {
    writeForm(this.form, new Map([[name, value]]));
  }

  private makeScene(): Scene {
    const slot = (name: string) => find(`[data-slot="${name}"]`, this.section);
    const kind = this.chapter.engine ?? 'all';
    return {
      section: this.section,
      settings: new Settings(readForm(this.form)),
      batch: batchOf(new Settings(readForm(paddingForm()))),
      slot,
      put: (name, ...content) => slot(name).replaceChildren(...content),
      set: (values) => this.setAll({ code: '', ...values }),
      call: async <T>(method: string, ...args: unknown[]) =>
        (await engine(kind).call(this.id, method, args)).data as T,
      run: async () => {
        this.stopping = new AbortController();
        await this.redraw();
        this.stopping = undefined;
      },
      stop: () => this.stopping?.abort(),
      predicted: () => this.prediction?.made ?? true,
    };
  }
}

/** What is said of an error, and before it its name, where that is part of the lesson. */
function told(error: unknown): [string, string] {
  if (error instanceof Refusal) {
    const { name, message, line } = error.complaint;
    if (name === 'Advice') return ['', message];
    const where =
      line === undefined ? 'The program stopped.' : `The program stopped at line ${line}.`;
    return [where, name === 'Stopped' ? message : `${name}: ${message}`];
  }
  return ['', error instanceof Error ? error.message : String(error)];
}
