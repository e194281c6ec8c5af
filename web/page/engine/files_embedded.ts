// SPDX-License-Identifier: MIT
// In place of files_served.ts in the classic script: a page opened from a folder may fetch nothing, so workers and models are in it.
import adding from '../../../tests/fixtures/trained/adding.keras';
import brackets from '../../../tests/fixtures/trained/brackets.keras';
import sensor from '../../../tests/fixtures/trained/sensor.keras';
import script from 'engine-text';

/** One script serves all: the entry that trains has what the others have. */
export function engineScript(): Worker {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(address);
}

export const files = (): { [name: string]: Uint8Array } => ({
  'models/adding.keras': adding,
  'models/brackets.keras': brackets,
  'models/sensor.keras': sensor,
});
