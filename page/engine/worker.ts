// SPDX-License-Identifier: MIT
// The worker that runs programs, one after the other.
import type * as Package from 'maskflow';
import type * as Threads from 'maskflow/worker';
import { inspect } from 'loupe';
import { Advice } from '../shared/advice.js';
import { compile, lineOf } from './compile.js';
import {
  type Command,
  type Complaint,
  type Control,
  type FromEngine,
  type Line,
  type Run,
  type Setup,
  type ToEngine,
  crash,
} from './protocol.js';
import { Turns } from './turns.js';

export type Flow = typeof Package;
export type Values = { [name: string]: unknown };

/** Turns what a program left into plain data for a figure, and answers further questions about it. */
export interface Reader {
  /** The variables of the program that the figure draws. */
  names: readonly string[];
  read(values: Values, flow: Flow): unknown;
  calls?: { [method: string]: (values: Values, flow: Flow, ...args: never[]) => unknown };
}

/** Of one run: a program that prints without end must not drown the page. */
const mostLines = 500;

type Modules = { [specifier: string]: () => Promise<object> };

const post = (message: FromEngine) => postMessage(message);

/** What a call asks of went with an earlier worker. */
class Gone extends Advice {
  override name = 'Gone';
}

class Engine {
  private base = '';
  private readonly kept = new Map<string, Values>();
  private current = 0;
  private turns = new Turns();
  /** What was said to a program that has not begun: the core may still be starting. */
  private early: { id: number; command: Command } | undefined;
  private printed = 0;

  constructor(
    private readonly flow: Flow,
    private readonly modules: Modules,
    private readonly readers: { [name: string]: Reader },
    private files: Setup['files'],
  ) {
    for (const level of ['log', 'info', 'debug', 'table', 'dir', 'warn', 'error'] as const) {
      console[level] = (...values: unknown[]) =>
        this.print(level === 'warn' || level === 'error' ? level : 'log', values);
    }
    // Programs fetch what lies beside the page, as a program on the page would.
    const fetched = globalThis.fetch;
    globalThis.fetch = (source, init) => {
      if (typeof source !== 'string') return fetched(source, init);
      const bytes = this.fileOf(source);
      return bytes
        ? Promise.resolve(new Response(bytes))
        : fetched(new URL(source, this.base).href, init);
    };
    // A promise that nobody waits for.
    addEventListener('unhandledrejection', (event) => {
      event.preventDefault();
      const { name, message } = complaintOf(event.reason);
      this.print('error', [`${name}: ${message} (of a promise that nothing awaits)`]);
    });
  }

  /** Is heard while a program runs. */
  control({ id, command }: Control): void {
    if (id === this.current) this.turns.command(command);
    else this.early = { id, command };
  }

  async take(message: Exclude<ToEngine, Control>): Promise<void> {
    if (message.kind === 'setup') {
      this.base = message.base;
      this.files = message.files ?? this.files;
      return;
    }
    this.current = message.id;
    this.printed = 0;
    try {
      if (message.kind === 'run') await this.run(message);
      else {
        const { reader, method, args, id } = message;
        const before = performance.now();
        const call = this.readers[reader]?.calls?.[method];
        const values = this.kept.get(reader);
        if (!call || !values) throw new Gone('Run the program first.');
        const data = await call(values, this.flow, ...(args as never[]));
        this.finish(id, data, before);
      }
    } catch (error) {
      post({
        kind: 'refused',
        id: message.id,
        complaint: complaintOf(error),
        dead: this.dead(),
      });
    }
  }

  /** A core that trapped computes nothing any more, whoever caught the error. */
  private dead(): boolean {
    try {
      this.flow.memory();
    } catch (error) {
      return (error as Error).cause !== undefined;
    }
    return false;
  }

  private async run({ id, reader: name = '', text, given }: Run): Promise<void> {
    const reader = this.readers[name];
    this.forget(name);
    this.turns = new Turns();
    if (this.early?.id === id) this.turns.command(this.early.command);
    const scope = {
      __import: (specifier: string) => this.module(specifier),
      given,
      show: (value: unknown) => post({ kind: 'shown', id, value }),
      turn: this.turns.turn,
    };
    const program = compile(text, reader?.names ?? [], Object.keys(scope));
    // What the program before had chosen about masks is not this one's.
    await this.flow.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
    const before = performance.now();
    const held = await program(scope);
    const values = { ...held };
    const took = performance.now() - before;
    this.kept.set(name, values);
    const data = reader ? await reader.read(values, this.flow) : undefined;
    this.finish(id, data, performance.now() - took);
  }

