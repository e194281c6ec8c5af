// SPDX-License-Identifier: MIT
// Replays modules that real PyTorch recorded: each file of a case must have its numbers.
const kFloat = { relative: 1e-5, absolute: 2e-6 };
const kHalf = { relative: 2e-2, absolute: 2e-2 };

const arrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

function arrayOf({ dtype, data }) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  return new arrays[dtype](bytes.buffer);
}

const toCamel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const inCamel = (config) =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [toCamel(name), value]));

/** Returns the mask [batch, time] of the lengths. */
function maskOf(lengths, time) {
  return lengths.map((length) => Array.from({ length: time }, (_, step) => step < length));
}

/** Returns whether each element of an array is in a kept step. */
function keptElements({ shape: [batch, time, ...rest] }, lengths) {
  const size = rest.reduce((product, dim) => product * dim, 1);
  const kept = [];
  for (let row = 0; row < batch; row++) {
    for (let step = 0; step < time; step++) {
      for (let i = 0; i < size; i++) kept.push(step < lengths[row]);
    }
  }
  return kept;
}

/** Returns null, or where a tensor differs from the recorded array. */
function difference(actual, expected, { relative, absolute }, kept) {
  if (String(actual.shape) !== String(expected.shape)) {
    return `the shape is [${actual.shape}], not [${expected.shape}]`;
  }
  const [numbers, wanted] = [actual.data(), arrayOf(expected)];
  const at = wanted.findIndex(
    (value, i) =>
      (!kept || kept[i]) &&
      !(Math.abs(numbers[i] - value) <= absolute + relative * Math.abs(value)),
  );
  return at < 0 ? null : `element ${at} is ${numbers[at]}, not ${wanted[at]}`;
}

const masked = { isMasked: true };

/**
 * How the layers of each kind of case are made and called. Each returns a list of a name, a tensor,
 * the recorded array, and whether only kept steps count. `layer(path, settings, more)` creates a
 * layer; a module that was saved whole has its settings.
 */
const runs = {
  rnn({ mf, layer }, { config, initial, output, states }, x, mask) {
    const recurrent = layer('', config, { returnState: true });
    const given = initial ? { initialState: stepsOf(mf, initial) } : {};
    const results = [
      recurrent.apply(x, { mask, ...given }),
      recurrent.apply(x.withMask(mask), given),
    ];
    return results.flatMap(([y, ...finals]) => [
      ['output', y, output, masked],
      ...pairs(mf, finals, states),
    ]);
  },
  classifier({ mf, file, layer }, { output }, x) {
    const model = new mf.Sequential([
      layer('embedding', { paddingIdx: 0 }, { maskZero: true }),
      layer('rnn', {}, { returnSequences: false }),
      file.layer('fc'), // the prefix may be left out
    ]);
    return [['predict', model.predict(x), output]];
  },
  tagger({ mf, layer }, { options, output }, x) {
    const model = new mf.Sequential([
      layer('encoder.embed', options.embed, { maskId: options.embed.padding_idx }),
      layer('encoder.rnn'),
      layer('head.0', { ...options.norm, kind: 'LayerNorm' }),
      layer('head.2', { kind: 'Linear' }),
    ]);
    return [['predict', model.predict(x), output, masked]];
  },
  attention({ mf, layer }, { config, output, weights, ...others }, x, mask) {
    const { causal, ...settings } = config;
    const [key = x, value = x] = [others.key, others.value].map(
      (each) => each && tensorOf(mf, each),
    );
    const [y, scores] = layer('', settings, { causal }).apply(
      { query: x, value, key },
      { valueMask: mf.tensor(mask), returnAttentionScores: true },
    );
    return [
      ['output', y, output],
      ['weights', scores, weights],
    ];
  },
  encoder({ layer }, { config: { causal, ...settings }, output }, x, mask) {
    const encoder = layer('', settings, causal === undefined ? {} : { causal });
    return [['output', encoder.apply(x, { mask }), output, masked]];
  },
  conv({ layer }, { config, output }, x) {
    return [['output', layer('', config).apply(x), output]];
  },
  norms({ mf, layer }, { options = {}, output }, x) {
    const model = new mf.Sequential([
      layer('fc', { kind: 'Linear' }),
      layer('ln', { kind: 'LayerNorm', ...options.ln }),
      layer('bn', options.bn),
      layer('act', { kind: 'PReLU', ...options.act }),
    ]);
    layer('em', { kind: 'Embedding' });
    return [['predict', model.predict(x), output]];
  },
};

/** Returns the function `layer` of a run. */
function maker(file, { prefix }, isWhole) {
  return (path, settings = {}, more = {}) =>
    file.layer([prefix, path].filter(Boolean).join('.'), {
      ...(!isWhole && inCamel(settings)),
      ...more,
    });
}

/** PyTorch has states [layers * directions, batch, units] of h and c; the package has a list. */
function stepsOf(mf, states) {
  const [count, batch, units] = states[0].shape;
  return Array.from({ length: count }, (_, i) =>
    states.map((state) =>
      mf.tensor(arrayOf(state).slice(i * batch * units, (i + 1) * batch * units), {
        shape: [batch, units],
      }),
    ),
  ).flat();
}

function pairs(mf, finals, states) {
  return stepsOf(mf, states).map((expected, i) => {
    const data = Buffer.from(expected.data().buffer).toString('base64');
    return [`state ${i}`, finals[i], { dtype: 'float32', shape: expected.shape, data }];
  });
}

const tensorOf = (mf, recorded) =>
  mf.tensor(arrayOf(recorded), { shape: recorded.shape, dtype: recorded.dtype });

const wholeFiles = ['model_full.pth', 'module', 'old module'];

/**
 * Returns null, or how the layers of a file differ from PyTorch's. `mf` is `maskflow/torch`, `name`
 * that of the file in the case, and `source` its bytes or its path.
 */
export async function torchDifference(mf, recorded, name, source) {
  const file = await mf.readTorch(source);
  const missing = Object.keys(recorded.names).filter((each) => !file.names.includes(each));
  if (missing.length > 0) return `the names ${missing} are missing from ${file.names}`;
  const { kind, x: input, lengths, dtype } = recorded;
  const layer = maker(file, recorded, wholeFiles.includes(name));
  return mf.tidy(() => {
    // Attention has the lengths of its keys.
    const time = (recorded.key ?? input).shape[1];
    const mask = lengths && maskOf(lengths, time);
    const results = runs[kind]({ mf, file, layer }, recorded, tensorOf(mf, input), mask);
    for (const [what, actual, expected, { isMasked = false } = {}] of results) {
      const kept = isMasked && lengths ? keptElements(expected, lengths) : undefined;
      const found = difference(actual, expected, dtype ? kHalf : kFloat, kept);
      if (found) return `${what}: ${found}`;
    }
    return null;
  });
}

/** Like `torchDifference`, for all files of a case that has them in base64. */
export async function torchCaseDifference(mf, recorded) {
  for (const [name, content] of Object.entries(recorded.files)) {
    const bytes = Uint8Array.from(Buffer.from(content, 'base64'));
    const found = await torchDifference(mf, recorded, name, bytes);
    if (found) return `${name}: ${found}`;
  }
  return null;
}
