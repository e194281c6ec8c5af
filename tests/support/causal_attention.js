// SPDX-License-Identifier: MIT
// Causal attention layers, and decoders built from them, for streams.

/**
 * Returns makers, by name, of self-attention over 4 features per step. Each accepts the options of
 * the call.
 */
export function causalAttention({ Input, layers, Model }) {
  const list =
    (make) =>
    (options = {}) => {
      const x = Input({ shape: [null, 4] });
      const outputs = make().apply([x, x], { useCausalMask: true, ...options });
      return new Model({ inputs: x, outputs });
    };
  const heads =
    (make) =>
    (options = {}) => {
      const x = Input({ shape: [null, 4] });
      const call = { useCausalMask: true, ...options };
      return new Model({ inputs: x, outputs: make().apply({ query: x, value: x }, call) });
    };
  const mha = (config) =>
    heads(() => layers.multiHeadAttention({ numHeads: 2, keyDim: 3, ...config }));
  return {
    Attention: list(() => layers.attention({ useScale: true })),
    'Attention, concat': list(() => layers.attention({ scoreMode: 'concat' })),
    AdditiveAttention: list(() => layers.additiveAttention()),
    MultiHeadAttention: mha({ valueDim: 5 }),
    'MultiHeadAttention, dropout': mha({ dropout: 0.1 }),
    'MultiHeadAttention, gate': mha({ useGate: true }),
    'MultiHeadAttention, sliding window': mha({ slidingWindow: 3 }),
    'MultiHeadAttention, other output': mha({ outputShape: [2, 3] }),
    GroupQueryAttention: heads(() =>
      layers.groupQueryAttention({ headDim: 3, numQueryHeads: 4, numKeyValueHeads: 2 }),
    ),
  };
}

/**
 * A decoder of `blocks` blocks. Inputs are token ids and positions, which begin at 1 (0 is
 * padding); outputs are scores of the next token. `kind` is the kind of attention; `maskZero` makes
 * the embeddings create masks.
 */
export function decoder(
  { Input, layers, Model },
  {
    kind = 'multi',
    blocks = 2,
    width = 16,
    maskZero = true,
    dropout = 0.1,
    words = 30,
    steps = 64,
  } = {},
) {
  // Makes embeddings as large as trained ones. With the default of 0.05, LayerNormalization would
  // enlarge each rounding error twentyfold.
  const embeddingsInitializer = { class_name: 'RandomNormal', config: { stddev: 1 } };
  const embedding = (inputDim) =>
    layers.embedding({ inputDim, outputDim: width, maskZero, embeddingsInitializer });
  const attend = (x) => {
    const call = { useCausalMask: true };
    if (kind === 'list') return layers.attention({ useScale: true }).apply([x, x], call);
    const layer =
      kind === 'multi'
        ? layers.multiHeadAttention({ numHeads: 4, keyDim: width / 4, dropout })
        : layers.groupQueryAttention({
            headDim: width / 4,
            numQueryHeads: 4,
            numKeyValueHeads: 2,
            dropout,
          });
    return layer.apply({ query: x, value: x }, call);
  };
  const tokens = Input({ shape: [null], dtype: 'int32', name: 'tokens' });
  const positions = Input({ shape: [null], dtype: 'int32', name: 'positions' });
  const add = (list) => layers.add().apply(list);
  let x = add([embedding(words).apply(tokens), embedding(steps + 1).apply(positions)]);
  for (let i = 0; i < blocks; i++) {
    x = add([x, attend(layers.layerNormalization().apply(x))]);
    const inner = layers.dense({ units: 2 * width, activation: 'gelu' });
    const normal = layers.layerNormalization().apply(x);
    x = add([x, layers.dense({ units: width }).apply(inner.apply(normal))]);
  }
  const last = layers.layerNormalization().apply(x);
  const outputs = layers
    .einsumDense({ equation: 'btd,dw->btw', outputShape: [null, words] })
    .apply(last);
  return new Model({ inputs: [tokens, positions], outputs });
}