  private finish(id: number, data: unknown, before: number): void {
    const milliseconds = performance.now() - before;
    const { tensors, heapBytes } = this.flow.memory();
    post({ kind: 'finished', id, data, milliseconds, tensors, heapBytes });
  }

  /** What the last program of a figure made is given back, as far as it can be named. */
  private forget(name: string): void {
    for (const value of Object.values(this.kept.get(name) ?? {})) {
      try {
        (value as { dispose?(): void } | null)?.dispose?.();
      } catch {
        // Already given back by the program itself.
      }
    }
    this.kept.delete(name);
  }

  private async module(specifier: string): Promise<object> {
    const load = this.modules[specifier];
    if (!load) {
      const known = Object.keys(this.modules).join(', ');
      throw new Advice(`This page has no module “${specifier}”; there are ${known}.`);
    }
    const module = (await load()) as Partial<Flow & typeof Threads>;
    const { loadModel, openWorker, openPool } = module;
    return {
      ...module,
      ...(loadModel && { loadModel: this.loadModel(loadModel) }),
      ...(openWorker && { openWorker: this.opener(openWorker) }),
      ...(openPool && { openPool: this.opener(openPool) }),
    };
  }

  /** Addresses are those of the page, not of this script; files that are here already are not fetched. */
  private loadModel(load: Flow['loadModel']): Flow['loadModel'] {
    return ((source: unknown, ...rest: never[]) =>
      load(this.sourceOf(source) as never, ...rest)) as Flow['loadModel'];
  }

  private sourceOf(source: unknown): unknown {
    // JSON as text is no address.
    if (typeof source !== 'string' || /^\s*[{[]/.test(source)) return source;
    // A worker takes the bytes along.
    return this.fileOf(source) ?? new URL(source, this.base).href;
  }

  private fileOf(address: string): Uint8Array<ArrayBuffer> | undefined {
    return this.files?.[address.replace(/^\.\//, '')]?.slice();
  }

  /** The same for the models of a worker or pool that a program opens. */
  private opener<O>(open: (options?: O) => Promise<{ loadModel: unknown }>): typeof open {
    return async (options) => {
      const opened = await open(options);
      const load = opened.loadModel as Flow['loadModel'];
      opened.loadModel = this.loadModel(load.bind(opened) as Flow['loadModel']);
      return opened;
    };
  }

  private print(level: Line['level'], values: unknown[]): void {
    if (this.printed++ > mostLines) return;
    const text =
      this.printed > mostLines
        ? `… Only the first ${mostLines} lines are shown.`
        : values.map(printable).join(' ');
    post({ kind: 'printed', id: this.current, line: { level, text } });
  }
}

/** Node prints 0 where loupe says +0. */
const shown = {
  truncate: 2000,
  depth: 6,
  stylize: (text: string, type: string) => (type === 'number' && text === '+0' ? '0' : text),
};

function printable(value: unknown): string {
  if (typeof value === 'string') return value;
  const isTensor =
    typeof value === 'object' && value !== null && 'shape' in value && 'dtype' in value;
  const text = isTensor ? String(value) : inspect(value, shown);
  return text.length > 4000 ? `${text.slice(0, 4000)} …` : text;
}

function complaintOf(error: unknown): Complaint {
  const { cause } = (error ?? {}) as Error;
  if (Object.prototype.toString.call(cause) === '[object WebAssembly.Exception]')
    return { name: crash, message: 'The engine of this browser failed; try again.' };
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const line = lineOf(error);
  return { name: error.name, message: error.message, ...(line !== undefined && { line }) };
}

/**
 * Begins to answer. `files`: models that came with the script, by the address that programs use. Programs run one after the
 * other: seed and rules about masks belong to the whole package.
 */
export function serveEngine(
  flow: Flow,
  modules: Modules,
  readers: { [name: string]: Reader },
  files?: Setup['files'],
): void {
  const engine = new Engine(flow, modules, readers, files);
  // Programs find a core that is ready, whether or not they come early.
  const started = start(flow);
  let turn: Promise<unknown> = started;
  addEventListener('message', ({ data }: MessageEvent<ToEngine>) => {
    if (data.kind === 'control') engine.control(data);
    else turn = turn.then(() => engine.take(data));
    // Not before the page listens: the worker may be older than the page's script.
    if (data.kind === 'setup') void started.then(post);
  });
}

async function start(flow: Flow): Promise<FromEngine> {
  const before = performance.now();
  try {
    await flow.ready();
    const { version, variant, wasmBytes } = flow.runtimeInfo();
    const milliseconds = performance.now() - before;
    return { kind: 'started', info: { version, variant, wasmBytes, milliseconds } };
  } catch (error) {
    return { kind: 'refused', id: 0, complaint: complaintOf(error) };
  }
}
