// SPDX-License-Identifier: MIT
// The frame of every chapter: controls make a program, a worker runs it, and the figure draws its
// values. No control reaches the figure in another way, so the figure shows what the visible
// program computes.
import { sayWithSums } from './arithmetic.js';
import { type Engine, Refusal, Superseded, engine } from '../engine/host.js';
import type { Kind } from '../engine/protocol.js';
import { changes, pack, unpack } from './address.js';
import { Advice } from './advice.js';
import { type Batch, batchOf } from './batch.js';
import { CodeBox } from './code.js';
import { find, h, rich, say } from './dom.js';
import { explain } from './explain.js';
import { Prediction } from './predict.js';
import type { Chapter, Mounted, Remember, RequestedRun, Scene } from './scene.js';
import { sharePanel } from './share_panel.js';
import {
  Settings,
  type Values,
  alone,
  readDefaults,
  readForm,
  visitedBy,
  writeForm,
} from './settings.js';
import { threadValues } from './thread.js';

export { Advice };

export type { Chapter, Mounted, Remember, Scene } from './scene.js';

const paddingForm = () => find<HTMLFormElement>('#padding form');

export function mount<D>(chapter: Chapter<D>, remember: Remember): Mounted {
  return new MountedChapter(chapter, remember);
}

/**
 * Programs that the visitor or the controls ran on this page. Only these run again by themselves.
 */
const trusted = new Set<string>();

