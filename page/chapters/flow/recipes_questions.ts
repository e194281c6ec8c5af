// SPDX-License-Identifier: MIT
// Frequent questions that the shelf cannot express.
import { type Recipe, sines } from './recipe.js';

const jointly: Recipe = {
  js: `const masked = (x, maskValue, dtype = 'float32') => layers.masking({ maskValue }).apply(tensor(x, { dtype }));
const question = [[[1, 2, 0], [3, 0, 4], [5, 6, 7]], [[8, 9, 0], [0, 1, 2], [3, 4, 5]]];
const results = {
  'mask_value 0': masked(question, 0),
  'mask_value 0, a step of zeros': masked([[[1, 2, 0], [0, 0, 0], [5, 6, 7]]], 0),
  'mask_value -1': masked([[[-1, -1], [-1, 0], [0, 0]]], -1),
  'mask_value 0.5': masked([[[0.5, 0.5], [0.5, 1], [0, 0]]], 0.5),
  // Files may contain such a layer; layers.masking() refuses it.
  'mask_value NaN': deserializeLayer({ class_name: 'Masking', config: { mask_value: NaN } }).apply(tensor([[[NaN, NaN], [NaN, 1], [1, 2]]])),
  'mask_value 0, whole numbers': masked([[[0, 0], [0, 3], [1, 2]]], 0, 'int32'),
  'computeMask alone': layers.masking({ maskValue: 0 }).computeMask(tensor([[[1, 2, 0], [0, 0, 0], [5, 6, 7]]])),
};`,
  py: `def masked(x, mask_value, dtype="float32"):
    return keras.layers.Masking(mask_value=mask_value)(np.array(x, dtype))

nan = float("nan")
question = [[[1, 2, 0], [3, 0, 4], [5, 6, 7]], [[8, 9, 0], [0, 1, 2], [3, 4, 5]]]
results = {
    "mask_value 0": masked(question, 0),
    "mask_value 0, a step of zeros": masked([[[1, 2, 0], [0, 0, 0], [5, 6, 7]]], 0),
    "mask_value -1": masked([[[-1, -1], [-1, 0], [0, 0]]], -1),
    "mask_value 0.5": masked([[[0.5, 0.5], [0.5, 1], [0, 0]]], 0.5),
    "mask_value NaN": masked([[[nan, nan], [nan, 1], [1, 2]]], nan),
    "mask_value 0, whole numbers": masked([[[0, 0], [0, 3], [1, 2]]], 0, "int32"),
    "computeMask alone": keras.layers.Masking().compute_mask(np.array([[[1, 2, 0], [0, 0, 0], [5, 6, 7]]], "float32")),
}`,
};

const readings = {
  js: `const reading = (b, t, f) => Math.sin(1 + 50 * b + 5 * t + f);
const data = tensor([3, 7, 5, 2].map((n, b) => Array.from({ length: 10 }, (_, t) =>
  [0, 1, 2, 3, 4].map((f) => (t < n ? reading(b, t, f) : 0)))));
const mask = tensor([3, 7, 5, 2].map((n) => Array.from({ length: 10 }, (_, t) => t < n - 1)), { dtype: 'bool' });
${sines.js}`,
  py: `reading = lambda b, t, f: np.sin(1 + 50 * b + 5 * t + f)
data = np.array([[[reading(b, t, f) if t < n else 0 for f in range(5)]
                  for t in range(10)] for b, n in enumerate([3, 7, 5, 2])], "float32")
mask = np.array([[t < n - 1 for t in range(10)] for n in [3, 7, 5, 2]])
${sines.py}`,
};

const explicit: Recipe = {
  js: `${readings.js}
const [masking, lstm] = [layers.masking(), layers.lstm({ units: 10, returnSequences: true })];
const [inputs, other] = [Input({ shape: [10, 5] }), Input({ shape: [10], dtype: 'bool' })];
const outputs = lstm.apply(masking.apply(inputs), { mask: other });
const model = new Model({ inputs: [inputs, other], outputs });
model.setWeights(sines(model.getWeights()));
const models = { 'an explicit mask': [model, [data, mask]] };
const results = { 'attached mask': lstm.apply(masking.apply(data)), 'explicit mask': lstm.apply(masking.apply(data), { mask }) };`,
  py: `${readings.py}
masking, lstm = keras.layers.Masking(), keras.layers.LSTM(10, return_sequences=True)
lstm.build((None, 10, 5))
lstm.set_weights(sines(lstm.get_weights()))
results = {"attached mask": lstm(masking(data)), "explicit mask": lstm(masking(data), mask=mask)}`,
};

const subclass: Recipe = {
  js: `class MaskedModel extends Model {
  constructor() {
    super();
    this.masking = layers.masking();
    this.lstm = layers.lstm({ units: 10, returnSequences: true });
  }
  call(x, { mask }) {
    const masked = this.masking.apply(x);
    return this.lstm.apply(masked, mask ? { mask } : {});
  }
}
${readings.js}
const model = new MaskedModel();
model.apply(data);
model.setWeights(sines(model.getWeights()));
const models = { 'MaskedModel': [model, data] };
const results = { 'attached mask': model.apply(data), 'explicit mask': model.apply(data, { mask }) };`,
  py: `class MaskedModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.masking = keras.layers.Masking()
        self.lstm = keras.layers.LSTM(10, return_sequences=True)

    def call(self, x, mask=None):
        masked = self.masking(x)
        return self.lstm(masked) if mask is None else self.lstm(masked, mask=mask)

${readings.py}
model = MaskedModel()
model(data)
model.set_weights(sines(model.get_weights()))
results = {"attached mask": model(data), "explicit mask": model(data, mask=mask)}`,
};

export const questionRecipes = { A: jointly, C1: explicit, C3: subclass };
