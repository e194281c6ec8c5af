// SPDX-License-Identifier: MIT
// In place of served.ts in the classic script: a page opened from a folder may fetch nothing.
import addingNotes from '../../../tests/fixtures/trained/adding.json';
import addingModel from '../../../tests/fixtures/trained/adding.keras';
import bracketsNotes from '../../../tests/fixtures/trained/brackets.json';
import bracketsModel from '../../../tests/fixtures/trained/brackets.keras';
import sensorNotes from '../../../tests/fixtures/trained/sensor.json';
import sensorModel from '../../../tests/fixtures/trained/sensor.keras';
import type { ModelSource } from 'maskflow';
import type { StockName } from './served.js';

export type { StockName } from './served.js';

const models = { brackets: bracketsModel, sensor: sensorModel, adding: addingModel };
const notes = { brackets: bracketsNotes, sensor: sensorNotes, adding: addingNotes };

export const stockModel = async (name: StockName): Promise<ModelSource> => ({
  files: [{ name: `${name}.keras`, data: models[name] }],
});
export const stockNotes = async (name: StockName): Promise<unknown> => notes[name];
