// SPDX-License-Identifier: MIT
// workerd, the engine of Cloudflare Workers: a bundle that esbuild makes, with and without the wasm
// as a module of its own.
import { same } from '../lib/judge.js';
import { Failure } from '../../../scripts/lib/process.mjs';

// The worker contains the model as bytes, because workerd has no file system. It runs the programs
// during a request, because workerd allows them only then.
const script = (wasm) => `import * as mf from 'maskflow';
import * as text from 'maskflow/text';
import * as worker from 'maskflow/worker';
import { check } from './check.mjs';
import model from './brackets.keras';
${wasm ? "import wasm from './maskflow.wasm';" : ''}
export default {
  async fetch() {
    const options = { source: new Uint8Array(model)${wasm ? ', ready: { wasm, variant: "simd" }' : ''} };
    return Response.json(await check({ mf, text, worker }, options));
  },
};`;

const config = (wasm) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.js", esModule = embed "dist/main.js"),
      (name = "brackets.keras", data = embed "brackets.keras"),
      (name = "${wasm ? 'maskflow' : 'maskflow-simd'}.wasm", wasm = embed "node_modules/maskflow/dist/maskflow-simd.wasm"),
    ],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;

const cell = (name, wasm, facts = {}) => ({
  name,
  versions: 'workerd 1.20261117.1, esbuild 0.28.2',
  async run(project) {
    await project.install(['workerd@1.20261117.1', 'esbuild@0.28.2']);
    project.bring();
    project.write('main.js', script(wasm));
    project.write('config.capnp', config(wasm));
    // Names the export conditions that the tools of workerd use.
    const conditions = wasm ? [] : ['--conditions=workerd,worker,browser'];
    const outside = ['--external:*.keras', '--external:*.wasm', ...conditions];
    await project.run('esbuild', [
      'main.js',
      '--bundle',
      '--format=esm',
      '--outdir=dist',
      ...outside,
    ]);
    const ports = /"port":(\d+)/;
    const output = await project.listen(
      'workerd',
      ['serve', 'config.capnp', '--control-fd=1'],
      {},
      ports,
    );
    const answer = await fetch(`http://127.0.0.1:${output.match(/\d+/)[0]}/`);
    if (!answer.ok) throw new Failure(`${answer.status} ${await answer.text()}\n${project.said()}`);
    return answer.json();
  },
  ...facts,
});

export const how = 'Each cell is one handler, bundled by esbuild. It imports the model as bytes.';
const noWorkers = same(
  ['worker', 'pool'],
  "UnsupportedError: this engine has no workers (Node has them from 20.16 on); compute without one: loadModel() of 'maskflow'",
  '`node:worker_threads` of workerd cannot start threads.',
);
export const cells = [
  cell('workerd', false, { known: noWorkers }),
  cell('workerd, wasm as a module', true, { known: noWorkers }),
];
