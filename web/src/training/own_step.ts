// SPDX-License-Identifier: MIT
// Steps of training and testing that a class of models overrides.
import { checkSynchronous, isPlain, refuse } from '../base/check.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { Logs, StepData } from '../model/train_options.js';
import { Trainable } from '../model/trainable.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { type Data, inputsOf, type Structure } from './data.js';

type Step = (data: StepData) => unknown;

/** Returns the step of the model if its class overrides it, else null. */
export function ownStep(model: Layer, training: boolean): Step | null {
  const name = training ? 'trainStep' : 'testStep';
  const step = (model as Layer & Partial<Trainable>)[name];
  if (!step || step === Trainable.prototype[name]) return null;
  return (data) => checkSynchronous(step.call(model as Trainable, data), `${name}()`);
}

const valuesOf = (structure: Structure): LayerOutputs | undefined =>
  Object.keys(structure.values).length > 0 ? (inputsOf(structure) as LayerOutputs) : undefined;

function numberOf(name: string, value: unknown): number | number[] {
  if (typeof value === 'number') return value;
  if (isTensor(value)) return (value as Tensor).item();
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  return refuse(`the log '${name}'`, 'a number, a tensor of one number or a list', value);
}

/** Runs such a step on a batch and returns its logs. */
export function runOwnStep(step: Step, { x, y, weights }: Data): Logs {
  const result = step([valuesOf(x) as LayerOutputs, valuesOf(y), valuesOf(weights)]);
  if (!isPlain(result))
    refuse('the result of the step', 'a dictionary of numbers: { loss }', result);
  const logs = Object.entries(result).map(([name, value]) => [name, numberOf(name, value)]);
  return Object.fromEntries(logs) as Logs;
}
