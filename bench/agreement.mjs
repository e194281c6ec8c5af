// SPDX-License-Identifier: MIT
// Packages are compared before they are timed: their outputs must agree.

/** Returns whether a step counts: at padding, a package may return anything. */
function isKept({ input, lengths }, place, size) {
  if (!lengths || size % (input.shape[0] * input.shape[1]) !== 0) return true;
  const step = Math.floor(place / (size / (input.shape[0] * input.shape[1])));
  return step % input.shape[1] < lengths[Math.floor(step / input.shape[1])];
}

/**
 * Returns the largest difference, relative for values above 1; Infinity for another size or NaN.
 */
function difference(workload, expected, actual) {
  if (expected.length !== actual.length) return Infinity;
  const sequences = workload.layers.at(-1).kind === 'transformer';
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    if (sequences && !isKept(workload, i, expected.length)) continue;
    const apart = Math.abs(expected[i] - actual[i]) / Math.max(1, Math.abs(expected[i]));
    worst = Number.isNaN(apart) ? Infinity : Math.max(worst, apart);
  }
  return worst;
}

/** Returns the difference of an output; throws if it is above the tolerance of the workload. */
export function checkAgreement(workload, name, expected, actual) {
  const apart = difference(workload, expected, actual);
  const { id, tolerance = 1e-5 } = workload;
  if (apart <= tolerance) return apart;
  throw new Error(`${id}: ${name} differs by ${apart}, more than ${tolerance}`);
}

/**
 * Prepares a workload in packages whose outputs agree. Returns runs for `inTurns`, by the names of
 * the packages, and the reasons of those that refuse the workload.
 */
export async function prepareAll(workload, packages) {
  const runs = {};
  const refusals = {};
  let expected;
  for (const peer of packages) {
    const refusal = peer.refuses?.(workload);
    if (refusal) {
      refusals[peer.name] = refusal;
      continue;
    }
    const prepared = await peer.prepare(workload);
    const output = Float32Array.from(await prepared.run());
    expected ??= output;
    runs[peer.name] = {
      ...prepared,
      apart: checkAgreement(workload, peer.name, expected, output),
    };
  }
  return { runs, refusals };
}
