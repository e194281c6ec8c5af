// SPDX-License-Identifier: MIT
// What every chapter is: controls make a program, a worker runs it, the figure draws what it left. There is no other way from a
// control to a figure, so what the figure shows is what the program on view computes.
import { Refusal, Superseded, engine } from '../engine/host.js';
import type { Command, Complaint, Kind } from '../engine/protocol.js';
import { changes, pack, unpack } from './address.js';
import { Advice } from './advice.js';
import { type Batch, batchOf } from './batch.js';
import { CodeBox } from './code.js';
import { find, h, rich, say } from './dom.js';
import { type Judgement, Prediction } from './predict.js';
import { Settings, type Values, readDefaults, readForm, writeForm } from './settings.js';

export { Advice };

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
  /** Stops a program that runs: at its next `turn()`, or soon after that by force. */
  stop(): void;
  /** Holds a program that runs at its next `turn()`, or lets it go on; false when none runs. */
  control(command: Command): boolean;
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
  /** What it says before it was asked. */
  invites?: string;
  /** In milliseconds. */
  timeLimit?: number;
  /** Draws controls that are built by hand, as they stand, before there is a program for them. */
  controls?(scene: Scene): void;
  /** The program for the controls as they stand. Throws `Advice` where they allow none. */
  program(scene: Scene): string;
  /** The same in Keras. */
  keras?(scene: Scene): string;
  /** What stands under the program in Keras. */
  kerasNote?: string;
  /** Handed to the program as `given`: bytes of a file, for example. */
  given?(scene: Scene): unknown;
  /** Draws what the reader of this chapter made of the program's values; what it has to ask for first is waited for. */
  draw(data: D, scene: Scene): void | Promise<void>;
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

/** A run of a chapter that waits to be asked. */
interface Asked {
  stopping: AbortController;
  /** The program, once it is made. */
  text?: string | undefined;
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
  private asked: Asked | undefined;
  /** What a run that goes on showed last. */
  private last: { value: unknown } | undefined;
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
    this.defaults = readDefaults(this.form);
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

  async redraw(run?: Asked): Promise<void> {
    const turn = ++this.turn;
    const newest = () => turn === this.turn;
    this.section.dataset['drawn'] = 'no';
    this.scene.settings = new Settings(readForm(this.form));
    this.scene.batch = this.batch();
    this.again.hidden = this.changed().size === 0;
    this.chapter.controls?.(this.scene);
    const text = await this.text();
    if (run ? run !== this.asked : !newest()) return;
    if (run) run.text = text;
    if (text !== undefined) {
      try {
        if (run) await this.execute(text, () => run === this.asked, run.stopping.signal);
        else if (this.chapter.waits) await this.wait(text, newest);
        else await this.execute(text, newest);
      } catch (error) {
        // Of a figure that is drawn anew of what is there: it may ask the worker.
        this.fails(error, newest);
      }
    }
    if (!newest() || this.asked) return;
    this.section.classList.remove('waiting');
    this.section.dataset['drawn'] = 'yes';
  }

  /** Of a chapter that waits: a run goes on for as long as the controls make the same program. */
  private async runAsked(): Promise<void> {
    this.asked?.stopping.abort();
    const run: Asked = { stopping: new AbortController() };
    this.goes(run);
    await this.redraw(run);
    if (run !== this.asked) return;
    this.goes(undefined);
    this.section.dataset['drawn'] = 'yes';
  }

  /** The buttons of the chapter (shared/runs.ts) hear of it. */
  private goes(run: Asked | undefined): void {
    const changed = Boolean(run) !== Boolean(this.asked);
    this.asked = run;
    if (changed) this.section.dispatchEvent(new CustomEvent('running', { detail: Boolean(run) }));
  }

  private stop(): void {
    const run = this.asked;
    if (!run) return;
    // A program that has no turn() is stopped by force.
    if (engine(this.chapter.engine ?? 'all').control(this.id, 'end'))
      setTimeout(() => run === this.asked && run.stopping.abort(), 1500);
    else run.stopping.abort();
  }

  private batch(): Batch {
    const pinned = this.scene.settings.text('pin');
    return batchOf(
      new Settings(pinned ? new Map(new URLSearchParams(pinned)) : readForm(paddingForm())),
    );
  }

