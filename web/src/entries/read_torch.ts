// SPDX-License-Identifier: MIT
// `readTorch` of maskflow/torch.
import type { ModelSource } from '../base/model_source.js';
import type { TorchOptions } from '../formats/torch/read_torch.js';
import type { TorchFile } from '../formats/torch/torch_file.js';
import { ready } from './ready.js';

/**
 * Reads a file of PyTorch: `.pth` or `.pt` of `torch.save`, in either of its formats, or
 * `.safetensors`. It has a state dict, a whole module, or a checkpoint with one of them. Nothing in
 * the file is run. Calls `ready()` if no module runs; to train the layers, call `ready()` of
 * `maskflow/train` before.
 *
 * Throws FormatError if the file has another format, is damaged, or calls a function of Python that
 * only Python can run. Throws ConfigError, which lists them, if the file has several state dicts.
 *
 * @example
 * const file = await readTorch('model.pth');
 * const model = new Sequential([file.layer('embedding', { maskZero: true }), file.layer('rnn')]);
 */
export async function readTorch(
  source: ModelSource,
  options: TorchOptions = {},
): Promise<TorchFile> {
  const { readTorchFrom } = await import('../formats/torch/read_torch.js');
  return readTorchFrom(ready, source, options);
}
