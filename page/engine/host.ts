// SPDX-License-Identifier: MIT
// The page's side of the workers that run programs. A program that does not end is stopped, and the worker replaced: nothing that
// a person types can hold up the page.
import { engineScript, files } from 'page-files';
import type {
  Call,
  Command,
  Complaint,
  Finished,
  FromEngine,
  Kind,
  Line,
  Run,
  Started,
  ToEngine,
} from './protocol.js';
import { crash } from './protocol.js';

/** What a program, its reader or the engine refused: a sentence for the figure's place. */
export class Refusal extends Error {
  constructor(
    readonly complaint: Complaint,
    readonly printed: Line[],
  ) {
    super(complaint.message);
  }
}

/** No worker computes here. */
export class NoEngine extends Refusal {
  constructor({ name, message }: Complaint) {
    super(
      { name: 'Advice', message: 'Nothing can be computed here; the top of the page says why.' },
      [],
    );
    this.message = message;
    this.lacking = name === 'UnsupportedError';
  }
  /** This browser lacks what it takes; trying again is of no use. */
  readonly lacking: boolean;
}

/** A newer run of the same figure took the place of this one. */
export class Superseded extends Error {}

export interface RunOptions {
  reader?: string;
  given?: unknown;
  /** In milliseconds; then the program is stopped. */
  timeLimit?: number;
  signal?: AbortSignal;
  onPrinted?(line: Line): void;
  /** What the program hands to `show(value)` while it runs. */
  onShown?(value: unknown): void;
  /** It is run once more from its beginning: what it printed does not count. */
  onAgain?(): void;
}

export type Outcome = Finished & { printed: Line[] };

interface Task {
  message: (Run | Call) & { id: number };
  options: RunOptions;
  printed: Line[];
  /** How often it was begun anew. */
  again: number;
  /** A newer program of its reader waits. */
  superseded?: boolean;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

const mostAgain = 4;
/** How long a program may go on that a newer one has taken the place of, in milliseconds. */
const grace = 1000;

/** After so many runs, or so large a memory, a fresh worker takes over between two programs. */
const mostRuns = 400;
const mostHeap = 256 * 2 ** 20;

export class Engine {
  private worker: Worker | undefined;
  private readonly waiting: Task[] = [];
  private running: Task | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private runs = 0;
  /** Whether a worker of this kind has ever started. */
  private ready = false;
  private next = 1;
  private begun: ((info: Started) => void)[] = [];
  private failed: ((error: Error) => void)[] = [];
  /** What the worker said when it started; a failure to start, as well. */
  readonly started: Promise<Started>;

  /** `base`: what the addresses of programs are relative to. */
  constructor(
    readonly kind: Kind,
    private readonly base = document.baseURI,
  ) {
    this.started = new Promise((resolve, reject) => {
      this.begun.push(resolve);
      this.failed.push(reject);
    });
    this.started.catch(() => {});
  }

  /** Starts the worker ahead of the first program. */
  warm(): void {
    try {
      this.worker ??= this.open();
    } catch (error) {
      this.broken({ name: 'UnsupportedError', message: String(error) });
    }
  }

  /** Runs a program. Of several that wait with the same reader, only the newest is run. */
  run(text: string, options: RunOptions = {}): Promise<Outcome> {
    const message: Run = { kind: 'run', id: this.next++, text };
    if (options.reader !== undefined) message.reader = options.reader;
    if (options.given !== undefined) message.given = options.given;
    return this.ask(message, options);
  }

  /** Asks something of what the last program with this reader left. */
  call(
    reader: string,
    method: string,
    args: unknown[],
    options: RunOptions = {},
  ): Promise<Outcome> {
    return this.ask({ kind: 'call', id: this.next++, reader, method, args }, options);
  }

  /** To the program of a reader that runs now; false when there is none. A program that is held has all the time. */
  control(reader: string, command: Command): boolean {
    const task = this.running;
    if (task?.message.kind !== 'run' || task.message.reader !== reader) return false;
    this.worker?.postMessage({ kind: 'control', id: task.message.id, command } satisfies ToEngine);
    clearTimeout(this.timer);
    if (command === 'go' || command === 'end') this.limit(task);
    return true;
  }

  private ask(message: Task['message'], options: RunOptions): Promise<Outcome> {
    if (message.kind === 'run' && options.reader) this.supersede(options.reader);
    return new Promise((resolve, reject) => {
      const task: Task = { message, options, printed: [], again: 0, resolve, reject };
      options.signal?.addEventListener('abort', () => this.drop(task), { once: true });
      this.waiting.push(task);
      this.advance();
    });
  }

  private supersede(reader: string): void {
    for (let at = this.waiting.length - 1; at >= 0; at--) {
      const task = this.waiting[at];
      if (task?.message.kind === 'run' && task.message.reader === reader) {
        this.waiting.splice(at, 1);
        task.reject(new Superseded());
      }
    }
    const task = this.running;
    if (!this.ready || task?.message.kind !== 'run' || task.message.reader !== reader) return;
    if (task.superseded) return;
    // Nobody waits for it any more; most end by themselves, and their worker is of use.
    task.superseded = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.replace(task, new Superseded()), grace);
  }

