// SPDX-License-Identifier: MIT
import { Input, Model, layers, tensor } from 'maskflow';
import { type Batch, lengthened } from '../shared/batch.js';
import { chain, linksOf } from '../shared/chain.js';
import type { Example } from '../shared/code.js';
import { h } from '../shared/dom.js';
import type { Scene } from '../shared/panel.js';
import { keras, program } from '../shared/program.js';
import { collectWarnings } from '../shared/warnings.js';
import { gap, largestGap, literal, pyLiteral } from '../shared/text.js';
import { vocabularySize } from '../shared/vocabulary.js';
import { MyActivation, spread, spreadJs, spreadPy } from './recipes.js';

const remedy = 'tick `supportsMasking`: relu works on each step by itself, so the mask still fits.';

export function myActivation(scene: Scene): Example {
  const { result, warnings } = collectWarnings(() => draw(scene));
  const heard = h('p', { class: 'label' }, 'The console says');
  const said = warnings.map((warning) => h('p', { class: 'warned' }, warning));
  if (said.length > 0) scene.slot('layer').append(h('div', { class: 'space' }, heard, ...said));
  return result;
}

function draw({ settings, batch, own, put, says }: Scene): Example {
  const supports = settings.flag('supports');
  const inputs = Input({ shape: [null], dtype: 'int32' });
  const embedding = own(
    layers.embedding({
      inputDim: vocabularySize,
      outputDim: 16,
      maskZero: true,
      embeddingsInitializer: spread,
      name: 'embedding',
    }),
  );
  const x = own(new MyActivation(supports)).apply(embedding.apply(inputs));
  const outputs = own(layers.lstm({ units: 4, name: 'lstm' })).apply(x);
  const model = own(new Model({ inputs, outputs }));
  const ids = tensor(batch.ids, { dtype: 'int32' });
  const answer = model.predict(ids);
  const longer = model.predict(tensor(lengthened(batch, 3), { dtype: 'int32' }));
  const change = gap(largestGap(answer.data(), longer.data()));
  put('layer', chain(linksOf(model.traceMasks(ids), remedy)));
  says(
    supports
      ? `The layer opts in, the LSTM gets the mask: 3 more columns of padding change its answer by ${change}.`
      : `The layer has not opted in: the mask ends there, with a warning. 3 more columns of padding change the answer by up to ${change}.`,
  );
  return example(batch, supports, String(answer));
}

function example(batch: Batch, supports: boolean, prints: string): Example {
  return {
    js: program(`class MyActivation extends Layer {
  constructor(config) {
    super(config);
    this.supportsMasking = ${supports};
  }
  call(inputs) {
    return ops.relu(inputs);
  }
}

const inputs = Input({ shape: [null], dtype: 'int32' });
let x = layers.embedding({
  inputDim: ${vocabularySize}, outputDim: 16, maskZero: true,
  embeddingsInitializer: ${spreadJs},
}).apply(inputs);
x = new MyActivation().apply(x);
const model = new Model({ inputs, outputs: layers.lstm({ units: 4 }).apply(x) });

const ids = tensor(${literal(batch.ids)}, { dtype: 'int32' });
console.log(String(model.predict(ids)));`),
    keras: keras(`import numpy as np

class MyActivation(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = ${pyLiteral(supports)}

    def call(self, inputs):
        return keras.ops.relu(inputs)

inputs = keras.Input((None,), dtype="int32")
x = keras.layers.Embedding(
    ${vocabularySize}, 16, mask_zero=True,
    embeddings_initializer=${spreadPy},
)(inputs)
x = MyActivation()(x)
model = keras.Model(inputs, keras.layers.LSTM(4)(x))

print(model.predict(np.array(${pyLiteral(batch.ids)})))`),
    prints,
  };
}
