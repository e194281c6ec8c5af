// SPDX-License-Identifier: MIT
// Names of Keras's layers for images, so that errors can say that the package lacks them on
// purpose.
import { isForeign, type LayerNames } from '../layers/registry.js';

const kImageLayer =
  /^\w+[23]D(Transpose)?$|^(Resizing|CenterCrop)$|^Random(Crop|Flip|Rotation|Translation|Zoom|Height|Width|Brightness|Contrast)$/;

/** Returns whether the class is one of Keras's layers for images. */
export const isImageLayer = (entry: LayerNames): boolean =>
  kImageLayer.test(String(entry.class_name)) && !isForeign(entry);
