// SPDX-License-Identifier: MIT
// The page's side of the workers that run programs. A program that does not end is stopped and its
// worker is replaced, so no program can block the page.
import { top } from 'page-files';
import { type Link, openLink } from './link.js';
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
} from './protocol.js';
import { crash } from './protocol.js';

/** An error of a program, its reader or the engine, shown in place of the figure. */
export class Refusal extends Error {
  constructor(
    readonly complaint: Complaint,
    readonly printed: Line[],
  ) {
    super(complaint.message);
  }
}

/** Thrown if the worker cannot start on this page. */
export class NoEngine extends Refusal {
  constructor({ name, message }: Complaint) {
    super(
      { name: 'Advice', message: 'Nothing can be computed here; the top of the page says why.' },
      [],
    );
    this.message = message;
    this.lacking = name === 'UnsupportedError';
  }
  /** Whether the browser lacks a required feature, so that trying again is useless. */
  readonly lacking: boolean;
}

/** Rejects a run that a newer run of the same figure has replaced. */
export class Superseded extends Error {}

export interface RunOptions {
  reader?: string;
  given?: unknown;
  /** Whether the program gets a core without any state of earlier programs. */
  isFresh?: boolean;
  /** Time in milliseconds after which the program is stopped; 10 000 by default. */
  timeLimit?: number;
  signal?: AbortSignal;
  onPrinted?(line: Line): void;
  /** Called for each `show(value)` of the running program. */
  onShown?(value: unknown): void;
  /** Called when the program starts again from its beginning; discard the lines printed so far. */
  onAgain?(): void;
}

export type Outcome = Finished & { printed: Line[] };

interface Task {
  message: (Run | Call) & { id: number };
  options: RunOptions;
  printed: Line[];
  /** Number of restarts. */
  restarts: number;
  /** Whether a newer program of the same reader is waiting. */
  superseded?: boolean;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

const maxRestarts = 4;
/** Time in milliseconds that a superseded program has to end by itself. */
const grace = 1000;

/** Number of runs after which a fresh worker takes over. */
const maxRuns = 400;
/** Bytes of wasm memory above which a fresh worker takes over. */
const maxHeap = 256 * 2 ** 20;

export class Engine {
  private worker: Link | undefined;
  private readonly waiting: Task[] = [];
  private running: Task | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private runs = 0;
  /** Whether a worker of this kind has ever started. */
  private ready = false;
  private next = 1;
  private begun: ((info: Started) => void)[] = [];
  private failed: ((error: Error) => void)[] = [];
  /** Resolves when the worker has started; rejects if it cannot. */
  readonly started: Promise<Started>;