class MountedChapter<D> implements Mounted {
  readonly id: string;
  private readonly section: HTMLElement;
  private readonly form: HTMLFormElement;
  private readonly picture: HTMLElement;
  private readonly defaults: Values;
  private readonly result = h('output', { class: 'says', 'aria-live': 'polite' });
  private readonly problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  private readonly running = h('p', { class: 'row', hidden: true });
  private readonly again = h('button', { type: 'button', hidden: true }, 'Reset this chapter');
  private readonly code: CodeBox;
  private readonly prediction: Prediction | undefined;
  private readonly scene: Scene;
  private data: { value: D } | undefined;
  /** The data of an earlier run of the program of the default settings. */
  private recording: { text: string; data: D } | undefined;
  /** Resolves when the recording is there, or cannot be loaded. */
  private recordingFetched: Promise<void> | undefined;
  /** The program that computed `data`. */
  private programText: string | undefined;
  /** The value of `given` for that program. */
  private programInput: unknown;
  private activeRun: RequestedRun | undefined;
  /** The last value that the active run passed to `show(value)`. */
  private lastShown: { value: unknown } | undefined;
  private turn = 0;
  /** Whether the visitor has changed a control since the last program. */
  private isChanged = false;
  /** The program of the last controls. */
  private controlsText: string | undefined;
  /** The program that the page itself wrote for these controls. */
  private ownText: string | undefined;
  /** The engine of the last program. */
  private engine: Engine;

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
    // The sentence goes to [data-result] of the chapter's HTML, else to the end of the picture.
    const place = this.section.querySelector('[data-result]') ?? this.picture;
    place.append(this.result, this.problem, this.running);
    find('.wrap', this.section).append(
      h('div', { class: 'ending' }, this.code.element, sharePanel(this.section), this.again),
    );
    this.form.append(h('input', { type: 'hidden', name: 'code' }));
    this.defaults = readDefaults(this.form);
    this.scene = this.makeScene();
    this.engine = engine(this.kind());
    const question = this.section.querySelector<HTMLElement>('[data-predict]');
    this.prediction = question ? this.predict(question) : undefined;
    this.listen();
    chapter.start?.(this.scene);
    if (chapter.recorded) this.recordingFetched = this.fetchRecording(chapter.recorded());
  }

  changed(): Values {
    return changes(readForm(this.form), this.defaults);
  }

  async apply(values: Values): Promise<void> {
    writeForm(this.form, new Map([...this.defaults, ...values]));
    // An address with settings shows their figure at once.
    if (values.size > 0 && !this.chapter.waits) this.prediction?.close();
    await this.redraw();
  }

  async redraw(run?: RequestedRun, after?: Promise<void>): Promise<void> {
    const turn = ++this.turn;
    const newest = () => turn === this.turn;
    this.section.dataset['drawn'] = 'no';
    if (after) await after;
    if (!newest()) return;
    this.running.hidden = true;
    this.scene.settings = this.readSettings();
    this.scene.batch = this.batch();
    this.again.hidden = this.changed().size === 0;
    this.chapter.controls?.(this.scene);
    const text = await this.text();
    if (run ? run !== this.activeRun : !newest()) return;
    this.closeQuestion(text);
    if (run) run.text = text;
    if (text !== undefined) {
      try {
        if (run) await this.execute(text, () => run === this.activeRun, run.stopping.signal);
        else if (this.chapter.waits) await this.wait(text, newest);
        else await this.execute(text, newest);
      } catch (error) {
        // Redrawing from known data may call the worker, which can fail.
        this.handleError(error, newest);
      }
    }
    if (!newest() || this.activeRun) return;
    this.section.classList.remove('waiting');
    this.section.dataset['drawn'] = 'yes';
    this.section.dispatchEvent(new CustomEvent('drawn', { bubbles: true }));
  }

  private readSettings(): Settings {
    const own = readForm(this.form);
    return new Settings(this.chapter.usesThread ? new Map([...threadValues(), ...own]) : own);
  }

  print(): void {
    this.code.draw();
    if (this.data) this.chapter.paper?.(this.data.value, this.scene);
    if (this.data || this.activeRun || this.recording?.text !== this.controlsText) return;
    this.drawRecording();
  }

  /** Closes the question if the visitor has changed the program that it is about. */
  private closeQuestion(text: string | undefined): void {
    const isFollowing = this.chapter.usesThread && this.controlsText !== undefined;
    if ((this.isChanged || isFollowing) && text !== this.controlsText) this.prediction?.close();
    this.isChanged = false;
    this.controlsText = text;
  }

  /** Runs on demand. The run continues while the controls make the same program. */
  private async runOnDemand({ quietly = false } = {}): Promise<void> {
    this.activeRun?.stopping.abort();
    const run: RequestedRun = { stopping: new AbortController() };
    this.setActiveRun(run);
    if (!quietly) this.prediction?.show();
    await this.redraw(run);
    if (run !== this.activeRun) return;
    this.setActiveRun(undefined);
    this.section.dataset['drawn'] = 'yes';
  }

  /** Sets the active run and notifies the buttons of the chapter (shared/runs.ts). */
  private setActiveRun(run: RequestedRun | undefined): void {
    const changed = Boolean(run) !== Boolean(this.activeRun);
    this.activeRun = run;
    if (changed) this.section.dispatchEvent(new CustomEvent('running', { detail: Boolean(run) }));
  }

  private stop(): void {
    const run = this.activeRun;
    if (!run) return;
    // A program that never awaits turn() is stopped by force.
    if (this.engine.control(this.id, 'end'))
      setTimeout(() => run === this.activeRun && run.stopping.abort(), 1500);
    else run.stopping.abort();
  }

  private batch(): Batch {
    const pinned = this.scene.settings.text('pin');
    return batchOf(
      new Settings(pinned ? new Map(new URLSearchParams(pinned)) : readForm(paddingForm())),
    );
  }

  /** Returns the program to run: the edited one if it is trusted, else the one of the controls. */
  private async text(): Promise<string | undefined> {
    const own = this.ownProgram();
    this.code.element.hidden = own === undefined;
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
    this.ownText = own;
    return edited !== undefined && trusted.has(edited) ? edited : own;
  }

  /** Returns the program of the controls, or shows why these controls allow none. */
  private ownProgram(): string | undefined {
    try {
      return this.chapter.program(this.scene);
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
  }

  /** Shows the result of this program if there is one, else the invitation to run it. */
  private async wait(text: string, newest: () => boolean): Promise<void> {
    if (this.activeRun?.text === text) {
      if (this.lastShown) this.chapter.shown?.(this.lastShown.value, this.scene);
      return;
    }
    this.activeRun?.stopping.abort();
    this.setActiveRun(undefined);
    if (text === this.programText && this.data)
      return this.drawFigure(this.data.value, undefined, newest);
    await this.recordingFetched;
    if (!newest()) return;
    this.code.clear();
    const asks = this.section.classList.contains('asking');
    if (text === this.recording?.text && !asks) this.drawRecording();
    else
      this.showSentence(
        this.chapter.invites ?? 'Nothing has been computed with these settings yet.',
      );
  }

  private async fetchRecording(recorded: Promise<D>): Promise<void> {
    try {
      const data = await recorded;
      const settings = new Settings(this.defaults);
      this.recording = { text: this.chapter.program({ ...this.scene, settings }), data };
    } catch {
      // Without the recording, the chapter waits for its first run.
    }
  }

  private drawRecording(): void {
    if (!this.recording) return;
    const { data } = this.recording;
    this.section.classList.remove('refused', 'waiting');
    this.section.classList.add('recorded-run');
    this.problem.hidden = true;
    void this.chapter.draw(data, this.scene);
    this.section.querySelector('[data-slot="progress"]')?.replaceChildren();
    const summary = this.chapter.summarize?.(data, this.scene) ?? '';
    say(this.result, `Recorded on another machine. ${summary}`);
  }

  /** Replaces the figure by a sentence that is not an error. */
  private showSentence(sentence: string): void {
    this.data = undefined;
    this.section.classList.remove('waiting', 'recorded-run');
    this.section.classList.add('refused');
    this.problem.hidden = true;
    say(this.result, sentence);
    this.code.took(undefined);
  }

  private async execute(text: string, current: () => boolean, signal?: AbortSignal): Promise<void> {
    const { timeLimit } = this.chapter;
    const given = this.chapter.given?.(this.scene);
    // Draws again without a run: this control changes how the figure looks, not the data.
    if (
      text === this.programText &&
      this.data &&
      given === this.programInput &&
      !this.chapter.waits
    ) {
      await this.drawFigure(this.data.value, undefined, current);
      return;
    }
    const isForeign = this.chapter.isForeign?.(this.scene) ?? false;
    this.engine = engine(this.kind(), { isEdited: isForeign || text !== this.ownText });
    const stopping = new AbortController();
    const slow = setTimeout(() => this.section.classList.add('waiting'), 150);
    // Chapters that wait for a click have their own buttons.
    const long = signal ? undefined : setTimeout(() => this.offerStop(stopping), 1000);
    this.code.clear();
    this.lastShown = undefined;
    // The worker frees the values of the previous program when the next one starts.
    this.programText = undefined;
    const options = {
      reader: this.id,
      isFresh: isForeign,
      onPrinted: this.code.print,
      onAgain: () => this.code.clear(),
      onShown: (value: unknown) => current() && this.show(value),
      ...(timeLimit !== undefined && { timeLimit }),
      ...(given !== undefined && { given }),
      signal: signal ?? stopping.signal,
    };
    try {
      const { data, milliseconds } = await this.engine.run(text, options);
      if (!current()) return;
      this.programText = text;
      this.programInput = given;
      await this.drawFigure(data as D, milliseconds, current);
    } catch (error) {
      this.handleError(error, current, signal ?? stopping.signal);
    } finally {
      clearTimeout(slow);
      clearTimeout(long);
      this.running.hidden ||= current();
      if (current()) this.section.classList.remove('waiting');
    }
  }

  private kind(): Kind {
    const { engine: kind = 'all' } = this.chapter;
    return typeof kind === 'function' ? kind(this.scene) : kind;
  }

  private offerStop(stopping: AbortController): void {
    const stop = h('button', { type: 'button' }, 'Stop');
    stop.addEventListener('click', () => stopping.abort());
    this.running.replaceChildren(h('span', { role: 'status' }, 'Running …'), stop);
    this.running.hidden = false;
  }

  private handleError(error: unknown, current: () => boolean, signal?: AbortSignal): void {
    if (error instanceof Superseded || !current()) return;
    const stoppedByHand =
      signal?.aborted && error instanceof Refusal && error.complaint.name === 'Stopped';
    if (!stoppedByHand) this.refuse(error);
    else if (this.lastShown) say(this.result, 'Stopped. The figure shows the last state.');
    else this.showSentence('Stopped before there was anything to show.');
  }

  /** Draws a value of a program that is still running. */
  private show(value: unknown): void {
    if (!this.chapter.shown) return;
    this.lastShown = { value };
    this.section.classList.remove('refused', 'waiting');
    this.problem.hidden = true;
    try {
      const sentence = this.chapter.shown(value, this.scene);
      // Without a sentence, the figure shows only progress: a recording keeps its own sentence.
      if (sentence === undefined) return;
      this.section.classList.remove('recorded-run');
      // A screen reader reads only the last of these sentences.
      this.result.ariaLive = 'off';
      say(this.result, sentence);
    } catch {
      // An edited program may pass any value to `show`, which the figure then cannot draw.
      this.refuse(
        new Advice('The figure cannot draw the value that the program passes to `show`.'),
      );
    }
  }

  private async drawFigure(
    data: D,
    milliseconds: number | undefined,
    current: () => boolean,
  ): Promise<void> {
    this.data = { value: data };
    this.section.classList.remove('recorded-run');
    await this.chapter.draw(data, this.scene);
    if (!current()) return;
    this.problem.hidden = true;
    this.section.classList.remove('refused');
    this.result.ariaLive = 'polite';
    sayWithSums(
      this.result,
      this.chapter.summarize?.(data, this.scene) ?? '',
      this.chapter.sums?.(data, this.scene) ?? [],
    );
    this.prediction?.tell();
    if (milliseconds !== undefined) this.code.took(milliseconds);
  }

  /** Hides the figure, which belongs to other settings, and shows the error. */
  private refuse(error: unknown): void {
    this.data = undefined;
    this.section.classList.remove('recorded-run');
    this.section.classList.add('refused');
    this.chapter.refused?.(this.scene);
    this.prediction?.tell();
    say(this.result, '');
    const advice =
      error instanceof Refusal ? this.chapter.advise?.(error.complaint, this.scene) : undefined;
    const [heading, message] =
      advice === undefined ? explain(error, () => this.code.faultyLine()) : ['', advice];
    const sentence = rich(message) as (Node | string)[];
    this.problem.replaceChildren(...(heading ? [h('strong', {}, heading), ' '] : []), ...sentence);
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
    this.isChanged = true;
    this.remember(this.id, 'changing');
    this.remember(this.id, 'done');
    void this.redraw();
  }

  private predict(question: HTMLElement): Prediction {
    const judge = () => this.data && this.chapter.judge?.(this.data.value, this.scene);
    return new Prediction(question, judge, () => {
      // The first guess starts a run, which computes the answer.
      if (this.chapter.waits && !this.data && !this.activeRun) void this.runOnDemand();
      else void this.redraw();
    });
  }

  private listen(): void {
    this.form.addEventListener('input', (event) => {
      // A control replaces an edited program; the edit is one step back in the history.
      if ((event.target as HTMLInputElement).name !== 'code')
        writeForm(this.form, new Map([['code', '']]));
      this.isChanged = true;
      if ((event as Event & { detail?: unknown }).detail !== alone)
        this.remember(this.id, 'changing', visitedBy(event));
      void this.redraw();
    });
    this.form.addEventListener('change', (event) =>
      this.remember(this.id, 'done', visitedBy(event)),
    );
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.again.addEventListener('click', () => {
      this.setAll(Object.fromEntries(this.defaults));
      // The button disappears, so the focus moves to the heading.
      find('h2', this.section).focus();
    });
  }

  /**
   * Calls a method of the reader. If another chapter stopped the worker, the program's values are
   * gone, and the program runs again first.
   */
  private async call<T>(method: string, args: unknown[]): Promise<T> {
    const worker = this.engine;
    try {
      return (await worker.call(this.id, method, args)).data as T;
    } catch (error) {
      const gone = error instanceof Refusal && error.complaint.name === 'Gone';
      if (!gone || this.programText === undefined) throw error;
      await worker.run(this.programText, {
        reader: this.id,
        ...(this.programInput !== undefined && { given: this.programInput }),
      });
      return (await worker.call(this.id, method, args)).data as T;
    }
  }

  private makeScene(): Scene {
    const slot = (name: string) => find(`[data-slot="${name}"]`, this.section);
    return {
      section: this.section,
      settings: this.readSettings(),
      batch: batchOf(new Settings(readForm(paddingForm()))),
      slot,
      put: (name, ...content) => slot(name).replaceChildren(...content),
      set: (values) => this.setAll({ code: '', ...values }),
      call: <T>(method: string, ...args: unknown[]) => this.call<T>(method, args),
      run: (how) => this.runOnDemand(how),
      stop: () => this.stop(),
      control: (command) => this.engine.control(this.id, command),
    };
  }
}
