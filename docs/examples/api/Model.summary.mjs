// SPDX-License-Identifier: MIT
import { Input, layers, Model, ready } from 'maskflow';

await ready();
const ids = Input({ shape: [null], dtype: 'int32', name: 'ids' });
const options = { inputDim: 10, outputDim: 4, maskZero: true };
const embedding = layers.embedding({ ...options, name: 'embedding' });
const lstm = layers.lstm({ units: 2, name: 'lstm' });
const outputs = lstm.apply(embedding.apply(ids));
new Model({ inputs: ids, outputs, name: 'counter' }).summary();
// → Model: "counter"
// → Layer (type)           Output shape     Params  Mask  Connected to
// → ─────────────────────────────────────────────────────────────────────────
// → ids (InputLayer)       (None, None)     0       –
// → embedding (Embedding)  (None, None, 4)  40      ✓     ids
// → NotEqual (NotEqual)    (None, None)     0       –     ids
// → lstm (LSTM)            (None, 2)        56      –     embedding, NotEqual
// → ─────────────────────────────────────────────────────────────────────────
// → Params: 96 (96 trainable)
