// SPDX-License-Identifier: MIT
// The worker that runs programs, one at a time.
import type * as Package from 'maskflow';
import type * as Threads from 'maskflow/worker';
import { Advice } from '../shared/advice.js';
import { compile, lineOf } from './compile.js';
import {
  type Call,
  type Command,
  type Complaint,
  type Control,
  type FromEngine,
  type Line,
  type Run,
  type ToEngine,
  type Wanted,
  crash,
} from './protocol.js';
import { RemoteFiles } from './remote_files.js';
import { Turns } from './turns.js';

export type Flow = typeof Package;
export type Values = { [name: string]: unknown };

/** Converts the values of a program to plain data for a figure, and answers further calls. */
export interface Reader {
  /** The variables of the program that the figure draws. */
  names: readonly string[];
  read(values: Values, flow: Flow): unknown;
  calls?: { [method: string]: (values: Values, flow: Flow, ...args: never[]) => unknown };
}

/** Largest number of printed lines that one run shows. */
const maxLines = 500;

/** Returns a printed value as text; strings and tensors are printed without it. */
type Inspect = (value: unknown) => string;

type Modules = { [specifier: string]: () => Promise<object> };

/** Sends a message to the page: to the owner of this worker, or through the port of its frame. */
let post: (message: FromEngine | Wanted) => void = (message) => postMessage(message);

/** Thrown if the values that a call needs were lost with an earlier worker. */
class Gone extends Advice {
  override name = 'Gone';
}

class Engine {
  /** The values of the last program of each reader. */
  private readonly values = new Map<string, Values>();
  private current = 0;
  private turns = new Turns();
  /** A command for a program that has not started yet: the core may still be loading. */
  private pendingCommand: { id: number; command: Command } | undefined;
  private printed = 0;

  constructor(
    private readonly flow: Flow,
    private readonly modules: Modules,
    private readonly readers: { [name: string]: Reader },
    private readonly files: RemoteFiles,
    private readonly inspect: Inspect,
  ) {
    for (const level of ['log', 'info', 'debug', 'table', 'dir', 'warn', 'error'] as const) {
      console[level] = (...values: unknown[]) =>
        this.print(level === 'warn' || level === 'error' ? level : 'log', values);
    }
    // Addresses in programs are relative to the page, not to the script of the worker.
    const fetchLocal = globalThis.fetch;
    globalThis.fetch = async (source, init) => {
      const address = source instanceof Request ? source.url : String(source);
      if (isLocal(address)) return fetchLocal(source, init);
      return new Response(await this.files.read(address));
    };
    // Errors of promises that the program does not await.
    addEventListener('unhandledrejection', (event) => {
      event.preventDefault();
      const { name, message } = complaintOf(event.reason);
      this.print('error', [`${name}: ${message} (in a promise that is not awaited)`]);
    });
  }

  /** Passes a command to the program that runs, or keeps it for the next one. */
  control({ id, command }: Control): void {
    if (id === this.current) this.turns.command(command);
    else this.pendingCommand = { id, command };
  }

  async handle(message: Run | Call): Promise<void> {
    this.current = message.id;
    this.printed = 0;
    try {
      if (message.kind === 'run') await this.run(message);
      else {
        const { reader, method, args, id } = message;
        const before = performance.now();
        const call = this.readers[reader]?.calls?.[method];
        const values = this.values.get(reader);
        if (!call || !values) throw new Gone('Run the program first.');
        const data = await call(values, this.flow, ...(args as never[]));
        this.finish(id, data, before);
      }
    } catch (error) {
      post({
        kind: 'refused',
        id: message.id,
        complaint: complaintOf(error),
        dead: this.isDead(),
      });
    }
  }

  /**
   * Whether the core trapped; it cannot compute any more then, even if the program caught the
   * error.
   */
  private isDead(): boolean {
    try {
      this.flow.memory();
    } catch (error) {
      return (error as Error).cause !== undefined;
    }
    return false;
  }

  private async run({ id, reader: name = '', text, given, isFresh }: Run): Promise<void> {
    const reader = this.readers[name];
    this.forget(name);
    if (isFresh) {
      this.values.clear();
      await this.flow.restart();
    }
    this.turns = new Turns();
    if (this.pendingCommand?.id === id) this.turns.command(this.pendingCommand.command);
    const scope = {
      __import: (specifier: string) => this.module(specifier),
      given,
      show: (value: unknown) => post({ kind: 'shown', id, value }),
      turn: this.turns.turn,
    };
    const program = await compile(text, reader?.names ?? [], Object.keys(scope));
    // The previous program may have changed the rules of masks.
    await this.flow.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
    const before = performance.now();
    // The getters of the result read the variables now.
    const values = { ...(await program(scope)) };
    const duration = performance.now() - before;
    this.values.set(name, values);
    const data = reader ? await reader.read(values, this.flow) : undefined;
    this.finish(id, data, performance.now() - duration);
  }

