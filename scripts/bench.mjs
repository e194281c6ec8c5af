// SPDX-License-Identifier: MIT
// Runs the C++ benchmarks: natively, then both wasm variants under Node. Passes unknown options on to
// Google Benchmark: npm run bench -- --only=wasm-simd --benchmark_filter=LSTM
//   --only=PRESETS  some of release, wasm-simd, wasm-relaxed
//   --node=PATH     another Node for the wasm variants
import { cmakeBuild } from './lib/cmake.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, run } from './lib/process.mjs';
import { relaxedFlag } from './lib/relaxed-flag.mjs';
import { step } from './lib/steps.mjs';
import { setup } from './setup.mjs';

function command(preset, node) {
  const program = at('build', preset, 'maskflow_bench');
  if (preset === 'release') return [program, []];
  const flags = preset === 'wasm-relaxed' ? relaxedFlag(node) : [];
  return [node, [...flags, `${program}.cjs`]];
}

function parse(args) {
  const options = { node: process.execPath, only: 'release,wasm-simd,wasm-relaxed' };
  const rest = [];
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--(node|only)(?:=(.*))?$/.exec(args[i]) ?? [];
    if (name) options[name] = value ?? args[++i];
    else rest.push(args[i]);
  }
  return { ...options, rest };
}

await main(async () => {
  const { node, only, rest } = parse(process.argv.slice(2));
  const found = await setup({ native: true });
  for (const preset of only.split(',')) {
    if (preset === 'release' && !found.native) continue;
    await step(`build ${preset}`, () =>
      cmakeBuild(preset, ['maskflow_bench'], found.env, ['MASKFLOW_BENCH']),
    );
    console.log(`\n── ${preset}`);
    const [program, args] = command(preset, node);
    if ((await run(program, [...args, ...rest])) !== 0) throw new Failure(`${preset} failed`);
  }
});
