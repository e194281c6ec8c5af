// SPDX-License-Identifier: MIT
// Replays recordings of keras_programs.py: loads the file and repeats the recorded calls.
import * as mf from '../../dist/train.js';
import { toTensor } from '../support/recorded_cases.js';
import { compareOutputs, refusals } from '../support/replay.js';
import { customObjects } from './custom_layers.js';

/** Returns the recorded structure with `leaves` in place of its markers { leaf: index }. */
function placed(places, leaves) {
  if ('leaf' in places) return leaves[places.leaf];
  if (places.list) return places.list.map((item) => placed(item, leaves));
  const entries = Object.entries(places.dict);
  return Object.fromEntries(entries.map(([key, item]) => [key, placed(item, leaves)]));
}

/** Returns the paths of a recorded structure, as the package names nested results. */
const pathsOf = (places, path = '') =>
  'leaf' in places
    ? [path]
    : Object.entries(places.list ?? places.dict).flatMap(([key, item]) =>
        pathsOf(item, path ? `${path} / ${key}` : key),
      );

/** Describes the structure of a result, such as 'a list of 3', for comparisons. */
function groupOf(result) {
  if (result instanceof mf.Tensor) return 'a tensor';
  if (Array.isArray(result)) return `a list of ${result.length}`;
  return `a dictionary of ${Object.keys(result).sort()}`;
}

/** Describes a recorded structure in the same way. */
function groupOfPlaces(places) {
  if ('leaf' in places) return 'a tensor';
  const { list } = places;
  if (list?.every((item) => 'leaf' in item)) return `a list of ${list.length}`;
  return `a dictionary of ${pathsOf(places).sort()}`;
}

/**
 * Returns the tensors of a result in the order of the recorded structure. Throws if the structures
 * differ.
 */
function leavesOf(places, result) {
  const [got, wanted] = [groupOf(result), groupOfPlaces(places)];
  if (got !== wanted) throw new Error(`the result is ${got}, not ${wanted}`);
  return result instanceof mf.Tensor ? [result] : pathsOf(places).map((path) => result[path]);
}

const refusal = (error) =>
  error instanceof mf.MaskflowError
    ? `threw ${error.name}: ${error.message}`
    : `untyped ${error.stack}`;

/** Returns null if Keras failed as well, otherwise describes the error. */
function judged(error, expect) {
  return error instanceof mf.MaskflowError && expect.error ? null : refusal(error);
}

/**
 * Describes a call that succeeded although a check of Keras itself refuses it; other errors of
 * Keras are ignored.
 */
const accepted = ({ error, message }) =>
  refusals.includes(error) ? `accepted; Keras: ${error}: ${message}` : null;

/** Runs f and returns its result; adds the warnings of dropped masks to the list. */
async function collectWarnings(warnings, f) {
  const warn = console.warn;
  console.warn = (message) => warnings.push(message);
  try {
    return await f();
  } finally {
    console.warn = warn;
  }
}

/**
 * Compares whether a call warns as in Keras. A layer warns once in its life, so the `earlier`
 * warnings, of loading and of other calls, count. Keras also warns of a model that a mask enters,
 * even if its layers use the mask.
 */
function compareWarnings(call, earlier, count) {
  const isExpected = call.expect.warns_mask_destroyed;
  if (count > 0) return isExpected ? null : 'warned of a dropped mask';
  const isKnown = earlier > 0 || [...call.masks, ...(call.mask ?? [])].some(Boolean);
  return isExpected && !isKnown ? 'did not warn of the dropped mask' : null;
}

function callOnce(model, call, makers, warnings) {
  const { expect } = call;
  if (call.reset) model.resetStates();
  const leaves = call.leaves.map((leaf, i) =>
    call.masks[i] ? toTensor(leaf).withMask(toTensor(call.masks[i])) : toTensor(leaf),
  );
  const options = { training: call.training };
  if (call.mask) options.mask = call.mask.map((mask) => mask && toTensor(mask));
  const warn = console.warn;
  const before = warnings.length;
  console.warn = (message) => warnings.push(message);
  let result;
  try {
    result = model.apply(placed(call.inputs, leaves), options);
  } catch (error) {
    return judged(error, expect);
  } finally {
    console.warn = warn;
  }
  if (expect.error) return accepted(expect);
  let outputs;
  try {
    outputs = leavesOf(expect.structure, result);
  } catch (error) {
    return error.message;
  }
  const problem = compareOutputs(outputs, expect, 1, makers);
  if (problem) return problem;
  return compareWarnings(call, before, warnings.length - before);
}

const alone = (values) => (values.length > 1 ? values : values[0]);
/** Converts Python's words for numbers that JSON lacks. */
const numberOf = (value) => Number(String(value).replace('inf', 'Infinity'));

async function evaluateOnce(model, recorded) {
  const { expect } = recorded;
  const weights = recorded.sample_weight?.map(toTensor);
  let got;
  try {
    got = await model.evaluate(toTensor(recorded.x), alone(recorded.y.map(toTensor)), {
      batchSize: recorded.batch,
      ...(weights ? { sampleWeight: alone(weights) } : {}),
    });
  } catch (error) {
    return judged(error, expect);
  }
  if (expect.error) return accepted(expect);
  for (const [name, value] of Object.entries(expect)) {
    if (!(name in got)) return `evaluate has no ${name}, but ${Object.keys(got)}`;
    const wanted = numberOf(value);
    const near = Math.abs(got[name] - wanted) <= 1e-6 + 2e-5 * Math.abs(wanted);
    if (!near && !Object.is(got[name], wanted)) return `${name} is ${got[name]}, not ${wanted}`;
  }
  return null;
}

/** Returns null if the package agrees with Keras in a recorded program, else the difference. */
export async function checkProgram(recorded) {
  const objects = customObjects();
  const warnings = [];
  let model;
  try {
    model = await collectWarnings(warnings, () =>
      mf.loadModel(Buffer.from(recorded.file, 'base64'), { customObjects: objects }),
    );
  } catch (error) {
    // If no call succeeds in Keras, the package may refuse the whole model.
    const works = recorded.calls?.some(({ expect }) => !expect.error) ?? true;
    return !works && error instanceof mf.MaskflowError ? null : refusal(error);
  }
  try {
    if (recorded.kind === 'evaluate') return await evaluateOnce(model, recorded);
    for (const [number, call] of recorded.calls.entries()) {
      const problem = mf.tidy(() => callOnce(model, call, recorded.made_by, warnings));
      if (problem) return `call ${number}: ${problem}`;
    }
    return null;
  } catch (error) {
    return refusal(error);
  } finally {
    model.dispose();
    for (const object of Object.values(objects)) if (object instanceof mf.Layer) object.dispose();
  }
}
