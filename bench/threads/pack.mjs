// SPDX-License-Identifier: MIT
// Writes a folder that measures the table of threads on any x86-64 Linux by one command, without
// Node, npm or a network: `npm run bench:threads -- --pack FOLDER --node NODE`.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { version } from '../../scripts/lib/facts.mjs';
import { at, builtFiles, filesIn, filesUnder, short } from '../../scripts/lib/files.mjs';
import { Failure, output, runQuietly } from '../../scripts/lib/process.mjs';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';

const peers = 'bench/peers/node_modules';

/** Files of the peers that the table runs; their other builds take 300 MB. */
const neededOfPeers = [
  /^onnxruntime-common\/.*\.(?:m?js|json)$/,
  /^onnxruntime-web\/(?:package\.json|dist\/(?:ort\.node\.min\.mjs|ort-wasm-simd-threaded\.(?:mjs|wasm)))$/,
  /^onnxruntime-node\/(?:package\.json|dist\/.*\.js|bin\/.*\/linux\/x64\/.*)$/,
];

const runText = (flags) => `#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the threads of maskflow ${version} beside ONNX Runtime on this machine; needs tar and xz.
# Options: --threads 1,2,4  --only W2,T1  --rounds 2  --turn 300 (milliseconds a workload)
# Prints the table, and writes its figures to figures.json beside this file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
tar -xJf "$here/files.tar.xz" -C "$files"
"$files/node"${flags.map((flag) => ` ${flag}`).join('')} "$files/bench/threads/table.mjs" --out "$here/figures.json" "$@"
`;

/** Returns the paths of the files that the table needs, relative to the project. */
function neededFiles() {
  const scripts = ['facts', 'files', 'process'].map((name) => `scripts/lib/${name}.mjs`);
  const ofPeers = filesIn(at(peers)).filter((path) =>
    neededOfPeers.some((pattern) => pattern.test(relative(at(peers), path))),
  );
  const built = builtFiles().filter((path) => path.endsWith('.js') && !path.includes('.iife.'));
  const bench = filesUnder('bench', /\.mjs$/).filter((path) => !path.includes('node_modules'));
  return [...scripts, ...[...ofPeers, ...built, ...bench].map(short)];
}

/** Returns the version of a Node that runs on any x86-64 Linux, or throws. */
function versionOf(node) {
  const found = output(node, [
    '-p',
    'process.platform + " " + process.arch + " " + process.version',
  ]);
  if (!found?.startsWith('linux x64 ')) throw new Failure(`${node} is no Node for x86-64 Linux`);
  return found.split(' ')[2];
}

/** Writes `folder`; resolves to a sentence about it. */
export async function writePack(folder, node) {
  const nodeVersion = versionOf(node);
  const files = mkdtempSync(join(tmpdir(), 'maskflow-pack-'));
  try {
    for (const path of neededFiles()) {
      mkdirSync(dirname(join(files, path)), { recursive: true });
      cpSync(at(path), join(files, path), { dereference: true });
    }
    writeFileSync(join(files, 'package.json'), JSON.stringify({ type: 'module', version }));
    cpSync(node, join(files, 'node'), { dereference: true });
    // Without its symbols, the program is a fifth smaller. Not every machine has strip.
    output('strip', [join(files, 'node')]);
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, 'files.tar.xz');
    const env = { ...process.env, XZ_OPT: '-9' };
    await runQuietly('tar', ['-cJf', archive, '-C', files, '.'], { env });
    writeFileSync(join(folder, 'run.sh'), runText(relaxedFlag(node)));
    chmodSync(join(folder, 'run.sh'), 0o755);
    const megabytes = (statSync(archive).size / 1e6).toFixed(1);
    return `${folder}: run.sh with Node ${nodeVersion}; files.tar.xz, ${megabytes} MB`;
  } finally {
    rmSync(files, { recursive: true });
  }
}