  /** Addresses in programs are relative to `base`. */
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
      this.failToStart({ name: 'UnsupportedError', message: String(error) });
    }
  }

  /** Runs a program. If several of the same reader wait, only the newest runs. */
  run(text: string, options: RunOptions = {}): Promise<Outcome> {
    const message: Run = { kind: 'run', id: this.next++, text };
    if (options.reader !== undefined) message.reader = options.reader;
    if (options.given !== undefined) message.given = options.given;
    if (options.isFresh) message.isFresh = true;
    return this.ask(message, options);
  }

  /** Calls a method of a reader with the values of its last program. */
  call(
    reader: string,
    method: string,
    args: unknown[],
    options: RunOptions = {},
  ): Promise<Outcome> {
    return this.ask({ kind: 'call', id: this.next++, reader, method, args }, options);
  }

  /**
   * Sends a command to the running program of a reader; returns false when none runs. A paused
   * program has no time limit.
   */
  control(reader: string, command: Command): boolean {
    const task = this.running;
    if (task?.message.kind !== 'run' || task.message.reader !== reader) return false;
    this.worker?.post({ kind: 'control', id: task.message.id, command });
    clearTimeout(this.timer);
    if (command === 'go' || command === 'end') this.limit(task);
    return true;
  }

  private ask(message: Task['message'], options: RunOptions): Promise<Outcome> {
    if (message.kind === 'run' && options.reader) this.supersede(options.reader);
    return new Promise((resolve, reject) => {
      const task: Task = { message, options, printed: [], restarts: 0, resolve, reject };
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
    // The result of a superseded program is not needed. Most programs end soon, and then their
    // worker stays usable.
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
      this.failToStart({ name: 'UnsupportedError', message: String(error) });
      return;
    }
    this.worker.post(task.message);
    // The time limit starts when the worker has started, which may take long on a slow network.
    if (this.ready) this.limit(task);
  }

  private limit(task: Task): void {
    const limit = task.options.timeLimit ?? 10_000;
    this.timer = setTimeout(
      () => this.stop(task, `The program was stopped after ${limit / 1000} s.`),
      limit,
    );
  }

  private drop(task: Task): void {
    if (this.running === task) this.stop(task, 'The program was stopped.');
    else {
      const at = this.waiting.indexOf(task);
      if (at >= 0) this.waiting.splice(at, 1);
      task.reject(new Superseded());
    }
  }

  private stop(task: Task, message: string): void {
    this.replace(task, new Refusal({ name: 'Stopped', message }, task.printed));
  }

  /** Ends the running task together with its worker. */
  private replace(task: Task, error: Error): void {
    this.close();
    this.end(task);
    task.reject(error);
    this.advance();
  }

  /** Starts a fresh worker for the next program, without any state of earlier programs. */
  renew(): void {
    if (this.running) return;
    this.close();
    this.warm();
  }

  /** Ends the worker; the next program starts a new one. */
  close(): void {
    this.worker?.close();
    this.worker = undefined;
    this.runs = 0;
  }

  private end(task: Task): void {
    clearTimeout(this.timer);
    if (this.running === task) this.running = undefined;
  }

  private open(): Link {
    if (typeof WebAssembly === 'undefined') throw new Error('This browser has no WebAssembly.');
    const isCurrent = () => this.worker === link;
    const link: Link = openLink(this.kind, {
      onMessage: (message) => isCurrent() && this.receive(message),
      onError: (message) =>
        isCurrent() && this.fail(message || 'its script did not arrive, or stopped.'),
    });
    link.post({ kind: 'setup', base: this.base, top: top() });
    return link;
  }

  /** Handles an error of the worker itself. */
  private fail(message: string): void {
    if (!this.ready) {
      this.failToStart({ name: 'Error', message });
      return;
    }
    const task = this.running;
    this.close();
    if (!task) return;
    this.end(task);
    task.reject(new Refusal({ name: 'Error', message }, task.printed));
    this.advance();
  }

  /**
   * Restarts a program in a fresh worker after the browser's engine failed; false if it may not.
   */
  private restart(task: Task): boolean {
    if (task.restarts === maxRestarts || task.message.kind === 'call') return false;
    task.restarts++;
    task.printed = [];
    task.options.onAgain?.();
    this.close();
    this.waiting.unshift(task);
    this.advance();
    return true;
  }

  /** Rejects the running task because the worker cannot start; later programs try again. */
  private failToStart(complaint: Complaint): void {
    const error = new NoEngine(complaint);
    this.close();
    for (const fail of this.failed.splice(0)) fail(error);
    const task = this.running;
    if (!task) return;
    this.end(task);
    task.reject(error);
    this.advance();
  }

  private receive(message: FromEngine): void {
    if (message.kind === 'started') {
      if (!this.ready && this.running) this.limit(this.running);
      this.ready = true;
      for (const begin of this.begun.splice(0)) begin(message.info);
      return;
    }
    if (message.kind === 'refused' && message.id === 0) {
      this.failToStart(message.complaint);
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
    if (message.kind === 'refused' && message.complaint.name === crash && this.restart(task))
      return;
    if (message.kind === 'finished') task.resolve({ ...message, printed: task.printed });
    else task.reject(new Refusal(message.complaint, task.printed));
    const heap = message.kind === 'finished' ? message.heapBytes : 0;
    // Keeps the worker of a chapter that calls, because its calls need the values there.
    const calls =
      task.message.kind === 'call' ||
      this.waiting.some(({ message: each }) => each.kind === 'call');
    const dead = message.kind === 'refused' && message.dead;
    if (dead || (!calls && (++this.runs >= maxRuns || heap > maxHeap))) this.close();
    this.advance();
  }
}

const engines = new Map<string, Engine>();

/**
 * Returns the engine of a kind, which all figures share. Programs that somebody edited have engines
 * of their own: what they change in a worker reaches no figure of the page's own programs. All of
 * them run in frames, which the first worker does not.
 */
export function engine(kind: Kind, { isEdited = false } = {}): Engine {
  const used = isEdited && kind === 'recurrent' ? 'all' : kind;
  const name = isEdited ? `edited ${used}` : used;
  const known = engines.get(name) ?? new Engine(used);
  engines.set(name, known);
  return known;
}
