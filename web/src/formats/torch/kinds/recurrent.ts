// SPDX-License-Identifier: MIT
// nn.LSTM, nn.GRU and nn.RNN. Several layers become a model, because Keras has no stack with
// states.
import type { CallOptions, LayerInputs, SymbolicInputs } from '../../../layers/args.js';
import { hide } from '../../../base/define.js';
import { ValueError } from '../../../base/errors.js';
import { Input } from '../../../layers/input.js';
import type { Layer } from '../../../layers/layer.js';
import {
  Bidirectional,
  Dropout,
  GRU,
  LSTM,
  SimpleRNN,
} from '../../../layers/recurrent_layers.gen.js';
import { Model } from '../../../model/model.js';
import { savedAsGraphs } from '../../../model/revive.js';
import { type SymbolicTensor, Tensor } from '../../../tensor/tensor.js';
import { tidy } from '../../../tensor/tidy.js';
import type { ModuleNode } from '../module_node.js';
import {
  type Facts,
  type Kind,
  nameOf,
  ofLayers,
  type Part,
  refuseSetting,
  transpose,
  withWeights,
} from './kind.js';

/** Gates by kind, and the place of each of Keras's gates in PyTorch's order. */
const gates = { LSTM: [0, 1, 2, 3], GRU: [1, 0, 2], RNN: [0] };
export type RecurrentKind = keyof typeof gates;

/** Returns what the tensors of a stack state. */
function factsOf(node: ModuleNode, kind: RecurrentKind): Facts | undefined {
  const [rows = 0, features] = node.shapeOf('weight_ih_l0') ?? [];
  const [, state] = node.shapeOf('weight_hh_l0') ?? [];
  const [, projected] = node.shapeOf('weight_hr_l0') ?? [];
  const hiddenSize = projected ?? state;
  if (features === undefined || !hiddenSize) return undefined;
  if (rows !== hiddenSize * gates[kind].length) return undefined;
  let numLayers = 1;
  while (node.tensors.has(`weight_ih_l${numLayers}`)) numLayers++;
  return {
    inputSize: features,
    hiddenSize,
    numLayers,
    bidirectional: node.tensors.has('weight_ih_l0_reverse'),
    bias: node.tensors.has('bias_ih_l0'),
    projSize: projected === undefined ? 0 : (state as number),
  };
}

/** The module's settings; all of them are known when a layer is made. */
type Sizes = { readonly [Name in 'inputSize' | 'hiddenSize' | 'numLayers']: number };

/** Returns Keras's weights of one direction of one layer. */
function weightsOf(part: Part, suffix: string, features: number): Float32Array[] {
  const { node, settings, kind } = part;
  const { hiddenSize: units } = settings as Sizes;
  const order = gates[kind as RecurrentKind];
  const rows = units * order.length;
  const matrices = [
    transpose(node.floats(`weight_ih_${suffix}`, [rows, features]), features, order),
    transpose(node.floats(`weight_hh_${suffix}`, [rows, units]), units, order),
  ];
  if (!settings.bias) return matrices;
  const [input, recurrent] = ['bias_ih', 'bias_hh'].map((name) =>
    transpose(node.floats(`${name}_${suffix}`, [rows]), 1, order),
  ) as [Float32Array, Float32Array];
  // A GRU keeps both, because its reset gate multiplies the recurrent one; others add them.
  const bias =
    kind === 'GRU'
      ? Float32Array.from([...input, ...recurrent])
      : input.map((value, i) => value + (recurrent[i] as number));
  return [...matrices, bias];
}

/** Creates layer `index` of the stack. */
function layerOf(
  part: Part,
  index: number,
  { name, ...returned }: { name?: string; returnSequences: boolean; returnState: boolean },
): Layer {
  const { kind, settings: torch } = part;
  const { hiddenSize: units, inputSize } = torch as Sizes;
  const own = name === undefined ? {} : { name };
  const inner = torch.bidirectional ? {} : own;
  const config = { ...inner, ...returned, units, useBias: torch.bias === true };
  const { nonlinearity: activation = 'tanh' } = torch;
  const directions = torch.bidirectional ? 2 : 1;
  const features = index === 0 ? inputSize : directions * units;
  const weights = [weightsOf(part, `l${index}`, features)];
  if (torch.bidirectional) weights.push(weightsOf(part, `l${index}_reverse`, features));
  const layer =
    kind === 'LSTM'
      ? new LSTM(config)
      : kind === 'GRU'
        ? new GRU({ ...config, resetAfter: true })
        : new SimpleRNN({ ...config, activation });
  const shape = [null, null, features];
  if (!torch.bidirectional) return withWeights(layer, shape, weights.flat());
  return withWeights(bothDirections(layer, own), shape, weights.flat());
}

/** Wraps a layer, which the wrapper holds from then on. */
function bothDirections(layer: LSTM | GRU | SimpleRNN, named: { name?: string }): Bidirectional {
  try {
    return new Bidirectional({ ...named, layer });
  } finally {
    layer.dispose();
  }
}

