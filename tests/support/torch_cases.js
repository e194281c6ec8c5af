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

/** How the layers of each kind of case are made and called. `apply` returns [name, tensor] pairs. */
const runs = {
  rnn(mf, file, { config, prefix, initial, output, states }, x, mask) {
    const layer = file.layer(prefix, { ...inCamel(config), returnState: true });
    const initialState = initial && stepsOf(mf, initial);
    const [y, ...finals] = layer.apply(x, { mask, ...(initialState && { initialState }) });
    return [['output', y, output, true], ...pairs(mf, finals, states)];
  },
  classifier(mf, file, { prefix, output }, x) {
    const path = (name) => (prefix ? `${prefix}.${name}` : name);
    const model = new mf.Sequential([
      file.layer(path('embedding'), { paddingIdx: 0 }),
      file.layer(path('rnn'), { returnSequences: false }),
      file.layer('fc'),
    ]);
    return [['predict', model.predict(x), output]];
  },
  attention(mf, file, { config, prefix, output, weights }, x, mask) {
    const layer = file.layer(prefix, inCamel(config));
    const [y, scores] = layer.apply(
      { query: x, value: x, key: x },
      { valueMask: mf.tensor(mask), returnAttentionScores: true },
    );
    return [
      ['output', y, output],
      ['weights', scores, weights],
    ];
  },
  encoder(_mf, file, { config, prefix, output }, x, mask) {
    const layer = file.layer(prefix, inCamel(config));
    return [['output', layer.apply(x, { mask }), output, true]];
  },
  conv(_mf, file, { config, prefix, output }, x) {
    return [['output', file.layer(prefix, inCamel(config)).apply(x), output]];
  },
  norms(mf, file, { prefix, output }, x) {
    const path = (name) => (prefix ? `${prefix}.${name}` : name);
    const model = new mf.Sequential(
      ['fc', 'ln', 'bn', 'act'].map((name) => file.layer(path(name))),
    );
    file.layer(path('em'), { kind: 'Embedding' });
    return [['predict', model.predict(x), output]];
  },
};

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

/**
 * Returns null, or how the layers of a file differ from PyTorch's. `mf` is `maskflow/torch`,
 * `source` the bytes or the path of the file.
 */
export async function torchDifference(mf, recorded, source) {
  const file = await mf.readTorch(source);
  const names = Object.keys(recorded.names).filter((name) => !file.names.includes(name));
  if (names.length > 0) return `the names ${names} are missing from ${file.names}`;
  const { x: input, lengths, dtype } = recorded;
  return mf.tidy(() => {
    const x = mf.tensor(arrayOf(input), { shape: input.shape, dtype: input.dtype });
    const mask = lengths && maskOf(lengths, input.shape[1]);
    for (const [what, actual, expected, isMasked] of runs[recorded.kind](
      mf,
      file,
      recorded,
      x,
      mask,
    )) {
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
    const found = await torchDifference(
      mf,
      recorded,
      Uint8Array.from(Buffer.from(content, 'base64')),
    );
    if (found) return `${name}: ${found}`;
  }
  return null;
}
