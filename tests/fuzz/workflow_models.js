// SPDX-License-Identifier: MIT
// The models of keras_workflow_models.py, under the same names.
import * as mf from '../../dist/train.js';
import { customLayers } from './workflow_layers.js';

const { deserializeLayer, Layer, metrics, Model, ops, registerLayer, Sequential } = mf;
const { serializeLayer, valueAndGradients } = mf;

class Net extends Model {
  constructor({ parts, where = 'list', flag = 'none', ...config }) {
    super(config);
    this.where = where;
    this.flag = flag;
    this.count = parts.length;
    const own = parts.map((part) => (part instanceof Layer ? part : deserializeLayer(part)));
    if (where === 'list') this.parts = own;
    else if (where === 'dict') this.parts = Object.fromEntries(own.map((p, i) => [`p${i}`, p]));
    else for (const [i, part] of own.entries()) this[`part${9 - i}`] = part;
  }
  part(i) {
    if (this.where === 'attr') return this[`part${9 - i}`];
    return this.parts[this.where === 'list' ? i : `p${i}`];
  }
  call(x, { training }) {
    let y = x;
    for (let i = 0; i < this.count; i++) y = this.part(i).apply(y);
    return this.flag === 'training' && training ? ops.multiply(y, 1.5) : y;
  }
  getConfig() {
    const { name, where, flag } = this;
    const parts = Array.from({ length: this.count }, (_, i) => serializeLayer(this.part(i)));
    return { name, where, flag, parts };
  }
}

const withLosses = (Base) => ({
  LossNet: class extends Base {
    computeLoss(...given) {
      return ops.add(ops.multiply(super.computeLoss(...given), 2), 0.25);
    }
  },
  FreeNet: class extends Base {
    computeLoss(_x, _y, outputs) {
      return ops.mean(ops.square(ops.subtract(outputs, 0.5)));
    }
  },
  MetricNet: class extends Base {
    computeMetrics(...given) {
      return { ...super.computeMetrics(...given), extra: 3 };
    }
  },
});

/** Takes half a step of the optimizer; returns the loss and the predictions. */
function trained(model, [x, y, weight]) {
  const lossAndOutputs = () => {
    const outputs = model.apply(x, { training: true });
    return [model.computeLoss(x, y, outputs, weight), outputs];
  };
  const variables = model.trainableVariables;
  const { value, aux, gradients } = valueAndGradients(lossAndOutputs, variables, { hasAux: true });
  const halves = gradients.map((gradient) => gradient && ops.multiply(gradient, 0.5));
  model.optimizer.apply(halves, variables);
  return [value, aux];
}

const withSteps = (Base) => ({
  StepNet: class extends Base {
    trainStep(data) {
      const [loss] = trained(this, data);
      return { loss, twice: ops.multiply(loss, 2) };
    }
  },
  GroupNet: class extends Base {
    trainStep(data) {
      const [loss, outputs] = trained(this, data);
      return { loss, seen: { top: ops.max(outputs), low: ops.min(outputs) } };
    }
  },
  TestNet: class extends Base {
    testStep([x, y, weight]) {
      const outputs = this.apply(x, { training: false });
      return { loss: this.computeLoss(x, y, outputs, weight), top: ops.max(outputs) };
    }
  },
  PredictNet: class extends Base {
    predictStep([x]) {
      return ops.add(ops.multiply(this.apply(x, { training: false }), 2), 1);
    }
  },
});

const withMetrics = (Base) => ({
  SeenNet: class extends Base {
    seen = metrics.mean({ name: 'seen' });
    testStep([x, y, weight]) {
      const outputs = this.apply(x, { training: false });
      this.seen.updateState(ops.mean(outputs, { axis: -1 }));
      return this.computeMetrics(x, y, outputs, weight);
    }
  },
  WatchNet: class extends Base {
    watch = metrics.mean({ name: 'watch' });
    trainStep(data) {
      const [x, y, weight] = data;
      const [loss, outputs] = trained(this, data);
      this.watch.updateState(loss);
      return { ...this.computeMetrics(x, y, outputs, weight), last: loss };
    }
  },
});

function overriding(Base, ending) {
  const classes = { ...withLosses(Base), ...withSteps(Base), ...withMetrics(Base) };
  const named = Object.entries(classes).map(([name, each]) => {
    Object.defineProperty(each, 'name', { value: name + ending });
    return [name + ending, each];
  });
  return Object.fromEntries(named);
}

const registered = {
  ...customLayers,
  Net,
  ...overriding(Model, ''),
  ...overriding(Sequential, 'OfSequential'),
  ...overriding(Net, 'OfNet'),
};
for (const each of Object.values(registered)) registerLayer(each, { package: 'Workflows' });

/** The classes of workflows by name. */
export const classes = { ...registered, Model, Sequential };
