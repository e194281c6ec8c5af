// SPDX-License-Identifier: MIT
// Random scripts: models with user code in layers, cells and streams, whose functions dispose,
// change, call and throw at random. Each script ends with numbers or typed errors and leaves no
// memory behind, and the next call returns the right numbers.
import * as mf from '../../dist/index.js';

const { Layer, Model, Sequential, Input, layers, ops } = mf;

/** Returns a random number generator with a seed (mulberry32). */
function randomOf(seed) {
  let state = (seed + 1) * 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (n) => Math.floor(next() * n),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

class Boom extends Error {}

/** The objects that a script has created, and random actions on them from any function. */
class World {
  layers = [];
  streams = [];
  tensors = [];
  cells = [];
  depth = 0;
  left = 60;
  restarting = null;
  constructor(random) {
    this.random = random;
  }
  layer(made) {
    this.layers.push(made);
    return made;
  }
  x() {
    const made = ops.sin(ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 4, 3]));
    const masked =
      this.random.next() < 0.4
        ? made.withMask(
            [
              [1, 1, 0, 1],
              [0, 1, 1, 1],
            ].map((row) => row.map(Boolean)),
          )
        : made;
    this.tensors.push(masked);
    return masked;
  }
  /** Runs a random action. In deeper calls this is less likely. */
  act(self, given) {
    if (this.left <= 0 || this.depth > 6 || this.random.next() < 0.3 + this.depth * 0.1) return;
    this.left--;
    this.depth++;
    try {
      const act = this.random.pick(acts);
      if (this.random.next() < 0.5) quietly(() => act(this, self, given));
      else act(this, self, given);
    } finally {
      this.depth--;
    }
  }
}

/** Calls `f` and ignores errors of the package and of scripts; other errors are rethrown. */
function quietly(f) {
  try {
    return f();
  } catch (error) {
    if (!(error instanceof mf.MaskflowError || error instanceof Boom)) throw error;
    return undefined;
  }
}

const someLayer = (world) => world.random.pick(world.layers);
const someModel = (world) =>
  world.random.pick(world.layers.filter((layer) => layer instanceof Model)) ?? someLayer(world);
const someStream = (world) => world.random.pick(world.streams);

const acts = [
  () => {
    throw new Boom('boom');
  },
  (_, self) => self.dispose(),
  (world) => someModel(world).dispose(),
  (world) => someLayer(world).dispose(),
  (world) => someStream(world)?.dispose(),
  (world) => world.random.pick(world.tensors)?.dispose(),
  (_, __, given) => given?.dispose?.(),
  (world) => someModel(world).predict?.(world.x()),
  (world) => someModel(world).predict?.(world.x(), { batchSize: 1 }),
  (world) => someLayer(world).apply(world.x(), { training: world.random.next() < 0.5 }),
  (world, self) => self.apply(world.x()),
  (world) => someLayer(world).apply(Input({ shape: [4, 3] })),
  (world) =>
    someModel(world).evaluate?.(world.x(), ops.zeros([2, 4, 3]), { loss: 'mse', metrics: ['mae'] }),
  (world) => someModel(world).traceMasks?.(world.x()),
  (world) => someModel(world).summary?.({ print: null }),
  (world) => world.streams.push(someModel(world).stream?.({ batchSize: 2 })),
  (world) => someStream(world)?.step(ops.ones([2, 3])),
  (world) => someStream(world)?.step(new Float32Array(6), { out: new Float32Array(6) }),
  (world) => someStream(world)?.reset(),
  (world) => world.streams.push(someStream(world)?.clone()),
  (world) => {
    const stream = someStream(world);
    const state = stream?.state;
    if (stream) stream.state = state;
  },
  (world) => {
    const layer = someLayer(world);
    layer.setWeights(layer.getWeights().map((weight) => ops.multiply(weight, 0.5)));
  },
  (world) => someLayer(world).resetState(),
  (world) => someLayer(world).states?.forEach((state) => void world.tensors.push(state)),
  (world) => {
    const layer = someLayer(world);
    if (layer.isCustom && !(layer instanceof SubCell)) return;
    world.layer(layer.constructor.fromConfig(layer.getConfig()));
  },
  (world) => someLayer(world).build([2, 4, 3]),
  (world) => someLayer(world).computeOutputShape([null, 4, 3]),
  (world) =>
    someLayer(world).computeMask(world.x(), [
      [true, true, true, false],
      [true, true, true, true],
    ]),
  (world) => mf.serializeLayer(someLayer(world)),
  (world) => someModel(world).getConfig(),
  (world) => {
    someLayer(world).trainable = false;
  },
  (world) => someModel(world).pop?.(),
  (world) => someModel(world).add?.(world.layer(layers.dense({ units: 3 }))),
  (world) => someModel(world).add?.(someLayer(world)),
  (world) => someModel(world).layers?.map((layer) => world.layer(layer)),
  (world) => world.layer(new Sequential([someLayer(world)])),
  (world) => world.layer(layers.timeDistributed({ layer: someLayer(world) })),
  (world) => mf.tidy(() => someLayer(world).apply(world.x())),
  (world) => {
    mf.keep(world.x());
  },
  (world) => console.warn(`${world.left}`),
  (world) => {
    if (world.random.next() < 0.05) world.restarting ??= mf.restart();
  },
];

