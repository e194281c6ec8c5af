// SPDX-License-Identifier: MIT
// `verify` of all entries: the check of a converted model against Python.
import type { Recorded } from '../formats/verify/recorded.js';
import type { Verification, VerifyOptions } from '../formats/verify/verify.js';
import type { Model } from '../model/model.js';

/**
 * Runs a model on inputs that were recorded in Python, and compares its outputs and masks with the
 * recorded ones. The recording is an object, JSON, or the bytes of an `.npz`; the guide to model
 * files shows how to record one.
 *
 * An element agrees if |output - recorded| ≤ absolute + relative · |recorded|; both default to
 * 1e-5. Throws FormatError if the recording cannot be read, and ShapeError if it has another number
 * of outputs.
 *
 * @param model The model to check; it is called once.
 * @param recorded Inputs, outputs and, if known, masks.
 * @returns What differs, for each output, and whether all agree.
 *
 * @example const { passed, outputs } = await verify(model, await (await
 * fetch('recorded.npz')).arrayBuffer());
 */
export async function verify(
  model: Model,
  recorded: Recorded | string | Uint8Array | ArrayBuffer,
  options: VerifyOptions = {},
): Promise<Verification> {
  const { verifyModel } = await import('../formats/verify/verify.js');
  return verifyModel(model, recorded, options);
}
