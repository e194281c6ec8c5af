// SPDX-License-Identifier: MIT
// The chunk of `readTorch`: detects the container, reads it, and chooses the weights in it.
// `isTorchFile` is for the command.
import { kTorchMagicOpcode } from '../pickle/torch_magic.js';
import { checkOptions, checkText } from '../../base/check.js';
import { elementCount } from '../../base/array.js';
import { type ModelSource, type SourceOptions, sourceOptions } from '../../base/model_source.js';
import type { OpenFile } from '../open/open_file.js';
import { nameInErrors, shortenMessage } from '../open/reading_failed.js';
import { openSource } from '../open/source.js';
import { openZip } from '../zip/read_zip.js';
import { BesideWeights } from './beside_weights.js';
import { chooseCandidate, tensorsOf } from './candidates.js';
import type { TorchContent } from './content.js';
import { readLegacyFile } from './legacy_file.js';
import { moduleTree } from './module_node.js';
import { type TorchContainer, torchContainerOf } from './recognise_torch.js';
import { readSafetensors } from './safetensors.js';
import type { Buffer } from './stored.js';
import { TorchFile } from './torch_file.js';
import { addSpectralWeights } from './spectral_norm.js';
import { addNormalizedWeights } from './weight_norm.js';
import { readZipFile } from './zip_file.js';

/** Options of `readTorch`. */
export interface TorchOptions extends SourceOptions {
  /**
   * Place of the state dict or module in a checkpoint that has several: `'ema_state_dict'`, or keys
   * joined by dots, `'models.ema'`.
   */
  inside?: string;
}

const readers: { readonly [C in TorchContainer]: (file: OpenFile) => Promise<TorchContent> } = {
  zip: readZipFile,
  pickle: readLegacyFile,
  safetensors: readSafetensors,
};

/** Implements `readTorch`. @internal */
export async function readTorchFrom(
  ready: () => Promise<void>,
  source: ModelSource,
  options: TorchOptions,
): Promise<TorchFile> {
  const { inside } = checkOptions(options, {
    inside: 1,
    ...sourceOptions,
  });
  if (inside !== undefined) checkText(inside, 'inside');
  try {
    const [file] = await Promise.all([openSource(source, options, torchContainerOf), ready()]);
    return await nameInErrors(file, () => readFile(file, inside));
  } catch (error) {
    throw shortenMessage(error);
  }
}

async function readFile(file: OpenFile, inside: string | undefined): Promise<TorchFile> {
  const { bytes, name, budget } = file;
  const { root, load, metadata } = await readers[torchContainerOf(bytes, name)](file);
  const candidate = chooseCandidate(root, inside, budget);
  const { tensors, records } = tensorsOf(candidate, budget);
  const buffers = new Set<Buffer>();
  const beside = new BesideWeights(root, budget);
  for (const { shape, buffer, problem } of [...tensors.values(), ...beside.tensors]) {
    if (problem !== undefined) continue;
    // Views may share bytes: all tensors together may be far larger than the file.
    budget.unpack(elementCount(shape) * Float32Array.BYTES_PER_ELEMENT, 'the tensors of the file');
    buffers.add(buffer);
  }
  await load(buffers);
  const tree = moduleTree(tensors, records, budget);
  addNormalizedWeights(tree, budget);
  addSpectralWeights(tree, budget);
  return new TorchFile(tree, () => metadata ?? beside.data());
}

/** Returns whether a whole file is one of PyTorch's. */
export function isTorchFile(bytes: Uint8Array): boolean {
  try {
    const container = torchContainerOf(bytes, '');
    // Other pickles begin with other values than PyTorch's magic number.
    if (container === 'pickle') return kTorchMagicOpcode.every((byte, i) => bytes[i + 2] === byte);
    if (container !== 'zip') return true;
    return openZip(bytes).names.some((name) => name.endsWith('data.pkl'));
  } catch {
    return false;
  }
}
