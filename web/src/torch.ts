// SPDX-License-Identifier: MIT
/**
 * All of `maskflow`, and the files of PyTorch: their modules become layers of this package.
 *
 * @module maskflow/torch
 */
export * from './index.js';
export { readTorch } from './entries/read_torch.js';
export type { TorchOptions } from './formats/torch/read_torch.js';
export type { TorchKind, TorchLayerOptions } from './formats/torch/settings.js';
export type { TorchFile, TorchModule } from './formats/torch/torch_file.js';
