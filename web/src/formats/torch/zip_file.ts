// SPDX-License-Identifier: MIT
// The container of PyTorch since 1.6; legacy_file.ts reads the older one.
import { FormatError, UnsupportedError } from '../../base/errors.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import type { OpenFile } from '../open/open_file.js';
import { openZip, type ZipArchive } from '../zip/read_zip.js';
import type { TorchContent } from './content.js';
import { torchDialect } from './torch_dialect.js';
import { readPickleInPieces } from '../pickle/pickle.js';
import { Buffers } from './rebuild.js';
import { scriptWeights } from './script_weights.js';

const kData = 'data.pkl';

const has = ({ names }: ZipArchive, pattern: RegExp): boolean =>
  names.some((each) => pattern.test(each));

/** Throws UnsupportedError for archives of `torch.export.save`. */
function refuseProgram(archive: ZipArchive, name: string): void {
  if (
    !has(archive, /serialized_exported_program\.json$/) &&
    !has(archive, /(^|\/)(archive_format|models\/.*\.json)$/)
  ) {
    return;
  }
  throw new UnsupportedError(
    `${name} is a program of torch.export.save; save the weights: torch.save(model.state_dict(), path)`,
  );
}

/** Whether an archive is one of `torch.jit.save`, whose programs are not read. */
const isScript = (archive: ZipArchive): boolean =>
  has(archive, /(^|\/)constants\.pkl$/) || has(archive, /^[^/]+\/code\//);

/** Reads a file of `torch.save` since PyTorch 1.6: a zip archive with a pickle and storages. */
export async function readZipFile({ bytes, name, budget }: OpenFile): Promise<TorchContent> {
  const archive = openZip(bytes, budget);
  refuseProgram(archive, name);
  const path = archive.names.find((each) => each === kData || each.endsWith(`/${kData}`));
  const pickle = path === undefined ? undefined : await archive.unpack(path);
  if (path === undefined || !pickle) {
    const found = archive.names.slice(0, 5).join(', ') || 'nothing';
    throw new FormatError(
      `${name} is a zip archive, but not one of torch.save: it has no ${kData}, but ${found}; load Keras's files with loadModel`,
    );
  }
  const folder = path.slice(0, path.length - kData.length);
  const order = await archive.unpack(`${folder}byteorder`);
  const bigEndian = order !== undefined && decodeUtf8(order) === 'big';
  const { value: root } = await readPickleInPieces(pickle, 0, budget, {
    resolve: new Buffers().resolve,
    dialect: torchDialect,
  });
  return {
    root: isScript(archive) ? scriptWeights(root, budget) : root,
    async load(buffers) {
      for (const buffer of buffers) {
        const data = await archive.unpack(`${folder}data/${buffer.key}`);
        if (!data || data.length < buffer.size) {
          throw new FormatError(
            `the file is damaged: '${folder}data/${buffer.key}' has ${data?.length ?? 0} bytes, but its tensors need ${buffer.size}`,
          );
        }
        Object.assign(buffer, { bytes: data, bigEndian });
      }
    },
  };
}
