// SPDX-License-Identifier: MIT
// Where the bytes of a command go: standard output, another descriptor, or a file.
import {
  accessSync,
  constants,
  createWriteStream,
  fstatSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { FormatError } from '../src/base/errors.js';
import { Replacement } from '../src/engine/replace_file.js';
import { descriptorOf } from './descriptors.js';
import { systemError } from './system_text.js';

/** Receives bytes in order. */
export interface ByteOutput {
  /** Writes bytes; resolves when more may be written. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Completes the output. */
  end(): Promise<void>;
  /** Ends the output after an error. A file then stays as it was. */
  discard(): Promise<void>;
}

const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev;

/** The facts about the file behind a path or a descriptor; undefined without one. */
function factsOf(path: string, standard: number): Stats | undefined {
  const descriptor = path === '-' ? standard : path === '/dev/stdin' ? 0 : descriptorOf(path);
  try {
    return descriptor === null ? statSync(path) : fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/**
 * Throws FormatError if a file cannot be written, if it exists and `force` is false, or if an open
 * descriptor writes to the file that is read. Called before a long run, and changes nothing.
 */
export function checkOutput(path: string, force: boolean, input?: string): void {
  if (descriptorOf(path) !== null) {
    if (input !== undefined) checkOtherFile(path, input);
    return;
  }
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) throw new FormatError(`${path} is a folder, not a file`);
  if (facts?.isFile() && !force) {
    throw new FormatError(`${path} already exists; use --force to replace it`);
  }
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FormatError(`${path}: the folder '${folder}' does not exist`);
  }
  if (facts && !facts.isFile()) return;
  try {
    if (facts) accessSync(path, constants.W_OK);
    else accessSync(folder, constants.W_OK);
  } catch (error) {
    throw systemError(path, error as NodeJS.ErrnoException);
  }
}

/** Throws FormatError if the output is the input: the command would read its own results. */
function checkOtherFile(path: string, input: string): void {
  const [from, to] = [factsOf(input, 0), factsOf(path, 1)];
  if (!from?.isFile() || !to?.isFile() || !isSame(from, to)) return;
  throw new FormatError(
    'the output is the file that is read; write to another file, or use --output with its name and --force',
  );
}

/** Opens an output by its path, `-` or the name of a descriptor. */
export async function openOutput(path: string): Promise<ByteOutput> {
  const descriptor = descriptorOf(path);
  if (descriptor === 1) return new StreamOutput(process.stdout, path, true);
  if (descriptor !== null) {
    const stream = createWriteStream('', { fd: descriptor, autoClose: false });
    return new StreamOutput(stream, path, false);
  }
  return FileOutput.open(path);
}

/** Standard output, whose errors the program handles, or another open descriptor. */
class StreamOutput implements ByteOutput {
  readonly #stream: Writable;
  readonly #isStandard: boolean;
  #problem: Error | undefined;

  constructor(stream: Writable, path: string, isStandard: boolean) {
    this.#stream = stream;
    this.#isStandard = isStandard;
    if (isStandard) return;
    stream.on('error', (error) => {
      this.#problem ??= systemError(path, error);
    });
  }

  async write(bytes: Uint8Array | string): Promise<void> {
    if (this.#problem) throw this.#problem;
    if (this.#stream.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stream.off('drain', done);
        this.#stream.off('close', done);
        this.#stream.off('error', done);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) this.#stream.on(event, done);
    });
    if (this.#problem) throw this.#problem;
  }

  async end(): Promise<void> {
    if (this.#isStandard) return;
    await new Promise<void>((resolve) => {
      this.#stream.once('error', resolve);
      this.#stream.end(resolve);
    });
    if (this.#problem) throw this.#problem;
  }

  async discard(): Promise<void> {}
}

/** Temporary files that a signal removes. */
const temporary = new Set<string>();
const kSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function removeTemporary(): void {
  for (const path of temporary) rmSync(path, { force: true });
}

function onSignal(signal: NodeJS.Signals): void {
  removeTemporary();
  unwatch();
  process.kill(process.pid, signal);
}

function watch(): void {
  process.on('exit', removeTemporary);
  for (const signal of kSignals) process.on(signal, onSignal);
}

function unwatch(): void {
  process.off('exit', removeTemporary);
  for (const signal of kSignals) process.off(signal, onSignal);
}

/** A file that is replaced at the end, or a device or a pipe with a name. */
export class FileOutput implements ByteOutput {
  readonly #path: string;
  readonly #file: Replacement;

  private constructor(path: string, file: Replacement) {
    this.#path = path;
    this.#file = file;
    if (temporary.size === 0) watch();
    if (file.temporary !== null) temporary.add(file.temporary);
  }

  /** Opens a file. Throws FormatError with the reason of the system. */
  static async open(path: string): Promise<FileOutput> {
    try {
      return new FileOutput(path, await Replacement.begin(path));
    } catch (error) {
      throw systemError(path, error as NodeJS.ErrnoException);
    }
  }

  write(bytes: Uint8Array | string, position: number | null = null): Promise<void> {
    const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    return this.#attempt(this.#file.write(data, position));
  }

  async end(): Promise<void> {
    try {
      await this.#attempt(this.#file.commit());
    } finally {
      this.#forget();
    }
  }

  async discard(): Promise<void> {
    await this.#file.discard();
    this.#forget();
  }

  #forget(): void {
    if (this.#file.temporary !== null) temporary.delete(this.#file.temporary);
    if (temporary.size === 0) unwatch();
  }

  async #attempt(act: Promise<void>): Promise<void> {
    try {
      await act;
    } catch (error) {
      throw systemError(this.#path, error as NodeJS.ErrnoException);
    }
  }
}
