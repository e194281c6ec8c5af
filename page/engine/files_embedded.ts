// SPDX-License-Identifier: MIT
// Replaces files_served.ts in the classic script: a page opened from a folder cannot fetch files,
// so that script contains the workers and models.
import addingRecorded from '../../tests/fixtures/trained/adding.json';
import adding from '../../tests/fixtures/trained/adding.keras';
import bracketsRecorded from '../../tests/fixtures/trained/brackets.json';
import brackets from '../../tests/fixtures/trained/brackets.keras';
import prefixes from '../../tests/fixtures/trained/prefixes.keras';
import sensorRecorded from '../../tests/fixtures/trained/sensor.json';
import sensor from '../../tests/fixtures/trained/sensor.keras';
import script from 'engine-text';
import cases from 'page-cases';
import translator from 'port-text';
import type { FileName } from './names.js';
import type { Kind } from './protocol.js';

export const top = (): string => new URL('.', document.baseURI).href;

/** Undefined: all programs of a page from a folder run in a frame. */
export const firstWorker = (): Worker | undefined => undefined;

/** Returns one script for all kinds of workers: the training entry contains all others. */
export const engineScript = async (_kind: Kind): Promise<string> => script;

/** The script of the worker that translates Python programs. */
export const portScript = async (): Promise<string> => translator;

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const files: { [name: string]: Uint8Array } = {
  'models/adding.keras': adding,
  'models/brackets.keras': brackets,
  'models/prefixes.keras': prefixes,
  'models/sensor.keras': sensor,
  'models/adding.json': json(addingRecorded),
  'models/brackets.json': json(bracketsRecorded),
  'models/sensor.json': json(sensorRecorded),
  'models/cases.json': json(cases),
};

export async function readFile(name: FileName): Promise<Uint8Array> {
  const bytes = files[name];
  if (!bytes) throw new Error(`${name} is not in this page.`);
  return bytes;
}
