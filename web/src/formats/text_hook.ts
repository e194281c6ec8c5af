// SPDX-License-Identifier: MIT
import type { Artifact, SerializedObject } from './artifact.js';
import type { Model } from '../model/model.js';
import type { Maker, Prepared } from '../layers/registry.js';

/** A model without the layers that read text, and how to make it one that takes text. */
export interface SplitModel {
  config: SerializedObject;
  make(prepared: Prepared): Model;
}

/**
 * Takes the layers that read text out of a model; null when nothing of it reads strings. Set by `maskflow/text`; loading a file
 * asks for it.
 */
export const textHook: {
  split?: (
    config: SerializedObject,
    files: NonNullable<Artifact['texts']>,
    objects: { readonly [name: string]: unknown },
    makers: Map<string, Maker>,
  ) => SplitModel | null;
} = {};
