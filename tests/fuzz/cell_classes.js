// SPDX-License-Identifier: MIT
// The cell of keras_cell_classes.py, which runs a random program.
import * as mf from '../../dist/train.js';

const { Layer, Sequential, layers, ops } = mf;

const dense = (units, activation) => layers.dense({ units, ...(activation ? { activation } : {}) });

const sublayers = {
  dense: ({ units, activation }) => dense(units, activation),
  norm: () => layers.layerNormalization({ epsilon: 0.01 }),
  pair: ({ units }) => new Sequential([dense(units, 'tanh'), dense(units)]),
  gru: ({ units }) => layers.gruCell({ units }),
  lstm: ({ units }) => layers.lstmCell({ units }),
};

const widthOf = (size) => (Array.isArray(size) ? size[0] * size[1] : size);

/** A cell that consists of sublayers, weights and instructions. */
export class ProgramCell extends Layer {
  constructor({ program, ...config }) {
    super(config);
    this.program = program;
    this.stateSize = program.is_one ? program.states[0] : program.states;
    if (program.has_output_size) this.outputSize = program.output;
    const parts = program.parts.map((part) => sublayers[part.kind](part));
    const { place } = program;
    if (place === 'list') this.parts = parts;
    else {
      const named = Object.fromEntries(
        parts.map((part, i) => [`${place === 'dictionary' ? 'k' : 'p'}${i}`, part]),
      );
      if (place === 'dictionary') this.parts = named;
      else Object.assign(this, named);
    }
  }

  part(i) {
    const { place } = this.program;
    if (place === 'list') return this.parts[i];
    return place === 'dictionary' ? this.parts[`k${i}`] : this[`p${i}`];
  }

  build(shape) {
    const { weights, builds, widths } = this.program;
    for (const [i, size] of weights.entries()) {
      this[`w${i}`] = this.addWeight({ name: `w${i}`, shape: size, initializer: 'ones' });
    }
    if (!builds) return;
    for (const [i, width] of widths.entries()) this.part(i).build([shape[0], width]);
  }

  call(x, { states, training }) {
    const { program } = this;
    const flat = states.map((state, i) => {
      const size = program.states[i];
      return Array.isArray(size) ? ops.reshape(state, [-1, widthOf(size)]) : state;
    });
    const values = [x, ...flat];
    for (const instruction of program.instructions) {
      values.push(this.run(values, training, instruction));
    }
    const following = program.states.map((size, i) => {
      const value = values[program.next[i]];
      return Array.isArray(size) ? ops.reshape(value, [-1, ...size]) : value;
    });
    return [values[program.result], following];
  }

  run(values, training, { do: name, args, part }) {
    const [a, b, c] = args.map((i) => values[i]);
    switch (name) {
      case 'layer':
        return this.part(part).apply(a);
      case 'cell': {
        const { kind } = this.program.parts[part];
        return this.part(part).apply(a, { states: kind === 'gru' ? [b] : [b, b] })[0];
      }
      case 'matmul':
        return ops.matmul(a, this[`w${part}`]);
      case 'scale':
        return ops.multiply(a, this[`w${part}`]);
      case 'concatenate':
        return ops.concatenate([a, b], { axis: -1 });
      case 'gate': {
        const z = ops.sigmoid(a);
        return ops.add(ops.multiply(z, b), ops.multiply(ops.subtract(1, z), c));
      }
      case 'first':
        return ops.split(a, [1], { axis: -1 })[0];
      case 'training':
        return training ? ops.multiply(a, 1.5) : a;
      default:
        return b ? ops[name](a, b) : ops[name](a);
    }
  }

  getInitialState(batchSize) {
    const { start, states } = this.program;
    return states.map((size) => ops.full([batchSize, ...[size].flat()], start ?? 0));
  }

  getConfig() {
    return { ...super.getConfig(), program: this.program };
  }
}

mf.registerLayer(ProgramCell, { package: 'Cells' });
