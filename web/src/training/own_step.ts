// SPDX-License-Identifier: MIT
// Steps of training and testing that a class of models overrides.
import { checkSynchronous, isPlain, refuse } from '../base/check.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { Logs, StepData } from '../model/train_options.js';
import type { Trainable } from '../model/trainable.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { type Data, inputsOf, itemsOf, type Structure } from './data.js';
import { overrides } from './overrides.js';
import { weightsLike } from './sample_weights.js';

type Step = (data: StepData) => unknown;

/** Returns the step of the model if its class overrides it, else null. */
export function ownStep(model: Layer, training: boolean): Step | null {
  const name = training ? 'trainStep' : 'testStep';
  if (!overrides(model, name)) return null;
  const step = (model as Layer & Trainable)[name];
  return (data) => checkSynchronous<unknown>(step.call(model as never, data), `${name}()`);
}

const valuesOf = (structure: Structure): LayerOutputs | undefined => {
  const isEmpty = Object.keys(structure.values).length === 0 && !structure.absent;
  return isEmpty ? undefined : (itemsOf(structure) as LayerOutputs);
};

/** Returns a batch as the steps and hooks of a class receive it. */
export const stepData = ({ x, y, weights }: Data): StepData => [
  inputsOf(x) as LayerOutputs,
  valuesOf(y),
  valuesOf(weightsLike(y, weights)),
];

function numberOf(name: string, value: unknown): number | number[] {
  if (typeof value === 'number') return value;
  if (isTensor(value)) return (value as Tensor).item();
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  return refuse(
    `the log '${name}'`,
    'a number, a tensor of one number, a list, or a dictionary of these',
    value,
  );
}

/** Returns logs as numbers by name. As in Keras, dictionaries inside are merged in. */
function flatLogs(logs: object): { [name: string]: number | number[] } {
  const entries = Object.entries(logs).sort(([a], [b]) => (a < b ? -1 : 1));
  const flat = entries.map(([name, value]) =>
    isPlain(value) ? flatLogs(value) : { [name]: numberOf(name, value) },
  );
  return Object.assign({}, ...flat);
}

/**
 * Returns the logs that a method of a class returned.
 *
 * @param what The method, for the message.
 */
export function logsOf(result: unknown, what: string): Logs {
  if (!isPlain(result)) refuse(what, 'a dictionary of numbers: { loss }', result);
  return flatLogs(result) as Logs;
}

/** Runs such a step on a batch and returns its logs. */
export const runOwnStep = (step: Step, data: Data): Logs =>
  logsOf(step(stepData(data)), 'the result of the step');