/** A custom layer whose methods run random actions. */
class Wild extends Layer {
  constructor(world) {
    super();
    Object.defineProperty(this, 'world', { value: world });
    this.inner = world.random.next() < 0.3 ? world.layer(layers.dense({ units: 3 })) : null;
    world.layer(this);
  }
  build() {
    this.world.act(this);
    this.scale = this.addWeight({ name: 'scale', shape: [3] });
    this.world.act(this);
  }
  call(x, { mask, training }) {
    this.world.act(this, x);
    const y = ops.multiply(this.inner?.apply(x) ?? x, this.scale.value);
    this.world.act(this, training ? y : mask);
    return y;
  }
  computeMask(x, mask) {
    this.world.act(this, mask ?? x);
    return mask;
  }
  computeOutputShape(shape) {
    this.world.act(this);
    return shape;
  }
  getConfig() {
    this.world.act(this);
    return super.getConfig();
  }
}

/** A custom recurrent cell whose methods run random actions. */
class WildCell extends Layer {
  stateSize = 3;
  constructor(world) {
    super();
    Object.defineProperty(this, 'world', { value: world });
    world.layer(this);
  }
  build() {
    this.world.act(this);
    this.kernel = this.addWeight({ name: 'kernel', shape: [3, 3] });
  }
  call(x, { states }) {
    const h = states?.[0] ?? ops.zeros([[x].flat()[0].shape[0], 3]);
    this.world.act(this, h);
    const next = ops.tanh(ops.add(ops.matmul(x, this.kernel.value), h));
    this.world.act(this, next);
    return [next, [next]];
  }
}

/** The world whose layers are being created, for layers that a config creates. */
let current;

/** A custom cell that is made of a layer. Its copies, and what they create, run random actions. */
class SubCell extends Layer {
  stateSize = 3;
  #hidden = layers.dense({ units: 3, activation: 'tanh' });
  constructor(config) {
    super(config);
    Object.defineProperty(this, 'world', { value: current });
    this.dense = current.layer(layers.dense({ units: 3, activation: 'tanh' }));
    if (current.random.next() < 0.2) current.act(this);
    current.layer(this);
  }
  call(x, { states }) {
    const h = states?.[0] ?? ops.zeros([[x].flat()[0].shape[0], 3]);
    this.world.act(this, h);
    const joined = ops.concatenate([this.dense.apply(x), h], { axis: -1 });
    const next = this.#hidden.apply(joined);
    return [next, [next]];
  }
  getInitialState(batchSize) {
    this.world.act(this);
    return ops.ones([batchSize, 3]);
  }
}
mf.registerLayer(SubCell);

/** A recurrent layer with such cells: as it is, in both directions, or a copy of it. */
function subCells({ random, cells }) {
  // Some cells are in several stacks.
  const cell = () => {
    if (random.next() < 0.25 && cells.length > 0) return random.pick(cells);
    const recurrentDropout = random.pick([0, 0.5]);
    const made =
      random.next() < 0.6 ? new SubCell() : layers.gruCell({ units: 3, recurrentDropout });
    cells.push(made);
    return made;
  };
  const layer = layers.rnn({
    cell: random.next() < 0.5 ? new SubCell() : [cell(), cell()],
    returnSequences: true,
    stateful: random.next() < 0.2,
  });
  const form = random.below(3);
  if (form === 0) return layer;
  if (form === 1) return layer.constructor.fromConfig(layer.getConfig());
  return layers.bidirectional({ layer, mergeMode: 'sum' });
}

/** A user-defined model whose methods run random actions. */
class WildModel extends Model {
  constructor(world) {
    super();
    Object.defineProperty(this, 'world', { value: world });
    this.first = anyLayer(world);
    this.second = anyLayer(world);
    world.layer(this);
  }
  call(x) {
    this.world.act(this, x);
    const y = this.first.apply(x);
    this.world.act(this, y);
    return this.second.apply(y);
  }
}

