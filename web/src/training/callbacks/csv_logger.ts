// SPDX-License-Identifier: MIT
// The callback `callbacks.csvLogger`. The lines of an earlier training stay in the file until this
// one has a line.
import { checkOptions, refuse, checkText } from '../../base/check.js';
import { csvCell } from '../../base/csv_cell.js';
import { ConfigError, StateError, UnsupportedError } from '../../base/errors.js';
import { nodeModule } from '../../engine/node_module.js';
import type { Logs } from '../../model/train_options.js';
import { type AppendingFiles, appendWhole } from './append_whole.js';
import { Callback } from './callback.js';

/** Options of {@link CSVLogger}. */
export interface CSVLoggerOptions {
  /** Text between cells. Default: ','. */
  separator?: string;
  /** Whether to append to an existing file. Default: false, which replaces it. */
  append?: boolean;
}

/** Destination of the lines. */
interface Lines {
  begin(append: boolean): { header: boolean };
  add(line: string): unknown;
}

function fileLines(path: string): Lines {
  const files = nodeModule<AppendingFiles>('node:fs');
  if (!files) {
    throw new UnsupportedError(
      `'${path}' cannot be written because there is no disk; give a function that receives lines`,
    );
  }
  const problem = (error: unknown): StateError =>
    new StateError(
      `csvLogger cannot write '${path}' (${(error as Error).message}); give a path in an existing folder`,
    );
  let replaces = false;
  return {
    // The lines of an earlier training stay until the first line of this one.
    begin(append) {
      try {
        files.appendFileSync(path, '');
        const facts = files.statSync(path);
        replaces = !append && facts.isFile() && facts.size > 0;
        return { header: !append || facts.size === 0 };
      } catch (error) {
        throw problem(error);
      }
    },
    async add(line) {
      try {
        if (!replaces) return appendWhole(files, path, line);
        const { replaceFile } = await import('../../engine/replace_file.js');
        await replaceFile(path, [new TextEncoder().encode(line)]);
        replaces = false;
      } catch (error) {
        throw problem(error);
      }
    },
  };
}

/** Receives a line of a file. */
export type LineSink = (line: string) => unknown;

/** Writes the numbers of each epoch as a line of CSV, like Keras's CSVLogger. */
export class CSVLogger extends Callback {
  readonly #lines: Lines;
  readonly #separator: string;
  readonly #append: boolean;
  #header = true;
  #keys: string[] | null = null;

  /** @param to A path in Node, or a function that receives each line. */
  constructor(to: string | LineSink, options: CSVLoggerOptions = {}) {
    super();
    const { separator = ',', append = false } = checkOptions(options, { separator: 1, append: 1 });
    checkText(separator, 'separator');
    if (typeof to === 'function') {
      this.#lines = { begin: () => ({ header: true }), add: to };
    } else {
      if (typeof to !== 'string')
        refuse(
          'the first argument of csvLogger',
          "a path or a function: callbacks.csvLogger('log.csv')",
          to,
          ConfigError,
        );
      this.#lines = fileLines(to);
    }
    this.#separator = separator;
    this.#append = append;
  }

  /** Creates the file, or continues the existing one with `append`. */
  override onTrainBegin(): void {
    this.#header = this.#lines.begin(this.#append).header;
    this.#keys = null;
  }

  /** Writes a line, and before the first one a line with the names. */
  override async onEpochEnd(epoch: number, logs: Logs): Promise<void> {
    if (!this.#keys) {
      const keys = Object.keys(logs).sort();
      // Includes columns for a later validation, because columns cannot be added to a file.
      const hasValidation = keys.some((key) => key.startsWith('val_'));
      this.#keys = hasValidation ? keys : [...keys, ...keys.map((key) => `val_${key}`)];
      if (this.#header) await this.#add(['epoch', ...this.#keys]);
    }
    await this.#add([epoch, ...this.#keys.map((key) => logs[key] ?? 'NA')]);
  }

  async #add(cells: readonly (string | number | number[])[]): Promise<void> {
    const texts = cells.map((cell) => {
      if (typeof cell === 'string') return csvCell(cell, this.#separator);
      return Array.isArray(cell) ? `"[${cell.join(', ')}]"` : `${cell}`;
    });
    await this.#lines.add(`${texts.join(this.#separator)}\r\n`);
  }
}