  private advance(): void {
    if (this.running) return;
    const task = this.waiting.shift();
    if (!task) return;
    this.running = task;
    try {
      this.worker ??= this.open();
    } catch (error) {
      this.broken({ name: 'UnsupportedError', message: String(error) });
      return;
    }
    this.worker.postMessage(task.message);
    // The first program waits for the worker to start, which on a slow line takes longer than any program.
    if (this.ready) this.limit(task);
  }

  private limit(task: Task): void {
    const limit = task.options.timeLimit ?? 10_000;
    this.timer = setTimeout(
      () => this.stop(task, `It ran for ${limit / 1000} s and was stopped.`),
      limit,
    );
  }

  private drop(task: Task): void {
    if (this.running === task) this.stop(task, 'It was stopped.');
    else {
      const at = this.waiting.indexOf(task);
      if (at >= 0) this.waiting.splice(at, 1);
      task.reject(new Superseded());
    }
  }

  private stop(task: Task, message: string): void {
    this.replace(task, new Refusal({ name: 'Stopped', message }, task.printed));
  }

  /** What runs ends with its worker. */
  private replace(task: Task, error: Error): void {
    this.close();
    this.end(task);
    task.reject(error);
    this.advance();
  }

  /** A fresh worker for the next program: nothing of earlier ones is left. */
  renew(): void {
    if (this.running) return;
    this.close();
    this.warm();
  }

  /** Ends the worker; the next program starts another. */
  close(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.runs = 0;
  }

  private end(task: Task): void {
    clearTimeout(this.timer);
    if (this.running === task) this.running = undefined;
  }

  private open(): Worker {
    if (typeof WebAssembly === 'undefined') throw new Error('There is no WebAssembly.');
    const worker = engineScript(this.kind);
    worker.postMessage({
      kind: 'setup',
      base: this.base,
      files: files?.(),
    } satisfies ToEngine);
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => this.hear(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (this.worker !== worker) return;
      const message = event.message || 'its script did not arrive, or stopped.';
      if (!this.ready) {
        this.broken({ name: 'Error', message });
        return;
      }
      const task = this.running;
      this.close();
      if (!task) return;
      this.end(task);
      task.reject(new Refusal({ name: 'Error', message }, task.printed));
      this.advance();
    });
    return worker;
  }

  /** After a fault of the browser's engine a program is run in a fresh worker. */
  private anew(task: Task): boolean {
    if (task.again === mostAgain || task.message.kind === 'call') return false;
    task.again++;
    task.printed = [];
    task.options.onAgain?.();
    this.close();
    this.waiting.unshift(task);
    this.advance();
    return true;
  }

  /** The worker does not start: what waits is told so; what comes later tries again. */
  private broken(complaint: Complaint): void {
    const error = new NoEngine(complaint);
    this.close();
    for (const fail of this.failed.splice(0)) fail(error);
    const task = this.running;
    if (!task) return;
    this.end(task);
    task.reject(error);
    this.advance();
  }

  private hear(message: FromEngine): void {
    if (message.kind === 'started') {
      if (!this.ready && this.running) this.limit(this.running);
      this.ready = true;
      for (const begin of this.begun.splice(0)) begin(message.info);
      return;
    }
    if (message.kind === 'refused' && message.id === 0) {
      this.broken(message.complaint);
      return;
    }
    const task = this.running;
    if (!task || task.message.id !== message.id) return;
    if (message.kind === 'printed') {
      task.printed.push(message.line);
      task.options.onPrinted?.(message.line);
    } else if (message.kind === 'shown') task.options.onShown?.(message.value);
    else this.settle(task, message);
  }

  private settle(task: Task, message: Extract<FromEngine, { kind: 'finished' | 'refused' }>): void {
    this.end(task);
    if (message.kind === 'refused' && message.complaint.name === crash && this.anew(task)) return;
    if (message.kind === 'finished') task.resolve({ ...message, printed: task.printed });
    else task.reject(new Refusal(message.complaint, task.printed));
    const heap = message.kind === 'finished' ? message.heapBytes : 0;
    // What a call asks of stays in the worker: a chapter that calls keeps it, however many steps it takes.
    const calls =
      task.message.kind === 'call' ||
      this.waiting.some(({ message: each }) => each.kind === 'call');
    const dead = message.kind === 'refused' && message.dead;
    if (dead || (!calls && (++this.runs >= mostRuns || heap > mostHeap))) this.close();
    this.advance();
  }
}

const engines = new Map<Kind, Engine>();

/** The worker of a kind, which all figures share. */
export function engine(kind: Kind): Engine {
  const known = engines.get(kind) ?? new Engine(kind);
  engines.set(kind, known);
  return known;
}