function anyLayer(world) {
  const { random } = world;
  const make = random.pick([
    () => new Wild(world),
    () => new Wild(world),
    () => layers.rnn({ cell: new WildCell(world), returnSequences: true }),
    () => subCells(world),
    () => subCells(world),
    () =>
      layers.rnn({
        cell: [layers.gruCell({ units: 3 }), new WildCell(world)],
        returnSequences: true,
      }),
    () => layers.lstm({ units: 3, returnSequences: true, stateful: random.next() < 0.2 }),
    () =>
      layers.bidirectional({
        layer: layers.gru({ units: 3, returnSequences: true }),
        mergeMode: 'sum',
      }),
    () =>
      layers.timeDistributed({
        layer: random.next() < 0.5 ? new Wild(world) : layers.dense({ units: 3 }),
      }),
    () =>
      layers.dense({ units: 3, activityRegularizer: { class_name: 'L2', config: { l2: 0.01 } } }),
    () => layers.masking(),
    () => layers.conv1D({ filters: 3, kernelSize: 2, padding: 'causal' }),
    () => layers.dropout({ rate: 0.5 }),
  ]);
  return world.layer(make());
}

function anyModel(world) {
  const { random } = world;
  const parts = Array.from({ length: 1 + random.below(3) }, () => anyLayer(world));
  const kind = random.below(4);
  if (kind === 0) return world.layer(new Sequential(parts));
  if (kind === 1)
    return world.layer(
      new Sequential([Input({ shape: [random.next() < 0.6 ? null : 4, 3] }), ...parts]),
    );
  if (kind === 2) return new WildModel(world);
  const input = Input({ shape: [4, 3] });
  return world.layer(
    new Model({ inputs: input, outputs: parts.reduce((y, layer) => layer.apply(y), input) }),
  );
}

/** A model with known results, which shows whether earlier calls broke the engine. */
class Canary {
  #model;
  #expected;
  make() {
    this.#model = new Sequential([
      Input({ shape: [null, 3] }),
      layers.masking(),
      layers.lstm({ units: 2, kernelInitializer: 'ones', recurrentInitializer: 'ones' }),
    ]);
    this.#expected = String(this.#now());
  }
  #now() {
    return mf.tidy(() =>
      Array.from(
        this.#model.predict(ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 2, 3])).data(),
      ),
    );
  }
  check() {
    const now = String(this.#now());
    if (now !== this.#expected)
      throw new Error(`the next call gives ${now}, not ${this.#expected}`);
  }
}

const turn = () => new Promise((done) => setTimeout(done, 0));

async function settled(tensors, collect) {
  for (let i = 0; i < 12 && mf.memory().tensors > tensors; i++) {
    collect?.();
    await turn();
  }
  return mf.memory().tensors;
}

async function script(number, canary, collect) {
  const { tensors } = mf.memory();
  const random = randomOf(number);
  const world = new World(random);
  current = world;
  const outcomes = { numbers: 0, errors: 0 };
  mf.tidy(() => {
    for (let i = 0; i < 4 + random.below(8); i++) {
      try {
        if (i === 0 || random.next() < 0.15) anyModel(world);
        else random.pick(acts.slice(7))(world, someLayer(world));
        outcomes.numbers++;
      } catch (error) {
        if (!(error instanceof mf.MaskflowError || error instanceof Boom)) throw error;
        if (/is dead/.test(error.message)) throw error;
        outcomes.errors++;
      }
    }
  });
  const { restarting } = world;
  await restarting;
  world.left = 0;
  for (const stream of world.streams) stream?.dispose();
  for (const layer of world.layers) quietly(() => layer.dispose());
  for (const tensor of world.tensors) tensor.dispose();
  // Layers inside of others, which keep the losses of their last call, must be collected.
  for (const list of [world.streams, world.layers, world.tensors, world.cells]) list.length = 0;
  if (restarting) canary.make();
  canary.check();
  if (!collect) return outcomes;
  const left = restarting ? 0 : (await settled(tensors, collect)) - tensors;
  if (left > 0) throw new Error(`${left} tensors are left`);
  return outcomes;
}

/**
 * Runs scripts `from` to `to` and returns failures by number. `collect` runs the garbage collector;
 * with it, memory left behind is a failure, too.
 */
export async function fuzzReentrancy(from, to, { collect, onScript = () => {} } = {}) {
  const { warn } = console;
  await mf.ready({ onMaskDropped: 'warn' });
  const canary = new Canary();
  canary.make();
  const report = { scripts: 0, numbers: 0, errors: 0, failures: [], slowest: { time: 0 } };
  for (let number = from; number < to; number++) {
    const start = performance.now();
    const throwing = number % 5 === 0;
    console.warn = () => {
      if (throwing) throw new Boom('no warnings');
    };
    try {
      const { numbers, errors } = await script(number, canary, collect);
      report.numbers += numbers;
      report.errors += errors;
    } catch (error) {
      report.failures.push(`script ${number}: ${error?.stack ?? error}`);
      await mf.restart();
      canary.make();
    } finally {
      console.warn = warn;
    }
    const time = performance.now() - start;
    if (time > report.slowest.time) report.slowest = { time, number };
    if (time > 2000) report.failures.push(`script ${number}: took ${Math.round(time)} ms`);
    report.scripts++;
    onScript(report);
  }
  return report;
}