  /** The program to run: that of the controls, or an edited one that may run. */
  private async text(): Promise<string | undefined> {
    const own = this.ownProgram();
    if (own === undefined) return undefined;
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

  /** That of the controls; they may say what no program can be made of. */
  private ownProgram(): string | undefined {
    try {
      return this.chapter.program(this.scene);
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
  }

  /** Until it is asked to run: what it drew for these settings, if it did, and nothing of others. */
  private async wait(text: string, current: () => boolean): Promise<void> {
    if (this.asked?.text === text) {
      if (this.last) this.chapter.shown?.(this.last.value, this.scene);
      return;
    }
    this.asked?.stopping.abort();
    this.goes(undefined);
    if (text === this.ran && this.data) return this.drawn(this.data.value, undefined, current);
    this.rest(this.chapter.invites ?? 'Nothing has been computed with these settings yet.');
  }

  /** Nothing is shown, and nothing is wrong. */
  private rest(sentence: string): void {
    this.data = undefined;
    this.section.classList.remove('waiting');
    this.section.classList.add('refused');
    this.problem.hidden = true;
    say(this.result, sentence);
    this.code.took(undefined);
  }

  private async execute(text: string, current: () => boolean, signal?: AbortSignal): Promise<void> {
    const { timeLimit, engine: kind = 'all' } = this.chapter;
    const given = this.chapter.given?.(this.scene);
    // A control that changes how the figure looks, and not what is computed.
    if (text === this.ran && this.data && given === this.gave && !this.chapter.waits) {
      await this.drawn(this.data.value, undefined, current);
      return;
    }
    const slow = setTimeout(() => this.section.classList.add('waiting'), 150);
    this.code.clear();
    this.last = undefined;
    // What an earlier program left in the worker goes with the beginning of the next.
    this.ran = undefined;
    const options = {
      reader: this.id,
      onPrinted: this.code.print,
      onAgain: () => this.code.clear(),
      onShown: (value: unknown) => current() && this.show(value),
      ...(timeLimit !== undefined && { timeLimit }),
      ...(given !== undefined && { given }),
      ...(signal && { signal }),
    };
    try {
      const { data, milliseconds } = await engine(kind).run(text, options);
      if (!current()) return;
      this.ran = text;
      this.gave = given;
      await this.drawn(data as D, milliseconds, current);
    } catch (error) {
      this.fails(error, current, signal);
    } finally {
      clearTimeout(slow);
      if (current()) this.section.classList.remove('waiting');
    }
  }

  private fails(error: unknown, current: () => boolean, signal?: AbortSignal): void {
    if (error instanceof Superseded || !current()) return;
    const byHand =
      signal?.aborted && error instanceof Refusal && error.complaint.name === 'Stopped';
    if (!byHand) this.refuse(error);
    else if (this.last) say(this.result, 'It was stopped. The figure shows how far it came.');
    else this.rest('It was stopped before there was anything to show.');
  }

  /** Of a run that goes on. */
  private show(value: unknown): void {
    if (!this.chapter.shown) return;
    this.last = { value };
    this.section.classList.remove('refused', 'waiting');
    this.problem.hidden = true;
    try {
      this.chapter.shown(value, this.scene);
    } catch {
      // An edited program may show anything.
      this.refuse(new Advice('The figure cannot draw what the program hands to `show`.'));
    }
  }

  private async drawn(
    data: D,
    milliseconds: number | undefined,
    current: () => boolean,
  ): Promise<void> {
    this.data = { value: data };
    await this.chapter.draw(data, this.scene);
    if (!current()) return;
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
    const said = rich(message) as (Node | string)[];
    this.problem.replaceChildren(...(name ? [h('strong', {}, name), ' '] : []), ...said);
    this.problem.hidden = false;
    this.code.took(undefined);
  }

  private async runEdited(text: string): Promise<void> {
    trusted.add(text);
    const own = this.ownProgram();
    if (own === undefined) return;
    this.setAll({ code: text === own ? '' : await pack(text) });
    if (this.chapter.waits) await this.scene.run();
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
      // The answer to a guess is a run, where there was none.
      if (this.chapter.waits && !this.data && !this.asked) void this.runAsked();
      else void this.redraw();
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

  /** Of what the program left; where that went with a worker that another chapter stopped, the program runs again first. */
  private async call<T>(method: string, args: unknown[]): Promise<T> {
    const own = engine(this.chapter.engine ?? 'all');
    try {
      return (await own.call(this.id, method, args)).data as T;
    } catch (error) {
      const gone = error instanceof Refusal && error.complaint.name === 'Gone';
      if (!gone || this.ran === undefined) throw error;
      await own.run(this.ran, {
        reader: this.id,
        ...(this.gave !== undefined && { given: this.gave }),
      });
      return (await own.call(this.id, method, args)).data as T;
    }
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
      call: <T>(method: string, ...args: unknown[]) => this.call<T>(method, args),
      run: () => this.runAsked(),
      stop: () => this.stop(),
      control: (command) => engine(kind).control(this.id, command),
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
