// SPDX-License-Identifier: MIT
// `maskflow run` with several threads that each read, compute and write parts of a file:
// docs/internals/threads.md.
import { closeSync, openSync, statSync } from 'node:fs';
import { type Model, runtimeInfo } from '../../src/index.js';
import { readsText } from '../inputs.js';
import type { Batch } from './batcher.js';
import { bytesOf } from './byte_source.js';
import { isNumberChosen, startChosenHelpers, startHelpersFor } from './helpers.js';
import type { OpenedRows } from './open_rows.js';
import { Parts } from './parts.js';
import { type Part, RecordScanner } from './record_scanner.js';
import { outputFormat, RowRun, type RunPlan } from './row_run.js';
import { ByteSink } from './sinks/byte_sink.js';
import { CollectedText } from './sinks/collected_text.js';

/** Least size of a file that `--threads auto` divides: smaller ones end before threads gain. */
const kLeastBytes = 2 ** 25;
/** Least size of a file that a number of threads divides. */
const kLeastChosen = 2 ** 20;
/** Most bytes of the files of models that all further threads load. */
const kMostModels = 2 ** 28;
/** Bytes of the beginning, which each thread computes. */
const kLeastHead = 2 ** 14;
const kMostHead = 2 ** 18;
/** The beginning is the file divided by this number, within the limits above. */
const kHeads = 64;

/** Shows the progress. */
interface Meter {
  add(rows: number): void;
}

/** Number of threads that have room for the model. */
function countThreads({ threads }: RunPlan): number {
  const facts = statSync(threads.files[0] as string, { throwIfNoEntry: false });
  const models = Math.floor(kMostModels / Math.max(1, facts?.size ?? 1));
  return Math.min(runtimeInfo().threads, 1 + models);
}

/** Whether rows of such data can be computed in parts, and the text of parts be put in order. */
function isDivisible(model: Model, plan: RunPlan, opened: OpenedRows): boolean {
  const { input, output, threads, batchSize, onError } = plan;
  const format = outputFormat(plan, opened);
  const isTerminal = output.path === '-' && process.stdout.isTTY === true;
  // Rows that are left out change the numbers of those behind them.
  const areNumbersKnown = output.labels === null || onError !== 'skip';
  const { bun, deno } = process.versions as { bun?: string; deno?: string };
  return (
    !bun &&
    !deno &&
    (opened.bytes.size ?? 0) >= (isNumberChosen() ? kLeastChosen : kLeastBytes) &&
    opened.rows?.part !== undefined &&
    input.encoding === 'utf-8' &&
    ['json', 'jsonl', 'csv', 'table'].includes(format) &&
    threads.state !== null &&
    batchSize !== 0 &&
    !isTerminal &&
    areNumbersKnown &&
    !model.stateful &&
    // Texts are padded to the longest one of a batch.
    !readsText(model) &&
    countThreads(plan) > 1
  );
}

/** The run of a file that threads can divide; null for other data. */
export function dividedRun(
  model: Model,
  plan: RunPlan,
  opened: OpenedRows,
  meter: Meter,
): DividedRun | null {
  if (!isDivisible(model, plan, opened)) return null;
  const file = openSync(plan.input.path, 'r');
  const length = Math.ceil((opened.bytes.size as number) / kHeads);
  const size = Math.min(kMostHead, Math.max(kLeastHead, length));
  const scanner = RecordScanner.open(file, opened.format === 'csv', size);
  const head = scanner?.next(size);
  if (scanner && head) return new DividedRun(model, plan, opened, meter, { file, scanner, head });
  closeSync(file);
  return null;
}

interface DividedFile {
  /** Descriptor of the data. */
  file: number;
  scanner: RecordScanner;
  head: Part;
}

/** Computes the beginning of a file in the main thread, and then parts of it in all threads. */
class DividedRun {
  readonly #plan: RunPlan;
  readonly #opened: OpenedRows;
  readonly #meter: Meter;
  readonly #divided: DividedFile;
  readonly #run: RowRun;
  readonly #text = new CollectedText();
  #output: ByteSink | undefined;
  #hasDecided = false;
  /** Whether the rows have so little work that threads should compute parts. */
  #isSmall = false;
  /** Whether rows are written as soon as they are computed. */
  #isDirect = false;

  constructor(model: Model, plan: RunPlan, opened: OpenedRows, meter: Meter, divided: DividedFile) {
    this.#plan = plan;
    this.#opened = opened;
    this.#meter = meter;
    this.#divided = divided;
    const before = (batch: Batch): Promise<void> => this.#decide(model, batch);
    const after = (rows: number): void => {
      if (this.#isDirect) meter.add(rows);
    };
    this.#run = new RowRun(model, plan, opened, { before, after }, async () => this.#text);
  }

  async #decide(model: Model, batch: Batch): Promise<void> {
    if (this.#hasDecided || batch.rows?.length === 0) return;
    this.#hasDecided = true;
    this.#isSmall = (await startHelpersFor(model, batch, true)) && this.#run.isRowWise(batch);
  }

  /** Computes all rows. */
  async all(): Promise<void> {
    const { file, head, scanner } = this.#divided;
    try {
      await this.#run.part(bytesOf(file, head.from, head.to));
      let row: number | undefined;
      if (this.#isSmall && this.#run.hasBegun) {
        await this.#run.flush();
        row = await this.#inParts();
      } else {
        startChosenHelpers();
      }
      await this.#rest(scanner.rest, row);
    } finally {
      closeSync(file);
    }
  }

  /** Computes parts in all threads; returns the number of rows of the output. */
  async #inParts(): Promise<number> {
    const { output, threads } = this.#plan;
    const parts = new Parts({
      ...this.#divided,
      format: this.#opened.format,
      run: this.#run,
      text: this.#text,
      output: await this.#open(),
      bytes: this.#opened.bytes,
      threads,
      isNumbered: output.labels !== null,
      count: countThreads(this.#plan),
      written: (rows) => this.#meter.add(rows),
    });
    return parts.all();
  }

  /** Computes the rest of the file in this thread, to its end, which may have moved. */
  async #rest({ from, to, start }: Part, row: number | undefined): Promise<void> {
    const output = await this.#open();
    await output.bytes(this.#text.take());
    this.#text.writeTo(output);
    this.#isDirect = true;
    const { bytes } = this.#opened;
    bytes.position = from;
    await this.#run.part(bytes.counted(bytesOf(this.#divided.file, from, to)), start, row);
    await this.#run.flush();
    this.#run.endParts();
  }

  async #open(): Promise<ByteSink> {
    this.#output ??= await ByteSink.open(this.#plan.output.path);
    return this.#output;
  }

  async end(): Promise<void> {
    await this.#run.end();
  }

  /** Ends the output after an error; standard output receives the rows before it. */
  async discard(): Promise<void> {
    const text = this.#text.take();
    if (text.length > 0) await (await this.#open()).bytes(text);
    await this.#output?.discard();
  }

  report(): void {
    this.#run.report();
  }
}
