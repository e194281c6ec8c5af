// SPDX-License-Identifier: MIT
// The work of the command `maskflow port`: reading, notes, running.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FormatError } from '../src/base/errors.js';
import { type Ported, port, PortError } from '../src/port.js';
import { readBytes } from './files.js';
import { printError } from './print.js';

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Translates a file and prints its notes to standard error. */
export async function portFile(path: string, isTraced: boolean): Promise<Ported> {
  const source = new TextDecoder().decode(await readBytes(path));
  const ported = translated(path, source, isTraced);
  for (const { line, column, kind, text } of ported.notes) {
    printError(`${nameOf(path)}:${line}:${column}: ${kind}: ${text}`);
  }
  return ported;
}

function translated(path: string, source: string, isTraced: boolean): Ported {
  try {
    return port(source, { filename: path, trace: isTraced });
  } catch (error) {
    if (error instanceof PortError) throw new FormatError(`${nameOf(path)}: ${error.message}`);
    throw error;
  }
}

/** Files of the package by the names that programs import. */
const entries: { readonly [name: string]: string } = {
  maskflow: './index.js',
  'maskflow/train': './train.js',
  'maskflow/text': './text.js',
};

/** Replaces the names in the imports of a translated program by addresses of files. */
function withAddresses(code: string, folder: string): string {
  return code.replace(/^(import .*|\}) from '([^']+)';$/gm, (all, head: string, name: string) => {
    const file = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (file) return `${head} from '${new URL(file, import.meta.url)}';`;
    return name.startsWith('./') ? `${head} from '${pathToFileURL(join(folder, name))}';` : all;
  });
}

/** Runs a translated program. An error names the line of the Python program. */
export async function runPorted(path: string, { code, lines }: Ported): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-port-'));
  const file = join(folder, 'program.mjs');
  const source = path === '-' ? process.cwd() : dirname(resolve(path));
  try {
    writeFileSync(file, withAddresses(code, source));
    await import(String(pathToFileURL(file)));
  } catch (error) {
    const { message, stack = '' } = error as Error;
    const [, text] = /program\.mjs:(\d+)/.exec(stack) ?? [];
    const line = text && lineBefore(lines, Number(text));
    throw new FormatError(`${nameOf(path)}${line ? `, line ${line}` : ''}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the line of the source of a line of the program, or of the nearest one before it. */
function lineBefore(lines: readonly (number | null)[], at: number): number | undefined {
  for (let i = at - 1; i >= 0; i--) if (typeof lines[i] === 'number') return lines[i] as number;
  return undefined;
}
