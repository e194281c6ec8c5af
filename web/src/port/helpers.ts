// SPDX-License-Identifier: MIT
// Small functions of Python that a program defines itself when it uses them.

export const helpers: { readonly [name: string]: string } = {
  zip: `const zip = (...lists) =>
  Array.from({ length: Math.min(...lists.map((list) => list.length)) }, (_, i) =>
    lists.map((list) => list[i]),
  );`,
  // Python rounds ties of the exact value to even numbers. Integers have no negative zero.
  round: `const round = (x) =>
  (x % 2 === 0.5 || x % 2 === -1.5 ? Math.floor(x) : Math.round(x)) + 0;`,
  roundTo: `function roundTo(x, digits) {
  if (digits >= 0) {
    const text = x.toFixed(digits);
    const isTie = Math.abs(x * 2 ** (digits + 1)) % 2 === 1;
    return x && Number(isTie ? text.replace(/.$/, (digit) => digit & ~1) : text);
  }
  const step = 10 ** -digits;
  const rest = x % step;
  const excess = 2 * Math.abs(rest) - step;
  const isUp = excess > 0 || (excess === 0 && (x - rest) % (2 * step) !== 0);
  return x - rest + (isUp ? Math.sign(x) * step : 0);
}`,
  toFloat: `function toFloat(x) {
  if (typeof x !== 'string') return Number(x);
  return Number(x.trim().replace(/^([-+]?)inf(inity)?$/i, '$1Infinity') || NaN);
}`,
  existing: `function existing(item) {
  if (item === undefined) throw new RangeError('there is no such item');
  return item;
}`,
  mod: `const mod = (a, b) => a - b * Math.floor(a / b);`,
  divmod: `const divmod = (a, b) => [Math.floor(a / b), a - b * Math.floor(a / b)];`,
  compare: `function compare(a, b) {
  if (!Array.isArray(a) || !Array.isArray(b)) return a < b ? -1 : a > b ? 1 : 0;
  const i = a.findIndex((item, k) => k >= b.length || compare(item, b[k]) !== 0);
  if (i < 0) return a.length - b.length;
  return i < b.length ? compare(a[i], b[i]) : 1;
}`,
  lossOf: `const lossOf = (loss) => (yTrue, yPred) => loss.call(yTrue, yPred);`,
  functionOf: `const functionOf = (object) => (x) => object.call(x);`,
  updated: `function updated(metric, ...batch) {
  metric.updateState(...batch);
  return metric.result();
}`,
  variablesOf: `function variablesOf(layer) {
  const changing = [...layer.trainableVariables];
  const fixed = [...layer.nonTrainableVariables];
  return layer.weights.map(({ trainable }) =>
    (trainable && changing.length > 0 ? changing : fixed).shift(),
  );
}`,
  defaultdict: `const defaultdict = (make) =>
  new Proxy({}, {
    get(items, key) {
      const isNew = typeof key === 'string' && key !== 'toJSON' && !Object.hasOwn(items, key);
      return isNew ? (items[key] = make()) : items[key];
    },
  });`,
  shuffleList: `function shuffleList(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const k = Math.floor(Math.random() * (i + 1));
    [list[i], list[k]] = [list[k], list[i]];
  }
}`,
  choice: `function choice(items, shares) {
  const list = typeof items === 'number' ? [...Array(items).keys()] : (items.array?.() ?? items);
  const sizes = shares?.array?.() ?? shares;
  let rest = random.uniform([]).item();
  const found = sizes?.findIndex((size) => (rest -= size) < 0) ?? Math.floor(rest * list.length);
  return list.at(found);
}`,
  popKey: `function popKey(object, key) {
  const value = object[key];
  delete object[key];
  return value;
}`,
  batchesOf: `const batchesOf = (data) =>
  function* batches() {
    for (let i = 0; i < data.length; i++) yield data.at(i);
  };`,
  withSlice: `function withSlice(x, keys, value) {
  const { shape } = x;
  const place = (i, part, none) => {
    const key = Array.isArray(keys[i]) ? keys[i][part] : (keys[i] ?? null);
    return key === null ? none : key < 0 ? key + shape[i] : key;
  };
  const from = shape.map((_, i) => place(i, 0, 0));
  const sizes = shape.map((size, i) =>
    typeof keys[i] === 'number' ? 1 : Math.min(place(i, 1, size), size) - from[i],
  );
  const part = sizes.filter((_, i) => keys[i] === undefined || Array.isArray(keys[i]));
  if (sizes.some((size) => size <= 0)) return x;
  const values = ops.broadcastTo(tensor(value), part).reshape(sizes).cast(x.dtype);
  return ops.sliceUpdate(x, from, values);
}`,
  trainTestSplit: `function trainTestSplit(arrays, { testSize = 0.25, shuffle = true } = {}) {
  const count = arrays[0].shape?.[0] ?? arrays[0].length;
  const tested = testSize < 1 ? Math.ceil(count * testSize) : testSize;
  const rows = ops.arange(count);
  const order = shuffle ? random.shuffle(rows) : rows;
  const parts = [order.getItem([{ stop: count - tested }]), order.getItem([{ start: count - tested }])];
  return arrays.flatMap((array) => parts.map((part) => ops.take(array, part, { axis: 0 })));
}`,
  StandardScaler: `class StandardScaler {
  fit(x) {
    this.mean = ops.mean(x, 0);
    const deviation = ops.std(x, 0);
    this.scale = ops.where(ops.equal(deviation, 0), 1, deviation);
    return this;
  }
  transform(x) {
    return ops.divide(ops.subtract(x, this.mean), this.scale);
  }
  fitTransform(x) {
    return this.fit(x).transform(x);
  }
  inverseTransform(x) {
    return ops.add(ops.multiply(x, this.scale), this.mean);
  }
}`,
  MinMaxScaler: `class MinMaxScaler {
  fit(x) {
    this.min = ops.min(x, 0);
    const range = ops.subtract(ops.max(x, 0), this.min);
    this.range = ops.where(ops.equal(range, 0), 1, range);
    return this;
  }
  transform(x) {
    return ops.divide(ops.subtract(x, this.min), this.range);
  }
  fitTransform(x) {
    return this.fit(x).transform(x);
  }
  inverseTransform(x) {
    return ops.add(ops.multiply(x, this.range), this.min);
  }
}`,
};
