// SPDX-License-Identifier: MIT
import type { Example } from '../shared/code.js';
import { keras, program } from '../shared/program.js';
import { literal, options as optionsText, pyLiteral } from '../shared/text.js';
import { vocabularySize } from '../shared/vocabulary.js';
import { spreadJs, spreadPy } from './recipes.js';

export interface Options {
  returnSequences: boolean;
  goBackwards: boolean;
  zeroOutputForMask: boolean;
}

export function example(ids: number[], mask: boolean[], options: Options, prints: string): Example {
  const given = optionsText({
    units: 4,
    returnSequences: options.returnSequences || undefined,
    goBackwards: options.goBackwards || undefined,
    zeroOutputForMask: options.zeroOutputForMask || undefined,
  });
  const python = [
    options.returnSequences && ', return_sequences=True',
    options.goBackwards && ', go_backwards=True',
    options.zeroOutputForMask && ', zero_output_for_mask=True',
  ].filter(Boolean);
  return {
    js: program(`const ids = tensor(${literal([ids])}, { dtype: 'int32' });
const mask = ${literal([mask])};
const x = layers.embedding({
  inputDim: ${vocabularySize}, outputDim: 8,
  embeddingsInitializer: ${spreadJs},
}).apply(ids);
const y = layers.lstm(${given}).apply(x, { mask });
console.log(String(y));`),
    keras: keras(`import numpy as np

ids = np.array(${pyLiteral([ids])})
mask = np.array(${pyLiteral([mask])})
x = keras.layers.Embedding(
    ${vocabularySize}, 8, embeddings_initializer=${spreadPy}
)(ids)
print(keras.layers.LSTM(4${python.join('')})(x, mask=mask))`),
    prints,
  };
}
