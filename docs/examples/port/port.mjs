// SPDX-License-Identifier: MIT
import { port } from 'maskflow/port';

const { code, notes } = port(`
from keras import layers
lstm = layers.LSTM(32, return_sequences=True, use_cudnn=True)
`);
console.log(code);
console.log(notes[0].line, notes[0].kind);
// → import { layers, ready } from 'maskflow';
// →
// → await ready();
// →
// → const lstm = layers.lstm({ units: 32, returnSequences: true });
// →
// → 3 ignored
