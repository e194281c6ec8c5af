// SPDX-License-Identifier: MIT
// The service by which maskflow/text makes models of strings, which the core does not support.
import { Service } from '../base/service.js';

/** A layer of maskflow/text, as far as other folders know it. */
export interface TextLayerLike {
  /** Class name, as in Keras. */
  readonly className: string;
  /** Converts texts. */
  apply(data: never): unknown;
  /** Returns the settings under Keras's names. */
  getConfig(): unknown;
}

/** Makes inputs and models of strings. */
export interface TextGraphs {
  /** Creates an input of strings. */
  input(options: object): object;
  /** Creates a model that has such inputs; undefined for other settings. */
  model(config: object, isSubclass: boolean): object | undefined;
  /** Creates a model that begins with layers of text; undefined for other layers. */
  sequential(layers: unknown, options: object, isSubclass: boolean): object | undefined;
  /** Throws ConfigError for a layer of text that is added to a model. */
  refuseItem(item: unknown): void;
}

export const textGraphs = new Service<TextGraphs>(
  "models of strings need maskflow/text: write import 'maskflow/text' first",
  'ERR_NEEDS_TEXT',
);