  private finish(id: number, data: unknown, before: number): void {
    const milliseconds = performance.now() - before;
    const { tensors, heapBytes } = this.flow.memory();
    post({ kind: 'finished', id, data, milliseconds, tensors, heapBytes });
  }

  /** Disposes of the named values of a reader's last program. */
  private forget(name: string): void {
    for (const value of Object.values(this.values.get(name) ?? {})) {
      try {
        (value as { dispose?(): void } | null)?.dispose?.();
      } catch {
        // Ignored, because the program has disposed of the tensor itself.
      }
    }
    this.values.delete(name);
  }

  private async module(specifier: string): Promise<object> {
    const load = this.modules[specifier];
    if (!load) {
      const known = Object.keys(this.modules).join(', ');
      throw new Advice(`This page has no module “${specifier}”; import one of ${known}.`);
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

  /** Reads the page's files by their addresses; the package itself reaches none. */
  private loadModel(load: Flow['loadModel']): Flow['loadModel'] {
    return (async (source: unknown, ...rest: never[]) =>
      load((await this.sourceOf(source)) as never, ...rest)) as Flow['loadModel'];
  }

  private async sourceOf(source: unknown): Promise<unknown> {
    const address = source instanceof URL ? source.href : source;
    // JSON as text is not an address.
    if (typeof address !== 'string' || /^\s*[{[]/.test(address) || isLocal(address)) return source;
    // Bytes reach workers that the program opens, too.
    return this.files.read(address);
  }

  /** Resolves addresses for a worker or pool that a program opens, see `loadModel`. */
  private opener<O>(open: (options?: O) => Promise<{ loadModel: unknown }>): typeof open {
    return async (options) => {
      const opened = await open(options);
      const load = opened.loadModel as Flow['loadModel'];
      opened.loadModel = this.loadModel(load.bind(opened) as Flow['loadModel']);
      return opened;
    };
  }

  private print(level: Line['level'], values: unknown[]): void {
    if (this.printed++ > maxLines) return;
    const text =
      this.printed > maxLines
        ? `… Only the first ${maxLines} lines are shown.`
        : values.map((value) => printable(value, this.inspect)).join(' ');
    post({ kind: 'printed', id: this.current, line: { level, text } });
  }
}

function printable(value: unknown, inspect: Inspect): string {
  if (typeof value === 'string') return value;
  const isTensor =
    typeof value === 'object' && value !== null && 'shape' in value && 'dtype' in value;
  const text = isTensor ? String(value) : inspect(value);
  return text.length > 4000 ? `${text.slice(0, 4000)} …` : text;
}

function complaintOf(error: unknown): Complaint {
  const { cause } = (error ?? {}) as Error;
  if (Object.prototype.toString.call(cause) === '[object WebAssembly.Exception]')
    return { name: crash, message: 'The engine of this browser failed; try again.' };
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const line = lineOf(error);
  const { name, message, code } = error as Error & { code?: unknown };
  return {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(line !== undefined && { line }),
  };
}

/** Whether an address names bytes of this worker. */
const isLocal = (address: string): boolean => /^(?:blob|data):/i.test(address);

/**
 * Starts to serve messages. `own` are files that came with the script, by the names that the page
 * has for them. Programs run one at a time, since the seed and the rules of masks are global to the
 * package.
 */
export function serveEngine(
  flow: Flow,
  modules: Modules,
  readers: { [name: string]: Reader },
  inspect: Inspect,
  own: { [name: string]: Uint8Array } = {},
): void {
  const files = new RemoteFiles((message) => post(message), own);
  // The build writes this name in place of `import` of the package's chunks.
  Object.assign(globalThis, { importChunk: (path: string) => files.importChunk(path) });
  const engine = new Engine(flow, modules, readers, files, inspect);
  // The worker may start before the page's script, so it reports only when the page listens.
  let setUp: () => void = () => {};
  const isSetUp = new Promise<void>((resolve) => {
    setUp = resolve;
  });
  // Every program waits until the core is ready.
  let turn: Promise<unknown> = start(flow);
  turn = Promise.all([turn, isSetUp]).then(([started]) => post(started as FromEngine));
  const receive = (message: ToEngine) => {
    if (message.kind === 'setup') {
      files.setUp(message);
      setUp();
    } else if (message.kind === 'file') files.receive(message);
    else if (message.kind === 'control') engine.control(message);
    else turn = turn.then(() => engine.handle(message));
  };
  addEventListener('message', ({ data, ports: [port] }: MessageEvent<ToEngine>) => {
    if (!port) return receive(data);
    post = (message) => port.postMessage(message);
    port.onmessage = (event: MessageEvent<ToEngine>) => receive(event.data);
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
