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

/** Starts a worker of any kind from one script: the training entry contains all others. */
export function engineScript(): Worker {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(address);
}

export const files = (): { [name: string]: Uint8Array } => ({
  'models/adding.keras': adding,
  'models/brackets.keras': brackets,
  'models/prefixes.keras': prefixes,
  'models/sensor.keras': sensor,
  'models/adding.json': json(addingRecorded),
  'models/brackets.json': json(bracketsRecorded),
  'models/sensor.json': json(sensorRecorded),
  'models/cases.json': json(cases),
});

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