/**
 * Returns the options with the mask of the input if they have states: Keras's layers look for it
 * only in calls without states.
 */
function maskBesideStates(inputs: LayerInputs | SymbolicInputs, options: CallOptions): CallOptions {
  const { initialState, mask } = options;
  if (!initialState || mask || !(inputs instanceof Tensor)) return options;
  return { ...options, mask: inputs.mask };
}

/** Makes a single layer treat masks as a stack does. */
function single(layer: Layer): Layer {
  const apply: Apply = layer.apply.bind(layer);
  const withMask: Apply = (inputs, options = {}) =>
    apply(inputs, maskBesideStates(inputs, options));
  hide(layer, 'apply', withMask);
  return layer;
}
type Apply = (inputs: LayerInputs, options?: CallOptions) => Tensor;

/**
 * Several recurrent layers, one after the other. A saved file has it as a functional model. Initial
 * states are passed on to its layers.
 */
class RecurrentStack extends Model {
  static {
    savedAsGraphs.add(RecurrentStack);
  }
  #recurrent: readonly Layer[] = [];
  #statesEach = 1;

  static of(recurrent: readonly Layer[], statesEach: number, config: object): RecurrentStack {
    const stack = new RecurrentStack(config);
    stack.#recurrent = recurrent;
    stack.#statesEach = statesEach;
    return stack;
  }

  override apply(inputs: LayerInputs | SymbolicInputs, options: CallOptions = {}): never {
    const { initialState } = options;
    if (initialState === undefined || initialState === null) {
      return super.apply(inputs as LayerInputs, options) as never;
    }
    const states = (Array.isArray(initialState) ? initialState : [initialState]) as Tensor[];
    const needed = this.#recurrent.length * this.#statesEach;
    if (states.length !== needed) {
      throw new ValueError(
        `'${this.name}' has ${needed} states, but initialState has ${states.length}: one tensor [batch, hidden] for each layer, then each direction, h before c`,
      );
    }
    const { initialState: _, ...rest } = maskBesideStates(inputs, options);
    return tidy(() => this.#run(inputs, states, rest)) as never;
  }

  /** Calls each layer with its states. Returns the output, and the final states if layers do. */
  #run(
    inputs: LayerInputs | SymbolicInputs,
    states: readonly Tensor[],
    options: CallOptions,
  ): unknown {
    let output = inputs as Tensor;
    const finals: Tensor[] = [];
    let place = 0;
    for (const layer of this.layers.slice(1)) {
      const isRecurrent = this.#recurrent.includes(layer);
      const own = states.slice(place, place + this.#statesEach);
      if (isRecurrent) place += own.length;
      const result = layer.apply<Tensor | Tensor[]>(
        output,
        isRecurrent ? { ...options, initialState: own } : options,
      );
      const [next, ...rest] = [result].flat();
      output = next as Tensor;
      finals.push(...rest);
    }
    return finals.length > 0 ? [output, ...finals] : output;
  }
}

function make(part: Part): Layer {
  const { kind, settings } = part;
  const { inputSize, numLayers } = settings as Sizes;
  if (settings.projSize) {
    refuseSetting(part, `proj_size ${settings.projSize}`, '; train it with proj_size=0');
  }
  const { returnSequences = true, returnState = false, dropout = 0 } = settings;
  const named = nameOf(part);
  if (numLayers === 1) return single(layerOf(part, 0, { ...named, returnSequences, returnState }));
  return ofLayers((own) => {
    const input: SymbolicTensor = Input({ shape: [null, inputSize] });
    const recurrent: Layer[] = [];
    const states: SymbolicTensor[] = [];
    let output = input;
    for (let i = 0; i < numLayers; i++) {
      const isLast = i === numLayers - 1;
      const returned = { returnSequences: returnSequences || !isLast, returnState };
      const layer = own(layerOf(part, i, returned));
      recurrent.push(layer);
      const [next, ...finals] = [layer.apply(output) as never].flat() as SymbolicTensor[];
      output = next as SymbolicTensor;
      states.push(...finals);
      if (dropout > 0 && !isLast) output = own(new Dropout({ rate: dropout })).apply(output);
    }
    const outputs = returnState ? [output, ...states] : output;
    const statesEach = (kind === 'LSTM' ? 2 : 1) * (settings.bidirectional ? 2 : 1);
    const stack = RecurrentStack.of(recurrent, statesEach, { ...named, inputs: input, outputs });
    // Its layers pass the mask on. A nested model without this setting warns that it does not.
    stack.supportsMasking = returnSequences;
    return stack;
  });
}

/** Returns how LSTM, GRU or RNN become layers. */
export const recurrent = (kind: RecurrentKind): Kind => ({
  facts: (node) => factsOf(node, kind),
  options: `returnSequences returnState dropout${kind === 'RNN' ? ' nonlinearity' : ''}`,
  make,
});
