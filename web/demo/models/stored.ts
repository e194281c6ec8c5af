// SPDX-License-Identifier: MIT
import { type Layer, type Model, type ModelSource, loadModel } from 'maskflow';

/** A model that was loaded, and what loading it took. */
export interface Stored<Notes> {
  model: Model;
  /** Of the model's files together. */
  bytes: number;
  /** From the call until it could be used. */
  milliseconds: number;
  file: string;
  notes: Notes;
}

export interface Wanted<Notes> {
  file: string;
  source(): Promise<ModelSource>;
  /** What belongs to the model, made when it is there. */
  notes(model: Model): Notes | Promise<Notes>;
}

/** One model at a time, by key: asking for another one gives the former back. */
export class Store<Notes> {
  #key = '';
  #abort = new AbortController();
  #stored: Stored<Notes> | undefined;
  #error: unknown;

  /** The model when it is there; else undefined, and `done` is called later. What failed is thrown. */
  get(key: string, wanted: Wanted<Notes>, done: () => void): Stored<Notes> | undefined {
    if (key !== this.#key) {
      this.forget();
      this.#key = key;
      void this.#load(wanted, this.#abort, done);
    }
    if (this.#error !== undefined) throw this.#error;
    return this.#stored;
  }

  get filled(): boolean {
    return this.#stored !== undefined;
  }

  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    if (this.#stored) release(this.#stored.model);
    this.#stored = undefined;
    this.#error = undefined;
    this.#key = '';
  }

  async #load(wanted: Wanted<Notes>, abort: AbortController, done: () => void): Promise<void> {
    try {
      const stored = await load(wanted, abort.signal);
      if (abort.signal.aborted) release(stored.model);
      else this.#stored = stored;
    } catch (error) {
      // A file that nobody waits for any more may fail in silence.
      if (!abort.signal.aborted) this.#error = error ?? new Error('The model could not be loaded');
    }
    if (!abort.signal.aborted) done();
  }
}

async function load<Notes>(wanted: Wanted<Notes>, signal: AbortSignal): Promise<Stored<Notes>> {
  const source = await wanted.source();
  const sizes = new Map<string, number>();
  const before = performance.now();
  const model = await loadModel(source, {
    signal,
    onProgress: ({ file, loaded }) => sizes.set(file, loaded),
  });
  const milliseconds = performance.now() - before;
  try {
    const notes = await wanted.notes(model);
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    return { model, bytes, milliseconds, file: wanted.file, notes };
  } catch (error) {
    release(model);
    throw error;
  }
}

/** The layers that were asked for by name hold their weights, too. */
function release(model: Model): void {
  const layers: Layer[] = model.layers;
  model.dispose();
  for (const layer of layers) layer.dispose();
}
