// SPDX-License-Identifier: MIT
// The playground: an editor with the whole package. The address contains the program; a program
// from a link runs only when Run is pressed.
import type { Ported } from 'maskflow/port';
import { Engine, Refusal } from '../engine/host.js';
import type { Line } from '../engine/protocol.js';
import { copyText } from '../shared/code.js';
import { find, h, say } from '../shared/dom.js';
import { examples } from './examples.js';
import { address, programIn } from './link.js';
import { type Pad, openPad } from './pad.js';
import { NotPython, isPython, showTranslation, translated } from './python.js';

const timeLimit = 60_000;

const slot = (name: string) => find(`[data-slot="${name}"]`);
const button = (name: string) => find<HTMLButtonElement>(`[data-${name}]`);

class Playground {
  private readonly engine = new Engine('train');
  private stopping: AbortController | undefined;
  private used = false;

  constructor(private readonly pad: Pad) {
    button('run').disabled = false;
    button('run').addEventListener('click', () => void this.run());
    button('stop').addEventListener('click', () => this.stop());
    say(slot('limit'), String(timeLimit / 1000));
    this.engine.warm();
    this.engine.started.catch((error: Error) =>
      this.showProblem('', `Programs cannot run here: ${error.message}`),
    );
  }

  async run(): Promise<void> {
    this.stop();
    // Each run gets a fresh worker, so the same program always prints the same.
    if (this.used) this.engine.renew();
    this.used = true;
    const stopping = new AbortController();
    this.stopping = stopping;
    this.begin();
    const isCurrent = () => this.stopping === stopping;
    let ported: Ported | undefined;
    try {
      if (isPython(this.pad.text())) {
        say(slot('state'), 'Translating …');
        ported = await translated(this.pad);
        if (!isCurrent() || stopping.signal.aborted) return;
        say(slot('state'), 'Running …');
      }
      showTranslation(ported, this.pad);
      const { milliseconds, tensors } = await this.engine.run(ported?.code ?? this.pad.text(), {
        timeLimit,
        signal: stopping.signal,
        onPrinted: (line) => isCurrent() && this.print(line),
        onAgain: () => slot('prints').replaceChildren(),
        onShown: (value) =>
          isCurrent() && this.print({ level: 'log', text: JSON.stringify(value) }),
      });
      if (isCurrent())
        this.end(`The program finished in ${time(milliseconds)}; ${live(tensors)} alive.`);
    } catch (error) {
      if (isCurrent()) this.fail(error, ported);
    }
  }

  stop(): void {
    this.stopping?.abort();
  }

  /** Clears the output, which belongs to the previous program. */
  clear(): void {
    this.stop();
    this.stopping = undefined;
    slot('prints').replaceChildren();
    slot('problem').hidden = true;
    showTranslation(undefined, this.pad);
    this.end('Press Run.');
  }

  private begin(): void {
    slot('prints').replaceChildren();
    slot('problem').hidden = true;
    this.pad.mark(undefined);
    say(slot('state'), 'Running …');
    // On a phone, the output is below the program.
    slot('state').scrollIntoView({ block: 'nearest' });
    button('stop').disabled = false;
  }

  private end(message: string): void {
    say(slot('state'), message);
    // A disabled button loses the focus, so it moves to Run.
    if (document.activeElement === button('stop')) button('run').focus();
    button('stop').disabled = true;
  }

  private fail(error: unknown, ported: Ported | undefined): void {
    this.end('');
    if (error instanceof NotPython) {
      showTranslation(undefined, this.pad);
      this.showProblem('This is not valid Python.', error.message);
      this.pad.mark(error.line);
      return;
    }
    if (!(error instanceof Refusal)) {
      this.showProblem('', error instanceof Error ? error.message : String(error));
      return;
    }
    const { name, message, line: known } = error.complaint;
    const own = known ?? (name === 'SyntaxError' && !ported ? this.pad.fault() : undefined);
    const line = ported && own !== undefined ? (ported.lines[own - 1] ?? undefined) : own;
    const where =
      line === undefined ? 'The program stopped.' : `The program stopped at line ${line}.`;
    const isAdvice = name === 'Advice' || name === 'Stopped';
    this.showProblem(isAdvice ? '' : where, isAdvice ? message : `${name}: ${message}`);
    this.pad.mark(line);
  }

  private showProblem(where: string, message: string): void {
    slot('problem').replaceChildren(...(where ? [h('strong', {}, where), ' '] : []), message);
    slot('problem').hidden = false;
  }

  private print({ level, text }: Line): void {
    slot('prints').append(h('span', { class: level }, `${text}\n`));
  }
}

const time = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;

const live = (tensors: number): string =>
  tensors === 0 ? 'no tensor is' : tensors === 1 ? '1 tensor is' : `${tensors} tensors are`;

/** Opens the program of the address, or the first example, and says which. */
async function fromAddress(pad: Pad): Promise<void> {
  const { text, problem } = await programIn(location.hash);
  const notice = slot('came');
  notice.hidden = text === undefined && problem === undefined;
  notice.textContent =
    problem ?? 'This program came with the link. Read it before you press Run: it has not run yet.';
  pad.set(text ?? examples[0]?.text ?? '');
}

function offerExamples(pad: Pad, chosen: () => void): void {
  const menu = find<HTMLSelectElement>('[data-examples]');
  menu.append(...examples.map(({ title }, index) => h('option', { value: index }, title)));
  menu.addEventListener('change', () => {
    const example = examples[Number(menu.value || -1)];
    if (!example) return;
    slot('came').hidden = true;
    pad.set(example.text);
    chosen();
  });
}

function offerLink(pad: Pad): void {
  button('link-button').addEventListener('click', async () => {
    const link = await address(pad.text());
    const copied = link !== undefined && (await copyText(link));
    const answer = copied
      ? 'Copied.'
      : 'Copying is not allowed here; the address of this page is the link.';
    say(slot('copied'), link === undefined ? tooLong : answer);
    setTimeout(() => say(slot('copied'), ''), 4000);
  });
}

const tooLong = 'This program is longer than a link can hold; copy its text instead.';

/** Returns a function that updates the address after typing, without an entry in the history. */
function addressUpdater(pad: Pad): () => void {
  let later: ReturnType<typeof setTimeout> | undefined;
  const write = async () => {
    const text = pad.text();
    const link = await address(text);
    if (text !== pad.text()) return;
    try {
      history.replaceState(null, '', link ?? location.href.replace(/#.*$/s, ''));
    } catch {
      // Browsers limit how often the address may change, and some forbid it for pages opened from a
      // folder. Copy link works in all of them.
    }
  };
  return () => {
    clearTimeout(later);
    later = setTimeout(() => void write(), 300);
  };
}

async function begin(): Promise<void> {
  let playground: Playground | undefined;
  let updateAddress = () => {};
  const pad = await openPad(find('[data-slot="editor"]'), {
    onChange: () => updateAddress(),
    onRun: () => void playground?.run(),
  });
  const created = new Playground(pad);
  playground = created;
  await fromAddress(pad);
  updateAddress = addressUpdater(pad);
  offerExamples(pad, () => created.clear());
  offerLink(pad);
  window.addEventListener('hashchange', async () => {
    created.clear();
    await fromAddress(pad);
  });
  // The output scrolls, so it must accept the focus.
  slot('prints').tabIndex = 0;
  document.documentElement.dataset['ready'] = '';
}

// The classic build of this script may run before the document is parsed.
if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', () => void begin());
else void begin();
