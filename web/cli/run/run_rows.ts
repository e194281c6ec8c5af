// SPDX-License-Identifier: MIT
// The work of `maskflow run`: reads rows, predicts and writes, in one thread or in several.
import type { Model } from '../../src/index.js';
import { Progress } from '../progress.js';
import { dividedRun } from './divided_run.js';
import { startHelpersFor } from './helpers.js';
import { type InputPlan, type OpenedRows, openRows } from './open_rows.js';
import { partTask, servePart } from './part_worker.js';
import { RowRun, type RunPlan } from './row_run.js';

export type { InputPlan, RunPlan };

/** Shows how far the data was read. */
class Meter {
  readonly #progress: Progress;
  readonly #opened: OpenedRows;
  rows = 0;

  constructor(opened: OpenedRows, isQuiet: boolean) {
    const total = opened.whole?.rows ?? null;
    this.#progress = new Progress(total, 'rows', isQuiet);
    this.#opened = opened;
  }

  add(rows: number): void {
    this.rows += rows;
    const { size, position } = this.#opened.bytes;
    this.#progress.at(this.rows, size ? position / size : null);
  }

  end(): void {
    this.#progress.end();
  }
}

/** Reads rows, predicts and writes, batch by batch. The memory does not depend on their number. */
export async function runRows(model: Model, plan: RunPlan): Promise<void> {
  const task = partTask();
  if (task) return servePart(task, model, plan);
  const opened = await openRows(model, plan.input);
  const meter = new Meter(opened, plan.isQuiet);
  const run = dividedRun(model, plan, opened, meter) ?? oneRun(model, plan, opened, meter);
  try {
    await run.all();
    await run.end();
  } catch (error) {
    await run.discard();
    throw error;
  } finally {
    meter.end();
  }
  run.report();
}

const oneRun = (model: Model, plan: RunPlan, opened: OpenedRows, meter: Meter): RowRun =>
  new RowRun(model, plan, opened, {
    before: async (batch) => void (await startHelpersFor(model, batch, false)),
    after: (rows) => meter.add(rows),
  });
