// SPDX-License-Identifier: MIT
// Three common questions about masks, whose answers tests/web/examples.test.js checks.
import { deserializeLayer, layers, Model, ops, tensor } from '../../dist/index.js';
import { worstDifference } from './guide.js';

/** Shows question C3: an explicit mask, or the mask that is attached to the tensor. */
export class MaskedModel extends Model {
  constructor(masking, lstm) {
    super();
    this.masking = masking;
    this.lstm = lstm;
  }
  call(inputs, { mask }) {
    const x = this.masking.apply(inputs);
    return this.lstm.apply(x, mask === null ? {} : { mask });
  }
}

/** Returns data (4, 10, 5) whose rows have 3, 7, 5 and 2 steps, followed by zeros. */
function lengthsData() {
  const lengths = [3, 7, 5, 2];
  const step = (row, t) =>
    Array.from({ length: 5 }, (_, f) =>
      t < lengths[row] ? Math.sin(1 + row * 50 + t * 5 + f) : 0,
    );
  return tensor(lengths.map((_, row) => Array.from({ length: 10 }, (_, t) => step(row, t))));
}

export const questions = [
  {
    id: 'A',
    run: () => {
      const data = tensor([
        [
          [1, 2, 0],
          [3, 0, 4],
          [5, 6, 7],
        ],
        [
          [8, 9, 0],
          [0, 1, 2],
          [3, 4, 5],
        ],
      ]);
      const layer = layers.masking({ maskValue: 0 });
      const withRow = tensor([
        [
          [1, 2, 0],
          [0, 0, 0],
          [5, 6, 7],
        ],
      ]);
      const joint = layer.applyWithMask(withRow);
      return {
        allKept: layer.applyWithMask(data).mask,
        oneMasked: joint.mask,
        output: joint.output,
        maskAlone: layer.computeMask(withRow),
        minusOne: layers.masking({ maskValue: -1 }).applyWithMask(
          tensor([
            [
              [-1, -1],
              [-1, 0],
              [0, 0],
            ],
          ]),
        ),
        half: layers.masking({ maskValue: 0.5 }).applyWithMask(
          tensor([
            [
              [0.5, 0.5],
              [0.5, 1],
              [0, 0],
            ],
          ]),
        ).mask,
        notANumber: deserializeLayer({
          class_name: 'Masking',
          config: { mask_value: Number.NaN },
        }).applyWithMask(
          tensor([
            [
              [Number.NaN, Number.NaN],
              [1, 2],
            ],
          ]),
        ).mask,
        integers: layers.masking({ maskValue: 0 }).applyWithMask(
          tensor(
            [
              [
                [0, 0],
                [0, 3],
              ],
            ],
            { dtype: 'int32' },
          ),
        ),
      };
    },
  },
  {
    id: 'B',
    run: () => {
      const ids = tensor(
        [
          [1, 2, 0, 0],
          [3, 4, 5, 0],
        ],
        { dtype: 'int32' },
      );
      const x = layers.embedding({ inputDim: 100, outputDim: 32, maskZero: true }).apply(ids);
      const changed = {
        plusOne: ops.add(x, 1),
        timesMask: ops.multiply(x, ops.expandDims(ops.cast(ops.notEqual(ids, 0), 'float32'), -1)),
        zeros: ops.zerosLike(x),
      };
      const rnns = {
        LSTM: layers.lstm({ units: 64 }),
        GRU: layers.gru({ units: 64 }),
        SimpleRNN: layers.simpleRNN({ units: 64 }),
      };
      const found = { masks: Object.values(changed).map((y) => y.mask), differences: {} };
      for (const [name, rnn] of Object.entries(rnns)) {
        const masked = rnn.apply(x);
        found.differences[name] = Object.fromEntries(
          Object.entries(changed).map(([how, y]) => [
            how,
            {
              lost: worstDifference(masked, rnn.apply(y)),
              putBack: worstDifference(masked, rnn.apply(y.withMask(x.mask))),
            },
          ]),
        );
      }
      return found;
    },
  },
  {
    id: 'C',
    run: () => {
      const data = lengthsData();
      const masking = layers.masking();
      const lstm = layers.lstm({ units: 10, returnSequences: true });
      const explicit = tensor(
        [3, 7, 5, 2].map((n) => Array.from({ length: 10 }, (_, t) => t < n - 1)),
        { dtype: 'bool' },
      );
      const attached = lstm.apply(masking.apply(data));
      const overridden = lstm.apply(masking.apply(data), { mask: explicit });
      const distributed = layers
        .timeDistributed({ layer: layers.dense({ units: 3 }) })
        .apply(masking.apply(data));
      const zeroed = layers.lstm({ units: 10, returnSequences: true, zeroOutputForMask: true });
      const model = new MaskedModel(masking, lstm);
      const rows = attached.array();
      return {
        C1: {
          shape: attached.shape,
          overriddenMask: overridden.mask,
          differs: worstDifference(attached, overridden),
        },
        repeats: rows[3][9].every((x, i) => x === rows[3][1][i]),
        zeros: zeroed
          .apply(masking.apply(data))
          .array()[3][9]
          .every((x) => x === 0),
        C2: {
          inner: distributed.shape,
          mask: distributed.mask.shape,
          outer: layers.lstm({ units: 10, returnSequences: true }).apply(distributed).shape,
        },
        C3: {
          attachedDiffers: worstDifference(model.apply(data), attached),
          explicitDiffers: worstDifference(model.apply(data, { mask: explicit }), overridden),
        },
      };
    },
  },
];
