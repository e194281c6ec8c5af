// SPDX-License-Identifier: MIT
// The worker that runs programs, one after the other.
import type * as Package from 'maskflow';
import type * as Workers from 'maskflow/worker';
import { inspect } from 'loupe';
import { compile, lineOf } from './compile.js';
import type { Complaint, FromEngine, Line, Run, Setup, ToEngine } from './protocol.js';

export type Flow = typeof Package;
type Loader = { loadModel(source: never, ...rest: never[]): unknown };
export type Values = { [name: string]: unknown };

/** Turns what a program left into plain data for a figure, and answers further questions about it. */
export interface Reader {
  /** The variables of the program that the figure draws. */
  names: readonly string[];
  read(values: Values, flow: Flow): unknown;
  calls?: { [method: string]: (values: Values, flow: Flow, ...args: never[]) => unknown };
}

type Modules = { [specifier: string]: () => Promise<object> };

const post = (message: FromEngine) => postMessage(message);

/** What readers complain about in words for the reader of the page; the name is not shown. */
export class Advice extends Error {
  override name = 'Advice';
}

class Engine {
  private base = '';
  private readonly kept = new Map<string, Values>();
  private current = 0;

  constructor(
    private readonly flow: Flow,
    private readonly modules: Modules,
    private readonly readers: { [name: string]: Reader },
    private files: Setup['files'],
  ) {
    for (const level of ['log', 'info', 'debug', 'warn', 'error'] as const) {
      console[level] = (...values: unknown[]) =>
        this.print(level === 'warn' || level === 'error' ? level : 'log', values);
    }
  }

  async take(message: ToEngine): Promise<void> {
    if (message.kind === 'setup') {
      this.base = message.base;
      this.files = message.files ?? this.files;
      return;
    }
    this.current = message.id;
    try {
      if (message.kind === 'run') await this.run(message);
      else {
        const { reader, method, args, id } = message;
        const before = performance.now();
        const call = this.readers[reader]?.calls?.[method];
        const values = this.kept.get(reader);
        if (!call || !values) throw new Advice('Run the program first.');
        const data = await call(values, this.flow, ...(args as never[]));
        this.finish(id, data, before);
      }
    } catch (error) {
      post({ kind: 'refused', id: message.id, complaint: complaintOf(error) });
    }
  }

  private async run({ id, reader: name = '', text, given }: Run): Promise<void> {
    const reader = this.readers[name];
    this.forget(name);
    const scope = {
      __import: (specifier: string) => this.module(specifier),
      given,
      show: (value: unknown) => post({ kind: 'shown', id, value }),
    };
    const program = compile(text, reader?.names ?? [], Object.keys(scope));
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
    let tensors = 0;
    let heapBytes = 0;
    try {
      ({ tensors, heapBytes } = this.flow.memory());
    } catch {
      // No core was started: the program did not call ready().
    }
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
    const module = (await load()) as Partial<Flow & typeof Workers>;
    if (module.loadModel) return { ...module, loadModel: this.loadModel(module.loadModel) };
    if (!module.openWorker || !module.openPool) return module;
    const placed =
      <T extends Loader>(open: (...given: never[]) => Promise<T>) =>
      async (...given: never[]) =>
        this.placed(await open(...given));
    return { ...module, openWorker: placed(module.openWorker), openPool: placed(module.openPool) };
  }

  /** Addresses are those of the page, not of this script; files that are here already are not fetched. */
  private loadModel<T extends Loader['loadModel']>(load: T): T {
    return ((source: unknown, ...rest: never[]) => {
      if (typeof source !== 'string') return load(source as never, ...rest);
      const bytes = this.files?.[source.replace(/^\.\//, '')];
      return load((bytes ?? new URL(source, this.base).href) as never, ...rest);
    }) as unknown as T;
  }

  /** Workers that the program opens find models as the program does. */
  private placed<T extends Loader>(worker: T): T {
    return Object.assign(worker, { loadModel: this.loadModel(worker.loadModel.bind(worker)) });
  }

  private print(level: Line['level'], values: unknown[]): void {
    post({
      kind: 'printed',
      id: this.current,
      line: { level, text: values.map(printable).join(' ') },
    });
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
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const line = lineOf(error);
  return { name: error.name, message: error.message, ...(line !== undefined && { line }) };
}

/** Begins to answer. `files`: models that came with the script, by the address that programs use. Programs run one after the other: seed and rules about masks belong to the whole package. */
export async function serveEngine(
  flow: Flow,
  modules: Modules,
  readers: { [name: string]: Reader },
  files?: Setup['files'],
): Promise<void> {
  const engine = new Engine(flow, modules, readers, files);
  let turn: Promise<void> = Promise.resolve();
  addEventListener('message', ({ data }: MessageEvent<ToEngine>) => {
    turn = turn.then(() => engine.take(data));
  });
  const before = performance.now();
  try {
    await flow.ready();
    const { version, variant, wasmBytes } = flow.runtimeInfo();
    const milliseconds = performance.now() - before;
    post({ kind: 'started', info: { version, variant, wasmBytes, milliseconds } });
  } catch (error) {
    post({ kind: 'refused', id: 0, complaint: complaintOf(error) });
  }
}
